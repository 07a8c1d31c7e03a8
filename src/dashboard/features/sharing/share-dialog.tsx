/** Sharing one object: who, what they will see and will not, and the live shares with *Revoke*. */
import { Button, Checkbox, Modal, SegmentedControl, Select, TextInput } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { FormActions } from '../../ui/form-actions.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { LinkReady } from './link-ready.tsx';
import { LiveShares } from './live-shares.tsx';
import { LoopbackNote } from './loopback-note.tsx';
import { PasswordField } from './password-field.tsx';
import type { OnRevoke } from './revoke.tsx';
import { endChoices } from './share-ends.ts';
import classes from './sharing.module.css';
import { type ShareFormState, useShareForm, type Way } from './use-share-form.ts';
import { type SharedKind, WhatIsSeen } from './what-is-seen.tsx';

export interface SharedObject {
  readonly kind: SharedKind;
  readonly id: string;
  readonly name: string;
}

export interface ShareDialogProps {
  readonly object: SharedObject;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onRevoke?: OnRevoke;
  /** The server takes an end date and what to include. */
  readonly canExpire: boolean;
}

export function ShareDialog(props: ShareDialogProps) {
  useReturnFocus();
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      size={560}
      title={`Share this ${props.object.kind}`}
    >
      <ShareForm {...props} />
    </Modal>
  );
}

function ShareForm({ object, onClose, onRevoke, canExpire }: ShareDialogProps) {
  const form = useShareForm(object.id, canExpire);
  const { fields, change, missing, made } = form;
  if (made !== null) {
    const reader = made.share.to_user;
    const message = reader
      ? `${reader} sees it now under “Shared with me”.`
      : 'The link is ready. What it shows is frozen as of now.';
    return <LinkReady {...made} message={message} onClose={onClose} />;
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <p className={classes.object}>
        {object.name} <code>{object.id}</code>
      </p>
      <ReaderFields form={form} canExpire={canExpire} />
      {canExpire && object.kind === 'experiment' && (
        <Checkbox
          mt={12}
          label="Include program and data"
          checked={fields.included}
          onChange={(event) => change({ included: event.currentTarget.checked })}
        />
      )}
      <WhatIsSeen kind={object.kind} included={fields.included} />
      <LoopbackNote />
      {form.problem !== null && <Problem gap="above">Not shared: {form.problem}</Problem>}
      <FormActions end>
        {missing !== null && <span className={classes.reason}>{missing}</span>}
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={form.isBusy}
          disabled={missing !== null}
          leftSection={<IconLink size={16} />}
        >
          {fields.way === 'person' ? 'Share' : 'Create link'}
        </Button>
      </FormActions>
      <LiveShares objectId={object.id} onRevoke={onRevoke} />
    </form>
  );
}

interface ReaderFieldsProps {
  readonly form: ShareFormState;
  readonly canExpire: boolean;
}

/** Who can see it, and until when. */
function ReaderFields({ form: { fields, change }, canExpire }: ReaderFieldsProps) {
  return (
    <>
      <SegmentedControl
        className={classes.ways}
        fullWidth
        size="xs"
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
