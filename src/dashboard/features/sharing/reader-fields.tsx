/** Who can see a share, and until when. */
import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { PasswordField } from './password-field.tsx';
import { endChoices } from './share-ends.ts';
import classes from './sharing.module.css';
import type { ShareFields, Way } from './use-share-fields.ts';

export interface ReaderFieldsProps extends Pick<ShareFields, 'fields' | 'change'> {
  readonly canExpire: boolean;
}

export function ReaderFields({ fields, change, canExpire }: ReaderFieldsProps) {
  return (
    <>
      <SegmentedControl
        className={classes.ways}
        fullWidth
        value={fields.way}
        onChange={(value) => change({ way: value as Way })}
        aria-label="Who can see it"
        data={[
          { value: 'public', label: 'Anyone with the link' },
          { value: 'password', label: 'Link and password' },
          { value: 'person', label: 'One person' },
        ]}
      />
      <div className={classes.fields}>
        {fields.way === 'password' && (
          <PasswordField
            label="Password"
            description="Send it separately from the link. It is never part of the address."
            password={fields.password}
            onChange={(password) => change({ password })}
          />
        )}
        {fields.way === 'person' && (
          <TextInput
            label="User name"
            description="Exactly as their Account page shows it, such as mei(@2)."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={fields.person}
            onChange={(event) => change({ person: event.currentTarget.value })}
            autoComplete="off"
          />
        )}
        {canExpire && (
          <Select
            label="Expires"
            data={endChoices}
            value={fields.end}
            allowDeselect={false}
            onChange={(value) => change({ end: value ?? '30' })}
          />
        )}
      </div>
    </>
  );
}
