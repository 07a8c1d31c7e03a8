/** Asks a worker for statistics over draws; the answer of what was asked last. */
import { useEffect, useState } from 'react';
import type { CompareAnswer, CompareQuestion } from './compare-statistics.ts';

export interface Comparison {
  readonly answer: CompareAnswer | null;
  readonly error: string | null;
}

const nothing: Comparison = { answer: null, error: null };

/** `question`: the same object while nothing changes; null = nothing to ask yet. */
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

/** In a thread of its own; on this one where there are none (tests). No answer once aborted. */
async function ask(question: CompareQuestion, signal: AbortSignal): Promise<CompareAnswer> {
  if (typeof Worker === 'undefined') {
    const { answerComparison } = await import('./compare-statistics.ts');
    return answerComparison(question);
  }
  const worker = new Worker(new URL('./compare-worker.ts', import.meta.url), { type: 'module' });
  signal.addEventListener('abort', () => worker.terminate());
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<CompareAnswer>) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = (event) => {
      worker.terminate();
      reject(new Error(event.message || 'The thread of statistics ended.'));
    };
    worker.postMessage(copied(question));
  });
}

/** The same question whose arrays have memory of their own: a view would be sent with all that is behind it. */
function copied(question: CompareQuestion): CompareQuestion {
  const own = (chains: readonly Float64Array[]) => chains.map((chain) => chain.slice());
  if (question.kind === 'mcse-sd') return { kind: 'mcse-sd', draws: question.draws.map(own) };
  const models = question.models.map(({ name, logLik }) => ({ name, logLik: logLik.map(own) }));
  return { kind: 'loo', models };
}
