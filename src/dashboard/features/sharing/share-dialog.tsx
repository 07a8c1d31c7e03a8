/** Shares one object: with whom, what they will see and will not, and the live shares with *Revoke*. */
import { Checkbox, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Share } from '../../../contract/share.ts';
import { useClient } from '../../objects/use-client.ts';
import { formatDay } from '../../ui/dates.ts';
import { Form } from '../../ui/form.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { LinkReady } from './link-ready.tsx';
import { objectSharesQueryOptions, useCreateShare } from './queries.ts';
import { ReaderFields } from './reader-fields.tsx';
import { type OnRevoke, RevokeButton } from './revoke.tsx';
import { describeShare } from './share-columns.tsx';
import { ShareFormEnd } from './share-form-end.tsx';
import type { SharedObject } from './shared-object.ts';
import classes from './sharing.module.css';
import { useShareFields } from './use-share-fields.ts';
import { WhatIsSeen } from './what-is-seen.tsx';

export interface ShareDialogProps {
  readonly object: SharedObject;
  readonly onClose: () => void;
  readonly onRevoke?: OnRevoke;
  /** The server accepts an end date and what to include. */
  readonly canExpire: boolean;
}

export function ShareDialog(props: ShareDialogProps) {
  useReturnFocus();
  return (
    <Modal opened onClose={props.onClose} size={560} title={`Share this ${props.object.kind}`}>
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

/** `canExpire`: the server accepts an end date and what to include. */
function useShareForm(
  { id: objid, shownVariables = [] }: Pick<SharedObject, 'id' | 'shownVariables'>,
  canExpire: boolean,
) {
  const { options, password, ...form } = useShareFields(canExpire);
  const [made, setMade] = useState<Share | null>(null);
  const create = useCreateShare();
  const submit = () => {
    if (form.missing !== null) return;
    const shown =
      canExpire && shownVariables.length > 0 ? { shown_variables: [...shownVariables] } : {};
    create.mutate({ objid, ...options(), ...shown }, { onSuccess: setMade });
  };
  return {
    ...form,
    submit,
    isBusy: create.isPending,
    problem: create.error === null ? null : ApiError.from(create.error).message,
    /** The share and its password, once it is created. */
    made: made === null ? null : { share: made, password },
  };
}

interface LiveSharesProps {
  readonly objectId: string;
  readonly onRevoke?: OnRevoke;
}

/** The active shares of one object, each with *Revoke*. */
function LiveShares({ objectId, onRevoke }: LiveSharesProps) {
  const client = useClient();
  const shares = useQuery(objectSharesQueryOptions(client, objectId)).data ?? [];
  if (shares.length === 0) return null;
  return (
    <section className={classes.live} aria-label="Active shares">
      <h3>
        Active shares <span>{shares.length}</span>
      </h3>
      <ul>
        {shares.map((share) => (
          <li key={share.short_id}>
            <span>
              {describeShare(share)}, since {formatDay(new Date(share.created_at))}
              {share.expires_at ? `, until ${formatDay(new Date(share.expires_at))}` : ''}
              {(share.failed_attempts ?? 0) > 0
                ? `, ${share.failed_attempts} wrong ${share.failed_attempts === 1 ? 'password' : 'passwords'}`
                : ''}
            </span>
            <RevokeButton share={share} onRevoke={onRevoke} />
          </li>
        ))}
      </ul>
    </section>
  );
}
