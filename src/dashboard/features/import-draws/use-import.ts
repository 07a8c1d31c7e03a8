/** Sends files of draws and says how far it is. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';
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
  const client = useClient();
  const queryClient = useQueryClient();
  const [state, setState] = useState<ImportState>({ step: 'idle' });
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const start = async ({ name, files, addresses, withNames }: ImportOrder) => {
    const mine = new AbortController();
    abort.current = mine;
    setState({ step: 'sending', sent: 0, total: 0 });
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
    try {
      const made = await client.createObject({
        body: { payload },
        signal: mine.signal,
        onUpload: (sent, total) =>
          setState(sent < total ? { step: 'sending', sent, total } : { step: 'reading' }),
      });
      void queryClient.invalidateQueries({ queryKey: objectKeys('experiment').all });
      onImported(expectKind(made, 'experiment').short_id);
    } catch (error) {
      const { kind, message } = ApiError.from(error);
      setState(kind === 'aborted' ? { step: 'idle' } : { step: 'failed', message });
    }
  };
  return {
    state,
    start,
    cancel: () => abort.current?.abort(),
    forget: () => setState({ step: 'idle' }),
  };
}
