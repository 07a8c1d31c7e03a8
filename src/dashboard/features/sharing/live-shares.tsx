/** The active shares of one object, each with *Revoke*. */
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../objects/use-client.ts';
import { formatDay } from '../../ui/dates.ts';
import { objectSharesQueryOptions } from './queries.ts';
import { type OnRevoke, RevokeButton } from './revoke.tsx';
import { describeShare } from './share-columns.tsx';
import classes from './sharing.module.css';

export interface LiveSharesProps {
  readonly objectId: string;
  readonly onRevoke?: OnRevoke;
}

export function LiveShares({ objectId, onRevoke }: LiveSharesProps) {
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
