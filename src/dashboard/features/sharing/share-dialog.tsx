/** Shares one object: with whom, what they will see and will not, and the live shares with *Revoke*. */
import { Checkbox, Modal } from '@mantine/core';
import { Form } from '../../ui/form.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { LinkReady } from './link-ready.tsx';
import { LiveShares } from './live-shares.tsx';
import { ReaderFields } from './reader-fields.tsx';
import type { OnRevoke } from './revoke.tsx';
import { ShareFormEnd } from './share-form-end.tsx';
import type { SharedObject } from './shared-object.ts';
import classes from './sharing.module.css';
import { useShareForm } from './use-share-form.ts';
import { WhatIsSeen } from './what-is-seen.tsx';

export interface ShareDialogProps {
  readonly object: SharedObject;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onRevoke?: OnRevoke;
  /** The server accepts an end date and what to include. */
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
  const form = useShareForm(object, canExpire);
  const { fields, change, missing, made } = form;
  if (made !== null) {
    const reader = made.share.to_user;
    const message = reader
      ? `${reader} sees it now under “Shared with me”.`
      : 'The link is ready. What it shows is frozen as of now.';
    return <LinkReady {...made} message={message} onClose={onClose} />;
  }
  return (
    <Form onSubmit={form.submit}>
      <p className={classes.object}>
        {object.name} <code>{object.id}</code>
      </p>
      <ReaderFields fields={fields} change={change} canExpire={canExpire} />
      {canExpire && (object.kind === 'experiment' || object.kind === 'project') && (
        <Checkbox
          mt={12}
          label={
            object.kind === 'project' ? 'Include programs and data' : 'Include program and data'
          }
          checked={fields.included}
          onChange={(event) => change({ included: event.currentTarget.checked })}
        />
      )}
      {canExpire && object.hasNote === true && (
        <Checkbox
          mt={8}
          label={object.kind === 'project' ? 'Include notes on runs' : 'Include notes'}
          checked={fields.withNote}
          onChange={(event) => change({ withNote: event.currentTarget.checked })}
        />
      )}
      <WhatIsSeen
        kind={object.kind}
        included={fields.included}
        withNote={object.hasNote === true ? fields.withNote : undefined}
      />
      <ShareFormEnd
        problem={form.problem}
        missing={missing}
        isBusy={form.isBusy}
        label={fields.way === 'person' ? 'Share' : 'Create link'}
        onClose={onClose}
      />
      <LiveShares objectId={object.id} onRevoke={onRevoke} />
    </Form>
  );
}
