/** The progress of sending the files. */
import { Progress } from '@mantine/core';
import { formatBytesOf, timeLeft } from '../../../shared/byte-counts.ts';
import { Note } from '../../ui/note.tsx';
import type { PickedFile } from './picked-files.ts';
import type { UploadProgress } from './upload-files.ts';
import type { ImportState } from './use-import.ts';

export interface SendStateProps {
  readonly state: ImportState;
  readonly files: readonly PickedFile[];
}

export function SendState({ state, files }: SendStateProps) {
  switch (state.step) {
    case 'reading':
      return <Note aria-live="polite">Sent. The server is reading the draws…</Note>;
    case 'sending':
      return <SentBar sent={state.sent} total={state.total} />;
    case 'uploading':
    case 'paused':
      return <UploadState {...state} files={files} />;
    default:
      return null;
  }
}

function SentBar({ sent, total }: { readonly sent: number; readonly total: number }) {
  return (
    <div>
      <Progress value={percent(sent, total)} aria-label="Sent" />
      <Note>{total === 0 ? 'Sending…' : `Sent ${formatBytesOf(sent, total)}`}</Note>
    </div>
  );
}

function UploadState({
  step,
  progress,
  files,
}: {
  readonly step: 'uploading' | 'paused';
  readonly progress: UploadProgress | null;
  readonly files: readonly PickedFile[];
}) {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const sent = progress === null ? 0 : sentOf(progress);
  return (
    <div>
      <Progress value={percent(sent, total)} aria-label="Uploaded" />
      <Note>
        Uploaded {formatBytesOf(sent, total)}
        {step === 'uploading' && progress?.waiting === null && leftText(progress, total)}
      </Note>
      <Note aria-live="polite">{hintOf(step, progress)}</Note>
    </div>
  );
}

function hintOf(step: 'uploading' | 'paused', progress: UploadProgress | null): string {
  if (step === 'paused')
    return 'Paused. What was sent is kept for a day, even if this page is closed.';
  const waiting = progress?.waiting ?? null;
  return waiting === null ? '' : `${waiting} Trying again; what was sent is safe.`;
}

function leftText(progress: UploadProgress, total: number): string {
  const { before, since } = progress;
  const seconds = (performance.now() - since) / 1000;
  const text = timeLeft(sentOf(progress) - before, total - before, seconds);
  return text === '' ? '' : `, about ${text}`;
}

const sentOf = ({ sent }: UploadProgress): number =>
  [...sent.values()].reduce((sum, bytes) => sum + bytes, 0);

const percent = (done: number, total: number): number => (total === 0 ? 0 : (100 * done) / total);
