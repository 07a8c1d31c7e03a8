/** The headline of a run on every page: the verdict the server sent, or why there is none. Nothing is judged here. */
import type { Experiment, VerdictInfo } from '../../../contract/experiment.ts';
import { headlineOf } from '../../../posterior/verdict-label.ts';
import { isFailed } from './is-failed.ts';

export interface RunVerdict {
  readonly tone: VerdictInfo['state'];
  /** "33 divergences; 4 checks failed", "Too early to tell". */
  readonly headline: string;
  /** Null while there is none, or when the run failed. */
  readonly verdict: VerdictInfo | null;
}

/** A run with these statuses changes by itself. */
const isUnderWay = (status: string) => status === 'RUN' || status === 'SAMPLE_FIN';

/**
 * `computed`: the verdict on the available draws, for servers that send none with the experiment. Null when nothing is
 * known: such a server's run in a list.
 */
export function runVerdict(
  experiment: Pick<Experiment, 'status' | 'meta' | 'n_samples'>,
  computed: VerdictInfo | null = null,
): RunVerdict | null {
  const { status, meta } = experiment;
  if (isFailed(experiment))
    return { tone: 'bad', headline: failureOf(experiment)?.title ?? 'Failed', verdict: null };
  if (isUnderWay(status)) return { tone: 'unknown', headline: 'Too early to tell', verdict: null };
  if (status === 'NEW') return { tone: 'unknown', headline: 'Not run yet', verdict: null };
  const verdict = meta?.verdict ?? computed;
  if (verdict !== null) return { tone: verdict.state, headline: headlineOf(verdict), verdict };
  if (experiment.n_samples > 0) return null;
  return { tone: 'unknown', headline: 'No verdict: the run has no draws', verdict: null };
}

/** Characters that still read as one sentence. */
const shortReason = 120;

export interface Failure {
  /** What happened. */
  readonly title: string;
  /** Why, and what to do; empty when the title says everything. */
  readonly reason: string;
  /** Lines below the message: a stack, a listing. */
  readonly rest: readonly string[];
}

/** Null when the server does not say why. */
export function failureOf({ meta }: Pick<Experiment, 'meta'>): Failure | null {
  const message = meta?.error?.message;
  if (!message) return null;
  const [whole = '', ...rest] = message.split('\n');
  const parts = whole.length > shortReason ? /^(.{10,}?[.:])\s+(\S.*)$/.exec(whole) : null;
  if (parts === null) return { title: whole, reason: '', rest };
  const [, first = '', reason = ''] = parts;
  return { title: first.replace(/:$/, '.'), reason, rest };
}
