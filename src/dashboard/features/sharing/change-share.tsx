/** Changes a share's password or end date; if the server cannot change shares, a new link replaces the old one. */
import { Box, Modal, SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Share } from '../../../contract/share.ts';
import { formatDay } from '../../ui/dates.ts';
import { Form } from '../../ui/form.tsx';
import { FormActions, SubmitButtons } from '../../ui/form-actions.tsx';
import { Note } from '../../ui/note.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { LinkReady } from './link-ready.tsx';
import { makePassword } from './make-password.ts';
import { PasswordField } from './password-field.tsx';
import { type ShareChange, useChangeShare } from './queries.ts';
import { endChoices, endOf } from './share-ends.ts';
import classes from './sharing.module.css';

export interface ChangeShareProps {
  readonly share: Share;
  /** The server changes a share in place; otherwise the old link is revoked and a new one created. */
  readonly inPlace: boolean;
  readonly onClose: () => void;
}

type Lock = 'keep' | 'password' | 'public';

export function ChangeShare(props: ChangeShareProps) {
  const { share, onClose } = props;
  useReturnFocus();
  return (
    <Modal opened onClose={onClose} size={520} title="Change this share">
      <p className={classes.object}>
        {share.experiment_name || share.experiment_id} <code>{share.short_id}</code>
      </p>
      <ChangeForm {...props} />
    </Modal>
  );
}

function ChangeForm({ share, inPlace, onClose }: ChangeShareProps) {
  const forPerson = Boolean(share.to_user);
  // The old password can no longer be read, so a new link needs another.
  const [lock, setLock] = useState<Lock>(inPlace || forPerson ? 'keep' : 'password');
  const [password, setPassword] = useState(() => makePassword());
  const [end, setEnd] = useState(inPlace ? 'keep' : '30');
  const change = useChangeShare();
  const wanted: ShareChange = {
    ...(lock === 'password' && { password }),
    ...(lock === 'public' && { password: '' }),
    ...(inPlace && end !== 'keep' && { expires_at: endOf(end) }),
  };
  const isNothing = inPlace && Object.keys(wanted).length === 0;
  const isMissing = lock === 'password' && password.trim() === '';
  if (change.isSuccess)
    return (
      <LinkReady
        share={change.data}
        message={inPlace ? 'Changed.' : 'The new link is ready; the old one no longer works.'}
        password={lock === 'password' ? password : ''}
        onClose={onClose}
      />
    );
  return (
    <Form
      onSubmit={() => {
        if (!isNothing && !isMissing) change.mutate({ share, wanted, inPlace });
      }}
    >
      {!inPlace && (
        <Note gap="below">
          This server cannot change a share. A new link is made and the old one revoked: send the
          new one to everyone who should keep access.
        </Note>
      )}
      {!forPerson && <LockChoice lock={lock} canKeep={inPlace} onChange={setLock} />}
      {lock === 'password' && (
        <Box mb={12}>
          <PasswordField
            label="New password"
            description="The old password stops working immediately."
            password={password}
            onChange={setPassword}
          />
        </Box>
      )}
      {inPlace && (
        <Select
          label="Expires"
          allowDeselect={false}
          data={[{ value: 'keep', label: `Unchanged: ${endText(share)}` }, ...endChoices]}
          value={end}
          onChange={(value) => setEnd(value ?? 'keep')}
        />
      )}
      {change.error !== null && (
        <Problem gap="above">Not changed: {ApiError.from(change.error).message}</Problem>
      )}
      <FormActions end>
        <SubmitButtons
          onCancel={onClose}
          loading={change.isPending}
          disabled={isNothing || isMissing}
        >
          {inPlace ? 'Save' : 'Make a new link'}
        </SubmitButtons>
      </FormActions>
    </Form>
  );
}

interface LockChoiceProps {
  readonly lock: Lock;
  readonly canKeep: boolean;
  readonly onChange: (lock: Lock) => void;
}

function LockChoice({ lock, canKeep, onChange }: LockChoiceProps) {
  return (
    <SegmentedControl
      fullWidth
      mb={12}
      aria-label="Password"
      value={lock}
      onChange={(value) => onChange(value as Lock)}
      data={[
        ...(canKeep ? [{ value: 'keep', label: 'Unchanged' }] : []),
        { value: 'password', label: 'New password' },
        { value: 'public', label: 'No password' },
      ]}
    />
  );
}

function endText({ expires_at: end }: Share): string {
  return end ? formatDay(new Date(end)) : 'never';
}
