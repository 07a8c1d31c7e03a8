/** Revoking a share, with undo. */
import { Button } from '@mantine/core';
import type { Share } from '../../../contract/share.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useCanDelete, useDelete } from '../../objects/use-delete.ts';
import classes from './sharing.module.css';

export type OnRevoke = (share: Share) => void;

/** Revokes with an undo toast; undefined if the server cannot revoke. */
export function useRevoke(): OnRevoke | undefined {
  const remove = useDelete();
  if (!useCanDelete()) return undefined;
  return (share) =>
    void remove({
      ids: [share.short_id],
      message: 'Share revoked.',
      changes: [objectKeys('share').all],
    });
}

export function RevokeButton({ share, onRevoke }: { share: Share; onRevoke?: OnRevoke }) {
  if (onRevoke === undefined) return null;
  return (
    <Button size="xs" className={classes.revoke} onClick={() => onRevoke(share)}>
      Revoke
    </Button>
  );
}
