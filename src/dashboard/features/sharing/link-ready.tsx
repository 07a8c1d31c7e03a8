/** The link of a share that was created or changed, and its password, for copying. */
import { Button } from '@mantine/core';
import type { Share } from '../../../contract/share.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { CopyLine } from './copy-line.tsx';
import { LoopbackNote } from './loopback-note.tsx';
import { shareLink } from './queries.ts';
import classes from './sharing.module.css';

export interface LinkReadyProps {
  readonly share: Share;
  readonly message: string;
  /** Empty: none, or unchanged. */
  readonly password: string;
  readonly onClose: () => void;
}

export function LinkReady({ share, message, password, onClose }: LinkReadyProps) {
  const link = shareLink(window.location.origin, share.experiment_id, share.short_id);
  return (
    <>
      <p role="status" className={classes.object}>
        {message}
      </p>
      <CopyLine label="Link" value={link} autoFocus />
      {password !== '' && <CopyLine label="Password, shown here only" value={password} />}
      <LoopbackNote />
      <FormActions end>
        <Button variant="filled" onClick={onClose}>
          Done
        </Button>
      </FormActions>
    </>
  );
}
