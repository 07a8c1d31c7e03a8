/** Sharing one object: who, what they will see and will not, and the live shares with *Revoke*. */
import { Button, Checkbox, Modal, SegmentedControl, Select, TextInput } from '@mantine/core';
import { IconCheck, IconLink, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Share } from '../../../contract/share.ts';
import { useClient } from '../../objects/use-client.ts';
import { Problem } from '../../ui/problem.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { CopyLine } from './copy-line.tsx';
import { makePassword } from './make-password.ts';
import { PasswordField } from './password-field.tsx';
import { objectSharesQueryOptions, shareLink, useCreateShare } from './queries.ts';
import { type OnRevoke, RevokeButton } from './revoke.tsx';
import { describeShare } from './share-columns.tsx';
import { endChoices, endOf } from './share-ends.ts';
import classes from './sharing.module.css';

export interface SharedObject {
  readonly kind: 'experiment' | 'model' | 'workflow';
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

type Way = 'public' | 'password' | 'person';

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
  const client = useClient();
  const [way, setWay] = useState<Way>('password');
  const [password, setPassword] = useState(() => makePassword());
  const [person, setPerson] = useState('');
  const [end, setEnd] = useState('30');
  const [included, setIncluded] = useState(false);
  const [made, setMade] = useState<Share | null>(null);
  const create = useCreateShare();
  const shares = useQuery(objectSharesQueryOptions(client, object.id));
  const problem = create.error === null ? null : ApiError.from(create.error).message;
  const missing =
    way === 'password' && password.trim() === ''
      ? 'Type a password, or choose another way.'
      : way === 'person' && person.trim() === ''
        ? 'Type the user name as that person’s Account page shows it.'
        : null;

  const submit = () => {
    create.mutate(
      {
        objid: object.id,
        password: way === 'password' ? password : '',
        target_user: way === 'person' ? person.trim() : '',
        ...(canExpire
          ? { expires_at: endOf(end), include: included ? ['program', 'data'] : [] }
          : {}),
      },
      { onSuccess: setMade },
    );
  };
  if (made !== null)
    return (
      <ShareMade share={made} password={way === 'password' ? password : ''} onClose={onClose} />
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === null) submit();
      }}
    >
      <p className={classes.object}>
        {object.name} <code>{object.id}</code>
      </p>
      <SegmentedControl
        className={classes.ways}
        fullWidth
        size="xs"
        value={way}
        onChange={(value) => setWay(value as Way)}
        aria-label="Who can see it"
        data={[
          { value: 'public', label: 'Anyone with the link' },
          { value: 'password', label: 'Link and password' },
          { value: 'person', label: 'One person' },
        ]}
      />
      <div className={classes.fields}>
        {way === 'password' && (
          <PasswordField
            label="Password"
            description="Send it separately from the link. It is never part of the address."
            password={password}
            onChange={setPassword}
          />
        )}
        {way === 'person' && (
          <TextInput
            label="User name"
            description="Exactly as their Account page shows it, such as mei(@2)."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={person}
            onChange={(event) => setPerson(event.currentTarget.value)}
            autoComplete="off"
          />
        )}
        {canExpire && (
          <Select
            label="Expires"
            data={endChoices}
            value={end}
            allowDeselect={false}
            onChange={(value) => setEnd(value ?? '30')}
          />
        )}
      </div>
      {canExpire && object.kind === 'experiment' && (
        <Checkbox
          mt={12}
          label="Include program and data"
          checked={included}
          onChange={(event) => setIncluded(event.currentTarget.checked)}
        />
      )}
      <WhatIsSeen kind={object.kind} included={included} />
      {problem !== null && <Problem gap="above">Not shared: {problem}</Problem>}
      <div className={classes.actions}>
        {missing !== null && <span className={classes.reason}>{missing}</span>}
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={create.isPending}
          disabled={missing !== null}
          leftSection={<IconLink size={16} />}
        >
          {way === 'person' ? 'Share' : 'Create link'}
        </Button>
      </div>
      <LiveShares shares={shares.data ?? []} onRevoke={onRevoke} />
    </form>
  );
}

function WhatIsSeen({ kind, included }: { kind: SharedObject['kind']; included: boolean }) {
  const seen = {
    experiment: [
      'Draws, plots, summary',
      'Settings and verdict',
      ...(included ? ['Program and data'] : []),
    ],
    model: ['All files of this version'],
    workflow: ['Names and settings', 'Analysis report'],
  }[kind];
  const unseen = {
    experiment: [
      ...(included ? [] : ['Program and data']),
      'Server log',
      'Later changes or new runs',
      'Anything else you own',
    ],
    model: ['Later versions', 'Its experiments', 'Anything else you own'],
    workflow: ['Scripts, model and data', 'Later changes', 'Anything else you own'],
  }[kind];
  return (
    <div className={classes.seen}>
      <section>
        <h3>They will see</h3>
        <ul>
          {seen.map((line) => (
            <li key={line}>
              <IconCheck size={14} className={classes.yes} aria-hidden="true" /> {line}
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3>They will not see</h3>
        <ul>
          {unseen.map((line) => (
            <li key={line}>
              <IconX size={14} aria-hidden="true" /> {line}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function ShareMade({
  share,
  password,
  onClose,
}: {
  share: Share;
  password: string;
  onClose: () => void;
}) {
  const link = shareLink(window.location.origin, share.experiment_id, share.short_id);
  return (
    <div>
      <p className={classes.object}>
        {share.to_user
          ? `${share.to_user} sees it now under “Shared with me”.`
          : 'The link is ready. What it shows is frozen as of now.'}
      </p>
      <CopyLine label="Link" value={link} autoFocus />
      {password !== '' && <CopyLine label="Password, shown here only" value={password} />}
      <div className={classes.actions}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  );
}

function LiveShares({ shares, onRevoke }: { shares: readonly Share[]; onRevoke?: OnRevoke }) {
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
              {describeShare(share)}, since {new Date(share.created_at).toLocaleDateString()}
              {share.expires_at ? `, until ${new Date(share.expires_at).toLocaleDateString()}` : ''}
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
