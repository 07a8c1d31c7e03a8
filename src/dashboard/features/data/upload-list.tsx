/** Uploads in progress, and failed ones until they are dismissed. */
import { Button } from '@mantine/core';
import { Card } from '../../ui/card.tsx';
import classes from './data.module.css';
import { Sent } from './sent.tsx';
import type { Upload } from './use-uploads.ts';

export interface UploadListProps {
  readonly uploads: readonly Upload[];
  readonly onCancel: (id: number) => void;
  readonly onDismiss: (id: number) => void;
}

export function UploadList({ uploads, onCancel, onDismiss }: UploadListProps) {
  if (uploads.length === 0) return null;
  return (
    <Card as="ul" className={classes.uploads} aria-label="Uploads">
      {uploads.map(({ id, name, state }) => (
        <li key={id}>
          <span className={classes.fileName}>{name}</span>
          {state.kind === 'waiting' && <span className={classes.uploading}>Waiting</span>}
          {state.kind === 'sending' && <Sent progress={state.progress} />}
          {state.kind === 'failed' && (
            <span role="alert" data-bad>
              Not uploaded: {state.message}
            </span>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            aria-label={state.kind === 'failed' ? `Dismiss ${name}` : `Cancel ${name}`}
            onClick={() => (state.kind === 'failed' ? onDismiss(id) : onCancel(id))}
          >
            {state.kind === 'failed' ? 'Dismiss' : 'Cancel'}
          </Button>
        </li>
      ))}
    </Card>
  );
}
