/** The progress of an upload. */
import { Progress } from '@mantine/core';
import { formatBytes } from '../../ui/numbers.ts';
import classes from './data.module.css';

/** How much of an upload has been sent; also as text, for users who cannot see the bar. */
export function Sent({ progress }: { progress: { sent: number; total: number } | null }) {
  if (progress === null || progress.total === 0)
    return <p className={classes.uploading}>Sending…</p>;
  const { sent, total } = progress;
  return (
    <div className={classes.sent}>
      <Progress
        value={(100 * sent) / total}
        aria-label="Sent"
        aria-valuetext={`${formatBytes(sent)} of ${formatBytes(total)}`}
      />
      <span>
        {sent < total
          ? `${formatBytes(sent)} of ${formatBytes(total)}`
          : `${formatBytes(total)} sent; the server is storing it…`}
      </span>
    </div>
  );
}
