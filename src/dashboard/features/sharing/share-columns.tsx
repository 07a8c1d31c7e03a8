/** Columns of a list of shares: who sees what, since and until when, and the available actions. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { kindOfId } from '../../../contract/common.ts';
import type { Share } from '../../../contract/share.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatDay } from '../../ui/dates.ts';
import type { ListColumn } from '../../ui/list-table.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { textColumn } from '../lists/list-columns.tsx';
import { shareLink } from './queries.ts';
import { type OnRevoke, RevokeButton } from './revoke.tsx';
import classes from './sharing.module.css';

export interface ShareActions {
  readonly onRevoke?: OnRevoke;
  /** Changes password and end date; absent if the server cannot. */
  readonly onChange?: (share: Share) => void;
}

/** The shared object, for lists of shares of several. */
export const objectColumn: ListColumn<Share> = {
  key: 'object',
  title: 'What',
  phone: 'title',
  grow: true,
  sortKey: 'name',
  cell: (share) => {
    const name = share.experiment_name || share.experiment_id;
    if (share.object_deleted)
      return (
        <span title={name}>
          {name} <span className={classes.wrong}>object deleted</span>
        </span>
      );
    return (
      <Link to={ownPathOf(share.experiment_id)} title={share.experiment_name}>
        {name}
      </Link>
    );
  },
};

export const kindColumn = textColumn<Share>({
  key: 'kind',
  title: 'Kind',
  text: (share) => kindOfId(share.experiment_id),
});

export function whoColumn(phone: 'title' | 'below'): ListColumn<Share> {
  return { key: 'who', title: 'For whom', phone, cell: (share) => <WhoSees share={share} /> };
}

/** Who it is for, and the failed attempts, if any. */
function WhoSees({ share }: { share: Share }) {
  const wrong = share.failed_attempts ?? 0;
  return (
    <>
      {describeShare(share)}
      {wrong > 0 && (
        <span className={classes.wrong}>
          {formatCount(wrong)} wrong {wrong === 1 ? 'password' : 'passwords'}
        </span>
      )}
    </>
  );
}

export function shareColumns({ onRevoke, onChange }: ShareActions): ListColumn<Share>[] {
  return [
    {
      key: 'what',
      title: 'Sees',
      phone: 'hidden',
      grow: 'brief',
      wideOnly: true,
      cell: (share) => <span title={whatIsSeen(share)}>{whatIsSeen(share)}</span>,
    },
    {
      key: 'since',
      title: 'Since',
      phone: 'below',
      sortKey: 'created',
      cell: (share) => <RelativeTime date={share.created_at} />,
    },
    {
      key: 'until',
      title: 'Until',
      phone: 'below',
      // Phones show no table heads.
      cell: ({ expires_at: end }) => (
        <>
          {end && <span className={classes.onPhones}>until </span>}
          {endText(end)}
        </>
      ),
    },
    {
      key: 'actions',
      title: '',
      phone: 'below',
      align: 'right',
      cell: (share) => (
        <span className={classes.rowActions} data-row-actions>
          {!share.object_deleted && (
            <>
              <CopyButton
                text={shareLink(window.location.origin, share.experiment_id, share.short_id)}
                label="Copy link"
              />
              {onChange !== undefined && (
                <Button size="xs" onClick={() => onChange(share)}>
                  Change
                </Button>
              )}
            </>
          )}
          <RevokeButton share={share} onRevoke={onRevoke} />
        </span>
      ),
    },
  ];
}

/** "mei(@2)", "Link and password", "Anyone with the link". */
export function describeShare(share: Pick<Share, 'to_user' | 'password'>): string {
  if (share.to_user) return share.to_user;
  return share.password === '' ? 'Anyone with the link' : 'Link and password';
}

/** What a viewer can see, in one line. */
function whatIsSeen({ include = [], experiment_id: id }: Share): string {
  const kind = kindOfId(id);
  if (kind === 'model') return 'Its files as they were';
  const seen =
    kind === 'workflow'
      ? 'Settings, analysis report'
      : kind === 'project'
        ? 'Notebook and all members'
        : 'Draws, plots, summary, labels';
  return include.length > 0 ? `${seen}, ${include.join(', ')}` : seen;
}

/** A day, or "no end date". */
export function endText(end: string | null | undefined): string {
  return end ? formatDay(new Date(end)) : 'no end date';
}

/** The owner's page of a shared object. */
function ownPathOf(id: string): string {
  const pages: Readonly<Record<string, string>> = {
    M: 'models',
    F: 'workflows',
    D: 'data',
    P: 'projects',
  };
  return `/${pages[id.charAt(0)] ?? 'experiments'}/${id}`;
}
