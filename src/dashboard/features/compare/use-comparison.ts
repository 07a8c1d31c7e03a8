/** Asks a worker for statistics over draws; returns the answer to the last question. */
import { useEffect, useState } from 'react';
import { buffersIn, copyArrays } from '../../threads/buffers.ts';
import { askOnce } from '../../threads/call-worker.ts';
import type { CompareAnswer, CompareQuestion } from './compare-statistics.ts';

export interface Comparison {
  readonly answer: CompareAnswer | null;
  readonly error: string | null;
}

const nothing: Comparison = { answer: null, error: null };

/** `question`: must be the same object while nothing changes; null = nothing to ask yet. */
export function useComparison(question: CompareQuestion | null): Comparison {
  const [state, setState] = useState<Comparison & { of: CompareQuestion | null }>({
    ...nothing,
    of: null,
  });
  useEffect(() => {
    if (question === null) return;
    const control = new AbortController();
    ask(question, control.signal).then(
      (answer) => control.signal.aborted || setState({ answer, error: null, of: question }),
      (thrown: unknown) => {
        const error = thrown instanceof Error ? thrown.message : String(thrown);
        if (!control.signal.aborted) setState({ answer: null, error, of: question });
      },
    );
    return () => control.abort();
  }, [question]);
  return state.of === question && question !== null ? state : nothing;
}

export interface CompareQuestions {
  compare: { ask: CompareQuestion; answer: CompareAnswer };
}

/** Runs in a separate thread; fails once aborted. */
async function ask(question: CompareQuestion, signal: AbortSignal): Promise<CompareAnswer> {
  const copied = await copyArrays(question);
  return askOnce<CompareQuestions, 'compare'>(
    {
      make: () => new Worker(new URL('./compare-worker.ts', import.meta.url), { type: 'module' }),
      local: async () => ({
        compare: (await import('./compare-statistics.ts')).answerComparison,
      }),
      ended: 'The statistics worker stopped.',
    },
    'compare',
    { ask: copied, transfer: buffersIn(copied), signal },
  );
}
