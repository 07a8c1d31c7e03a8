/** Sends files of draws and reports the progress. */
import { useEffect, useRef, useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { ServerConfig } from '../../../contract/system.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { needUploads, type PickedFile, uploadLimits, wireText } from './picked-files.ts';
import { discardUploads, type UploadProgress, uploadFiles } from './upload-files.ts';

export interface ImportOrder {
  readonly name: string;
  readonly files: readonly PickedFile[];
  readonly addresses: readonly string[];
}

export type ImportState =
  | { readonly step: 'idle' }
  /** Bytes of the request; `total` 0: not known yet. */
  | { readonly step: 'sending'; readonly sent: number; readonly total: number }
  /** Piece by piece; null: about to begin. */
  | { readonly step: 'uploading'; readonly progress: UploadProgress | null }
  /** The owner paused it. */
  | { readonly step: 'paused'; readonly progress: UploadProgress | null }
  /** Everything is sent; the server reads. */
  | { readonly step: 'reading' }
  | { readonly step: 'failed'; readonly message: string };

export interface Importing {
  readonly state: ImportState;
  readonly start: (order: ImportOrder) => Promise<boolean>;
  readonly pause: () => void;
  /** Discards what was sent. */
  readonly cancel: () => void;
  readonly forget: () => void;
}

type Sent =
  | { readonly way: 'request'; readonly sent: number; readonly total: number }
  | { readonly way: 'uploads'; readonly progress: UploadProgress | null; readonly isDone: boolean };

const nothingSent: Sent = { way: 'request', sent: 0, total: 0 };

export function useImport(
  config: ServerConfig | null,
  onImported: (experimentId: string) => void,
): Importing {
  const [sent, setSent] = useState<Sent>(nothingSent);
  const [paused, setPaused] = useState<ImportOrder | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const send = useAction(
    async (client, order: ImportOrder) => {
      const mine = new AbortController();
      abort.current = mine;
      setPaused(null);
      const made = await createImport(client, order, {
        config,
        signal: mine.signal,
        onSent: setSent,
      });
      onImported(made);
    },
    { changes: [objectKeys('experiment').all] },
  );
  const discard = useAction((client, files: readonly PickedFile[]) =>
    discardUploads(client, files),
  );
  const isUpload = sent.way === 'uploads' && !sent.isDone;
  return {
    state:
      paused !== null && isUpload
        ? { step: 'paused', progress: sent.progress }
        : stateOf(send, sent),
    start: send.run,
    pause() {
      abort.current?.abort();
      setPaused(send.input ?? null);
    },
    cancel() {
      abort.current?.abort();
      setPaused(null);
      const files = (paused ?? send.input)?.files ?? [];
      if (isUpload) void discard.run(files);
    },
    forget: send.reset,
  };
}

interface CreateOptions {
  readonly config: ServerConfig | null;
  readonly signal: AbortSignal;
  readonly onSent: (sent: Sent) => void;
}

/** The id of the experiment. */
async function createImport(
  client: Client,
  { name, files, addresses }: ImportOrder,
  { config, signal, onSent }: CreateOptions,
): Promise<string> {
  const type = files.find((file) => file.type !== null)?.type ?? null;
  const limits = needUploads(files, config) ? uploadLimits(config) : null;
  onSent(limits === null ? nothingSent : { way: 'uploads', progress: null, isDone: false });
  // Our server also accepts the names of files, for its messages.
  const isNamed = (config?.capabilities.length ?? 0) > 0 && files.length > 0;
  const sentFiles =
    limits === null
      ? {
          data_files: await Promise.all(files.map(wireText)),
          ...(isNamed ? { meta: { file_names: files.map((file) => file.name) } } : {}),
        }
      : {
          data_uploads: await uploadFiles(client, files, {
            limits,
            signal,
            onProgress: (progress) => onSent({ way: 'uploads', progress, isDone: false }),
          }),
        };
  if (limits !== null) onSent({ way: 'uploads', progress: null, isDone: true });
  const payload = {
    object_type: 'experiment' as const,
    name,
    data_uris: [...addresses],
    // A table of draws has no name in the API: the server recognises it.
    data_file_type: type === 'draws csv' || type === null ? null : type,
    ...sentFiles,
  };
  const made = await client.createObject({
    body: { payload },
    signal,
    ...(limits === null
      ? { onUpload: (sent, total) => onSent({ way: 'request', sent, total }) }
      : {}),
  });
  return expectKind(made, 'experiment').short_id;
}

function stateOf(
  { isBusy, problem }: { isBusy: boolean; problem: string | null },
  sent: Sent,
): ImportState {
  if (problem !== null) return { step: 'failed', message: problem };
  if (!isBusy) return { step: 'idle' };
  if (sent.way === 'uploads')
    return sent.isDone ? { step: 'reading' } : { step: 'uploading', progress: sent.progress };
  return sent.total > 0 && sent.sent >= sent.total
    ? { step: 'reading' }
    : { step: 'sending', sent: sent.sent, total: sent.total };
}
