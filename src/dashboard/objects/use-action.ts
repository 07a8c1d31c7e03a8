/** Writing: the one way to run a change, to report why it failed, and to invalidate what it changed. */
import {
  hashKey,
  type MutationFunction,
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/create-client.ts';
import { showToast } from '../ui/toasts.tsx';
import { useClient } from './use-client.ts';

export interface ActionOptions<Input, Result> {
  /** Text of a toast before the reason of a failure. Absent: the caller shows `problem`. */
  readonly failed?: string | ((input: Input) => string);
  /** Keys that become stale when it succeeds. */
  readonly changes?: readonly QueryKey[];
  /** After it succeeded and what it changed has been fetched again. */
  readonly onDone?: (result: Result, input: Input) => unknown;
}

export interface Action<Input> {
  /** Never rejects: returns whether it succeeded. The same input while it runs, as from a double click, runs once. */
  readonly run: (input: Input) => Promise<boolean>;
  readonly isBusy: boolean;
  /** Why the last run failed, unless it was stopped; null once the next run starts. */
  readonly error: ApiError | null;
  /** The message of `error`. */
  readonly problem: string | null;
  /** The input of the last run. */
  readonly input: Input | undefined;
  /** Forgets how the last run ended. */
  readonly reset: () => void;
}

export function useAction<Input = void, Result = unknown>(
  act: (client: Client, input: Input) => Promise<Result>,
  { failed, changes = [], onDone }: ActionOptions<Input, Result> = {},
): Action<Input> {
  const client = useClient();
  const queryClient = useQueryClient();
  const mutation = useMutation<Result, unknown, Input>({
    mutationFn: (input) => act(client, input),
    onSuccess: async (result, input) => {
      await makeStale(queryClient, changes);
      await onDone?.(result, input);
    },
    onError: (error, input) => {
      if (failed === undefined) return;
      showFailure(typeof failed === 'string' ? failed : failed(input), error);
    },
  });
  const failure = mutation.error === null ? null : ApiError.from(mutation.error);
  const error = failure?.kind === 'aborted' ? null : failure;
  // The page renders again only after the second click of a double click, so `isBusy` comes too late for it.
  const running = useRef(new Map<string, Promise<boolean>>());
  const run = (input: Input): Promise<boolean> => {
    const key = hashKey([input]);
    const before = running.current.get(key);
    if (before !== undefined) return before;
    const ended = mutation
      .mutateAsync(input)
      .then(
        () => true,
        () => false,
      )
      .finally(() => running.current.delete(key));
    running.current.set(key, ended);
    return ended;
  };
  return {
    run,
    isBusy: mutation.isPending,
    error,
    problem: error?.message ?? null,
    input: mutation.variables,
    reset: mutation.reset,
  };
}

/** Writes when no component waits for it, such as an undo or a save by key; rejects with why it failed. */
export function runAction<Result>(
  queryClient: QueryClient,
  act: MutationFunction<Result, void>,
  changes: readonly QueryKey[] = [],
): Promise<Result> {
  const onSuccess = () => makeStale(queryClient, changes);
  return queryClient
    .getMutationCache()
    .build<Result, unknown, void, unknown>(queryClient, { mutationFn: act, onSuccess })
    .execute();
}

function makeStale(queryClient: QueryClient, keys: readonly QueryKey[]): Promise<unknown> {
  return Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

export function showFailure(failed: string, error: unknown): void {
  const { kind, message } = ApiError.from(error);
  if (kind !== 'aborted') showToast({ message: `${failed}: ${message}`, tone: 'bad' });
}
