/** Shares the rows selected in a list: a single one as everywhere else, several with a link each. */
import { Button, Checkbox, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { useCapability } from '../../objects/use-config.ts';
import { useCanDelete } from '../../objects/use-delete.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Form } from '../../ui/form.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { Problem } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { CopyLine } from './copy-line.tsx';
import { LoopbackNote } from './loopback-note.tsx';
import { OwnShareDialog } from './own-sharing.tsx';
import { shareLink } from './queries.ts';
import { ReaderFields } from './reader-fields.tsx';
import { ShareFormEnd } from './share-form-end.tsx';
import { revokeShares, type SharedRows, shareRows } from './share-rows.ts';
import type { SharedObject } from './shared-object.ts';
import classes from './sharing.module.css';
import { useShareFields } from './use-share-fields.ts';
import { type SharedKind, WhatIsSeen } from './what-is-seen.tsx';

export interface ShareRowsDialogProps {
  readonly kind: SharedKind;
  readonly rows: readonly { readonly short_id: string; readonly name: string }[];
  readonly onClose: () => void;
}

export function ShareRowsDialog({ kind, rows, onClose }: ShareRowsDialogProps) {
  const objects = rows.map(
    ({ short_id: id, name }): SharedObject => ({ kind, id, name: name || id }),
  );
  const [only] = objects;
  if (only === undefined) return null;
  if (objects.length === 1) return <OwnShareDialog object={only} onClose={onClose} />;
  return <SeveralDialog objects={objects} onClose={onClose} />;
}

interface SeveralProps {
  readonly objects: readonly SharedObject[];
  readonly onClose: () => void;
}

function SeveralDialog({ objects, onClose }: SeveralProps) {
  useReturnFocus();
  const [shared, setShared] = useState<(SharedRows & { password: string }) | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      size={560}
      title={`Share ${countText(objects.length, objects[0]?.kind ?? 'object')}`}
    >
      {shared === null ? (
        <SeveralForm objects={objects} onShared={setShared} onClose={onClose} />
      ) : (
        <SeveralReady {...shared} onClose={onClose} />
      )}
    </Modal>
  );
}

const countText = (count: number, noun: string) =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** More names than this are only counted. */
const mostNamed = 6;

function namesText(objects: readonly SharedObject[]): string {
  const names = objects.slice(0, mostNamed).map(({ name }) => name);
  const rest = objects.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${formatCount(rest)} more` : names.join(', ');
}

interface SeveralFormProps extends SeveralProps {
  readonly onShared: (shared: SharedRows & { password: string }) => void;
}

function SeveralForm({ objects, onShared, onClose }: SeveralFormProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const canExpire = useCapability('share_options');
  const canRevoke = useCanDelete();
  const { fields, change, missing, options, password } = useShareFields(canExpire);
  const kind = objects[0]?.kind ?? 'experiment';
  const share = useAction(async () => {
    const sharing = { client, queryClient };
    const shared = await shareRows(sharing, objects, options());
    const shares = shared.made.map((one) => one.share);
    if (shares.length > 0)
      showToast({
        message: `Shared ${countText(shares.length, kind)}.`,
        ...(canRevoke ? { undo: () => revokeShares(sharing, shares).then(onClose) } : {}),
      });
    onShared({ ...shared, password });
  });
  return (
    <Form
      onSubmit={() => {
        if (missing === null) void share.run();
      }}
    >
      <p className={classes.object}>{namesText(objects)}</p>
      <ReaderFields fields={fields} change={change} canExpire={canExpire} />
      {canExpire && (kind === 'experiment' || kind === 'project') && (
        <Checkbox
          mt={12}
          label="Include program and data"
          checked={fields.included}
          onChange={(event) => change({ included: event.currentTarget.checked })}
        />
      )}
      <WhatIsSeen kind={kind} included={fields.included} />
      <ShareFormEnd
        problem={share.problem}
        missing={missing}
        isBusy={share.isBusy}
        label={fields.way === 'person' ? 'Share' : `Create ${formatCount(objects.length)} links`}
        onClose={onClose}
      />
    </Form>
  );
}

interface SeveralReadyProps extends SharedRows {
  readonly password: string;
  readonly onClose: () => void;
}

function SeveralReady({ made, failed, password, onClose }: SeveralReadyProps) {
  const reader = made[0]?.share.to_user ?? '';
  const lines = made.map(({ object, share }) => ({
    name: object.name,
    id: object.id,
    link: shareLink(window.location.origin, share.experiment_id, share.short_id),
  }));
  return (
    <>
      {failed.length > 0 && (
        <Problem>
          Not shared: {failed.map(({ object, reason }) => `${object.name} (${reason})`).join(', ')}
        </Problem>
      )}
      {made.length > 0 && (
        <>
          <p role="status" className={classes.object}>
            {reader === ''
              ? 'The links are ready. What they show is frozen as of now.'
              : `${reader} sees them now under “Shared with me”.`}
          </p>
          <div className={classes.links}>
            {lines.map(({ name, id, link }) => (
              <CopyLine key={id} label={name} value={link} />
            ))}
          </div>
          {password !== '' && (
            <CopyLine label="Password for all, shown here only" value={password} />
          )}
          <LoopbackNote />
        </>
      )}
      <FormActions end>
        {lines.length > 0 && (
          <CopyButton
            text={lines.map(({ name, link }) => `${name}\t${link}`).join('\n')}
            label="Copy all links"
            variant="default"
          />
        )}
        <Button variant="filled" onClick={onClose}>
          Done
        </Button>
      </FormActions>
    </>
  );
}
