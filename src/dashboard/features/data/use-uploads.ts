/** Uploads several files, one after another: the progress of each, why one failed, and cancelling one. */

import { useQueryClient } from '@tanstack/react-query';
import { useReducer, useRef } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Data } from '../../../contract/data.ts';
import { limits } from '../../../contract/limits.ts';
import { runAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { formatBytes } from '../../ui/numbers.ts';
import { refuseBrokenJson } from './check-given.ts';
import { createData } from './send-data.ts';

export interface GivenFile {
  /** With its folders, if it was in any. */
  readonly name: string;
  readonly file: File;
}

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly state:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'sending'; readonly progress: { sent: number; total: number } | null }
    | { readonly kind: 'failed'; readonly message: string };
}

type Change =
  | { readonly add: readonly Upload[] }
  | { readonly id: number; readonly state: Upload['state'] }
  | { readonly drop: number };

function reduce(uploads: readonly Upload[], change: Change): readonly Upload[] {
  if ('add' in change) return [...uploads, ...change.add];
  if ('drop' in change) return uploads.filter(({ id }) => id !== change.drop);
  return uploads.map((one) => (one.id === change.id ? { ...one, state: change.state } : one));
}

/** A body contains the file as base64, and its name. */
const largestFile = Math.floor((limits.body_bytes - 4096) * 0.75);

/** `onMade`: called for each object; `isOnly`: it was the only file. Finished uploads leave the list, failed ones stay. */
export function useUploads(onMade: (made: Data, isOnly: boolean) => Promise<void>) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [uploads, dispatch] = useReducer(reduce, []);
  const running = useRef(new Map<number, AbortController>());
  const nextId = useRef(1);

  const send = async (id: number, { name, file }: GivenFile, isOnly: boolean) => {
    const controller = running.current.get(id);
    // It was removed from the list while it waited.
    if (controller === undefined) return;
    const fail = (message: string) => dispatch({ id, state: { kind: 'failed', message } });
    if (file.size > largestFile) {
      fail(`The file is ${formatBytes(file.size)}; the limit is ${formatBytes(largestFile)}.`);
      return;
    }
    dispatch({ id, state: { kind: 'sending', progress: null } });
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const source = { kind: 'bytes' as const, bytes };
      await refuseBrokenJson(name, source);
      const sending = {
        signal: controller.signal,
        onUpload: (sent: number, total: number) =>
          dispatch({ id, state: { kind: 'sending', progress: { sent, total } } }),
      };
      const made = await runAction(queryClient, () =>
        createData(client, name.slice(-255), source, sending),
      );
      dispatch({ drop: id });
      await onMade(made, isOnly);
    } catch (error) {
      const problem = ApiError.from(error);
      if (problem.kind === 'aborted') dispatch({ drop: id });
      else fail(problem.message);
    } finally {
      running.current.delete(id);
    }
  };

  return {
    uploads,
    start: async (files: readonly GivenFile[]) => {
      const added = files.map((given) => ({ id: nextId.current++, given }));
      for (const { id } of added) running.current.set(id, new AbortController());
      dispatch({
        add: added.map(({ id, given: { name } }) => ({ id, name, state: { kind: 'waiting' } })),
      });
      for (const { id, given } of added) await send(id, given, files.length === 1);
    },
    cancel: (id: number) => {
      running.current.get(id)?.abort();
      running.current.delete(id);
      dispatch({ drop: id });
    },
    dismiss: (id: number) => dispatch({ drop: id }),
  };
}
