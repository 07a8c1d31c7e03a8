/** What warmup learns from one transition. */

import type { ChainSettings, ChainState } from '../chain-state.ts';
import { setInvMetric } from '../hmc/metric.ts';
import { averagedStepSize, type DualAveraging, learnStepSize } from './dual-averaging.ts';
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

/**
 * With a target this close to 1, a statistic of 1 is hardly above it, so dual averaging lengthens a step that is too
 * short so slowly that a chain far from the posterior does not arrive: after that many smooth transitions the heuristic
 * finds a longer one, as after each of Stan's windows.
 */
const nearlyOne = 0.99;
const smoothTransitions = 10;

const isTooShort = ({ nearOne }: DualAveraging, { adaptDelta }: ChainSettings) =>
  adaptDelta > nearlyOne && nearOne >= smoothTransitions;

/** Updates step size and metric of `state` after the transition of its current (warmup) iteration reached its point. */
export function adapt(
  state: ChainState,
  learned: Learned,
  settings: ChainSettings,
  schedule: AdaptationSchedule,
): void {
  state.stepSize = learnStepSize(state.dualAveraging, learned.acceptStat, settings.adaptDelta);
  if (schedule.kind === 'stan') adaptInWindows(state, schedule.windows);
  else if (state.fisher !== null) {
    const isEnd = adaptByFisher(state, state.fisher, learned, schedule.windows);
    if (isEnd && isTooShort(state.dualAveraging, settings)) state.searchStepSize = true;
  }
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
): boolean {
  const { iteration, metric } = state;
  if (iteration >= fixedFrom) return false;
  if (isInformative) addPoint(sample, metric, state.point);
  const isEnd = windowEnds.includes(iteration);
  if (isEnd) forgetOlder(sample, metric);
  const isLast = iteration === fixedFrom - 1;
  learnMetric(sample, metric, isEnd || isLast);
  if (isLast) forgetAll(sample);
  return isEnd;
}
