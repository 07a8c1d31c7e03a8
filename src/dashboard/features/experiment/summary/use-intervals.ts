/** Ends of intervals missing from the summary, computed from the draws in a worker. */

import { useEffect, useMemo, useState } from 'react';
import { itemAt } from '../../../../shared/items.ts';
import { buffersIn } from '../../../threads/buffers.ts';
import { askOnce } from '../../../threads/call-worker.ts';
import type { DrawsView } from '../../live/draws-store.ts';
import { useDrawsOf } from '../run/figure-variables.ts';
import { type IntervalChoice, isInSummary } from '../run/interval-choice.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import type { IntervalEnds, IntervalQuestion } from './intervals.ts';

/** Maximum number of values fetched for it: 32 MB. */
const mostValues = 4 * 2 ** 20;

export interface ComputedIntervals {
  readonly ends: ReadonlyMap<string, IntervalEnds>;
  /** There are too many variables to fetch their draws for an interval. */
  readonly tooMany: boolean;
}

const noNames: readonly string[] = [];
const noEnds: ReadonlyMap<string, IntervalEnds> = new Map();

export function useIntervals(
  live: LiveExperiment,
  variables: readonly string[],
  choice: IntervalChoice,
): ComputedIntervals {
  const { n_chains, n_samples } = live.experiment;
  const tooMany = !isInSummary(choice) && variables.length * n_chains * n_samples > mostValues;
  const key = isInSummary(choice) || tooMany ? '' : variables.join('\n');
  const names = useMemo(() => (key === '' ? noNames : key.split('\n')), [key]);
  const draws = useDrawsOf(live, names);
  const [found, setFound] = useState<{ of: string; ends: typeof noEnds }>({ of: '', ends: noEnds });
  const asked = `${choice}\n${key}`;
  const { chainNames } = live;
  useEffect(() => {
    if (names.length === 0) return;
    const control = new AbortController();
    const here = names.filter((name) =>
      chainNames.some((chain) => draws.read(name, chain, 'sampling').length > 0),
    );
    const question = {
      choice,
      draws: here.map((name) => pooled(draws, chainNames, name)),
    };
    compute(question, control.signal).then(
      (answer) => {
        if (control.signal.aborted) return;
        setFound({ of: asked, ends: new Map(here.map((name, i) => [name, itemAt(answer, i)])) });
      },
      // Without an answer the ends remain empty.
      () => undefined,
    );
    return () => control.abort();
  }, [names, draws, chainNames, choice, asked]);
  return { ends: found.of === asked ? found.ends : noEnds, tooMany };
}

function pooled(draws: DrawsView, chainNames: readonly string[], name: string): Float64Array {
  const chains = chainNames.map((chain) => draws.read(name, chain, 'sampling'));
  const all = new Float64Array(chains.reduce((sum, chain) => sum + chain.length, 0));
  let at = 0;
  for (const chain of chains) {
    all.set(chain, at);
    at += chain.length;
  }
  return all;
}

export interface IntervalQuestions {
  intervals: { ask: IntervalQuestion; answer: IntervalEnds[] };
}

/** Runs in a separate thread; fails once aborted. */
function compute(question: IntervalQuestion, signal: AbortSignal): Promise<IntervalEnds[]> {
  return askOnce<IntervalQuestions, 'intervals'>(
    {
      make: () => new Worker(new URL('./interval-worker.ts', import.meta.url), { type: 'module' }),
      local: async () => ({ intervals: (await import('./intervals.ts')).intervalsOf }),
      ended: 'The interval worker stopped.',
    },
    'intervals',
    { ask: question, transfer: buffersIn(question), signal },
  );
}
