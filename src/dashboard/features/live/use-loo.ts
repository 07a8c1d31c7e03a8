/** Runs leave-one-out in a thread and reports its progress and answer. Stops when unmounted or asked something else. */
import { useEffect, useRef, useState } from 'react';
import { itemAt } from '../../../shared/items.ts';
import { buffersIn, copyArrays } from '../../threads/buffers.ts';
import { askOnce } from '../../threads/call-worker.ts';
import type { LooAnswer, LooModel } from './loo-statistics.ts';

export interface LooQuestions {
  loo: { ask: readonly LooModel[]; answer: LooAnswer };
}

export interface LooState {
  readonly answer: LooAnswer | null;
  /** The newest answer, possibly from earlier draws. */
  readonly last: LooAnswer | null;
  readonly error: string | null;
  /** Number of observations done. */
  readonly done: number;
}

type Models = readonly LooModel[] | null;
type Progress = Pick<LooState, 'answer' | 'error' | 'done'> & { readonly of: Models };

const nothing = { answer: null, error: null, done: 0 };

/**
 * `given`: null if there is nothing to compute yet. One question at a time: draws that arrive in the
 * meanwhile are asked about after its answer, so that a running run cannot starve it.
 */
export function useLoo(given: Models): LooState {
  const models = useSame(given);
  const [state, setState] = useState<Progress>({ ...nothing, of: null });
  const [last, setLast] = useState<LooAnswer | null>(null);
  const newest = useRef(models);
  const current = useRef<AbortController | null>(null);
  useEffect(() => {
    newest.current = models;
    if (models === null) current.current?.abort();
    if (models === null || current.current !== null) return;
    const compute = async (asked: readonly LooModel[]): Promise<void> => {
      const control = new AbortController();
      current.current = control;
      const set = (change: Partial<Progress>) =>
        control.signal.aborted || setState({ ...nothing, ...change, of: asked });
      await ask(asked, control.signal, (done) => set({ done })).then(
        (answer) => {
          set({ answer });
          if (!control.signal.aborted) setLast(answer);
        },
        (thrown: unknown) =>
          set({ error: thrown instanceof Error ? thrown.message : String(thrown) }),
      );
      const next = newest.current;
      if (next !== null && next !== asked) return compute(next);
      current.current = null;
    };
    void compute(models);
  }, [models]);
  useEffect(
    () => () => {
      newest.current = null;
      current.current?.abort();
    },
    [],
  );
  return { ...(state.of === models && models !== null ? state : nothing), last };
}

/** The previous array while it contains the same draws: a page is rendered again for many reasons. */
function useSame(given: Models): Models {
  const [kept, setKept] = useState(given);
  if (kept === given || areSame(kept, given)) return kept;
  setKept(given);
  return given;
}

function areSame(one: Models, other: Models): boolean {
  if (one === null || other === null || one.length !== other.length) return one === other;
  return one.every((model, m) => {
    const { name, matched, logLik } = itemAt(other, m);
    return (
      model.name === name &&
      model.matched === matched &&
      model.logLik.length === logLik.length &&
      model.logLik.every((chains, i) => {
        const others = itemAt(logLik, i);
        return (
          chains.length === others.length &&
          chains.every(({ length }, c) => length === itemAt(others, c).length)
        );
      })
    );
  });
}

async function ask(
  models: readonly LooModel[],
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<LooAnswer> {
  const copied = await copyArrays(models);
  return askOnce<LooQuestions, 'loo'>(
    {
      make: () => new Worker(new URL('./loo-worker.ts', import.meta.url), { type: 'module' }),
      local: async () => ({ loo: (await import('./loo-statistics.ts')).computeLoo }),
      ended: 'The statistics worker stopped.',
    },
    'loo',
    { ask: copied, transfer: buffersIn(copied), signal, onProgress },
  );
}
