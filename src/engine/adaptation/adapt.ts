/** What warmup learns from one transition. */

import type { ChainSettings, ChainState } from '../chain-state.ts';
import { setInvMetric } from '../hmc/metric.ts';
import { averagedStepSize, learnStepSize } from './dual-averaging.ts';
import { addPoint, type FisherSample, forgetAll, forgetOlder, learnMetric } from './fisher.ts';
import type { FisherSchedule } from './fisher-schedule.ts';
import { isInMetricWindow, isWindowEnd, type WarmupSchedule } from './warmup-schedule.ts';
import { addDraw, estimateInvMetric, restartWelford } from './welford.ts';

/** Stan's windows, or the windows of the other adaptation. */
export type AdaptationSchedule =
  | { readonly kind: 'stan'; readonly windows: WarmupSchedule }
  | { readonly kind: 'fisher'; readonly windows: FisherSchedule };

export interface Learned {
  readonly acceptStat: number;
  /** Whether the point carries information about the posterior: that of a trajectory which never moved does not. */
  readonly isInformative: boolean;
}

/** Updates step size and metric of `state` after the transition of its current (warmup) iteration reached its point. */
export function adapt(
  state: ChainState,
  learned: Learned,
  settings: ChainSettings,
  schedule: AdaptationSchedule,
): void {
  state.stepSize = learnStepSize(state.dualAveraging, learned.acceptStat, settings.adaptDelta);
  if (schedule.kind === 'stan') adaptInWindows(state, schedule.windows);
  else if (state.fisher !== null) adaptByFisher(state, state.fisher, learned, schedule.windows);
  const isLast = state.iteration === settings.numWarmup - 1;
  if (isLast) state.stepSize = averagedStepSize(state.dualAveraging);
}

function adaptInWindows(state: ChainState, schedule: WarmupSchedule): void {
  const { iteration, metric, welford } = state;
  if (isInMetricWindow(schedule, iteration)) addDraw(welford, state.point.q);
  if (!isWindowEnd(schedule, iteration) || metric.kind === 'unit') return;
  const estimate = metric.invMetric.slice();
  estimateInvMetric(welford, estimate);
  setInvMetric(metric, estimate);
  restartWelford(welford);
  state.searchStepSize = true;
}

function adaptByFisher(
  state: ChainState,
  sample: FisherSample,
  { isInformative }: Learned,
  { windowEnds, fixedFrom }: FisherSchedule,
): void {
  const { iteration, metric } = state;
  if (iteration >= fixedFrom) return;
  if (isInformative) addPoint(sample, metric, state.point);
  const isEnd = windowEnds.includes(iteration);
  if (isEnd) forgetOlder(sample, metric);
  const isLast = iteration === fixedFrom - 1;
  learnMetric(sample, metric, isEnd || isLast);
  if (isLast) forgetAll(sample);
}
