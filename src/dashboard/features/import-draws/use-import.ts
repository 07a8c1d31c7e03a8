/** Sends files of draws and says how far it is. */
import { useEffect, useRef, useState } from 'react';
import { expectKind } from '../../../client/expect-kind.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { type PickedFile, wireText } from './picked-files.ts';

export interface ImportOrder {
  readonly name: string;
  readonly files: readonly PickedFile[];
  readonly addresses: readonly string[];
  /** Ours takes the names of files along, for its messages. */
  readonly withNames: boolean;
}

export type ImportState =
  | { readonly step: 'idle' }
  /** Bytes of the request; `total` 0: not known yet. */
  | { readonly step: 'sending'; readonly sent: number; readonly total: number }
  /** All is sent; the server reads. */
  | { readonly step: 'reading' }
  | { readonly step: 'failed'; readonly message: string };

export function useImport(onImported: (experimentId: string) => void) {
  const [sent, setSent] = useState<{ sent: number; total: number }>(nothingSent);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const send = useAction(
    async (client, { name, files, addresses, withNames }: ImportOrder) => {
      const mine = new AbortController();
      abort.current = mine;
      setSent(nothingSent);
      const type = files.find((file) => file.type !== null)?.type ?? null;
      const payload = {
        object_type: 'experiment' as const,
        name,
        data_files: files.map(wireText),
        data_uris: [...addresses],
        // A table of draws has no name in the API: the server recognises it.
        data_file_type: type === 'draws csv' ? null : type,
        ...(withNames && files.length > 0
          ? { meta: { file_names: files.map((file) => file.name) } }
          : {}),
      };
      const made = await client.createObject({
        body: { payload },
        signal: mine.signal,
        onUpload: (done, total) => setSent({ sent: done, total }),
      });
      onImported(expectKind(made, 'experiment').short_id);
    },
    { changes: [objectKeys('experiment').all] },
  );
  return {
    state: stateOf(send, sent),
    start: send.run,
    cancel: () => abort.current?.abort(),
    forget: send.reset,
  };
}

const nothingSent = { sent: 0, total: 0 };

function stateOf(
  { isBusy, problem }: { isBusy: boolean; problem: string | null },
  { sent, total }: { sent: number; total: number },
): ImportState {
  if (problem !== null) return { step: 'failed', message: problem };
  if (!isBusy) return { step: 'idle' };
  return total > 0 && sent >= total ? { step: 'reading' } : { step: 'sending', sent, total };
}
