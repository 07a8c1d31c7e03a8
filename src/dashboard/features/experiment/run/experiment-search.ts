/** The search parameters of an experiment page; separate from the page, so that the route stays light. */
import * as z from 'zod/mini';
import { textSearch } from '../../../ui/list-search.ts';
import { type IntervalChoice, intervalChoices } from './interval-choice.ts';
import type { VariableOrder } from './variable-groups.ts';

export const experimentTabs = [
  'calibration',
  'traces',
  'summary',
  'posterior',
  'predictive',
  'diagnostics',
  'pairs',
  'logs',
  'run',
  'files',
  'share',
] as const;
export type ExperimentTab = (typeof experimentTabs)[number];
/** Tabs that the viewer of a share does not get. */
export const ownersTabs: readonly ExperimentTab[] = ['logs', 'run', 'share'];

export const posteriorViews = ['forest', 'density', 'histogram', 'ecdf'] as const;
export type PosteriorView = (typeof posteriorViews)[number];
/** What the trace cards show: the draws, or their running mean. */
export const traceViews = ['draws', 'mean'] as const;
export type TraceView = (typeof traceViews)[number];
export type ChainsShown = 'apart' | 'together';
/** Sampler plots that a failed check links to. */
export const samplerPlots = ['energy', 'treedepth', 'divergences'] as const;
export type SamplerPlot = (typeof samplerPlots)[number];

export type SummaryColumnKey =
  | 'mean'
  | 'mcse_mean'
  | 'sd'
  | 'median'
  | 'mad'
  | 'q5'
  | 'q25'
  | 'q75'
  | 'q95'
  | 'low'
  | 'high'
  | 'rhat'
  | 'ess_bulk'
  | 'ess_tail'
  | 'ess_rate';

/** `worst` sorts by the largest R-hat first; a minus reverses the order. */
export type SummarySort = SummaryColumnKey | `-${SummaryColumnKey}` | 'model' | 'worst';

/** The page's state in the address. */
export interface ExperimentSearch {
  readonly tab: ExperimentTab;
  readonly q: string;
  readonly order: VariableOrder;
  readonly sort: SummarySort;
  readonly selected: string;
  /** Variables to plot, as `chosen-variables.ts` writes them; empty = the page's initial choice. */
  readonly vars: readonly string[];
  readonly trace: TraceView;
  readonly view: PosteriorView;
  /** Chains pooled in one curve or separate; empty = the view's default. */
  readonly chains: ChainsShown | '';
  /** What the predictive checks show, as `predictive-choice.ts` writes it; empty = automatic. */
  readonly checks: string;
  /** Variables of the pairs plot; empty = the first. */
  readonly pairs: readonly string[];
  /** Variables that traces and pairs show on a different scale: "log tau". */
  readonly scales: readonly string[];
  readonly interval: IntervalChoice;
  /** Columns chosen for the summary; empty = the default ones. */
  readonly columns: readonly string[];
  /** Plot to bring into view. */
  readonly at: SamplerPlot | '';
  /** Log: byte where the linked line begins; 0 = none. */
  readonly line: number;
  readonly stream: 'stdlog' | 'platform' | '';
}

const sorts =
  /^(model|worst|-?(mean|mcse_mean|sd|median|mad|q5|q25|q75|q95|low|high|rhat|ess_bulk|ess_tail|ess_rate))$/;

const names = z.catch(z._default(z.readonly(z.array(z.string())), []), []);

/** The schema of both the owner's page and the snapshot; each has its own first tab. A bad value falls back. */
export function experimentSearchSchema(tab: ExperimentTab) {
  return z.object({
    tab: z.catch(z._default(z.enum(experimentTabs), tab), tab),
    q: textSearch,
    order: z.catch(z._default(z.enum(['worst', 'model']), 'worst'), 'worst'),
    sort: z.catch(z._default(z.custom<SummarySort>(isSort), 'model'), 'model'),
    selected: textSearch,
    vars: names,
    trace: z.catch(z._default(z.enum(traceViews), 'draws'), 'draws'),
    view: z.catch(z._default(z.enum(posteriorViews), 'forest'), 'forest'),
    chains: z.catch(z._default(z.enum(['apart', 'together', '']), ''), ''),
    checks: textSearch,
    pairs: names,
    scales: names,
    interval: z.catch(z._default(z.enum(intervalChoices), '90'), '90'),
    columns: names,
    at: z.catch(z._default(z.enum(['', ...samplerPlots]), ''), ''),
    line: z.catch(z._default(z.int().check(z.gte(0)), 0), 0),
    stream: z.catch(z._default(z.enum(['stdlog', 'platform', '']), ''), ''),
  });
}

function isSort(value: unknown): boolean {
  return typeof value === 'string' && sorts.test(value);
}
