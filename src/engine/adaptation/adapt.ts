/** What warmup learns from one transition. */

import type { ChainSettings, ChainState } from '../chain-state.ts';
import { setInvMetric } from '../hmc/metric.ts';
import { averagedStepSize, learnStepSize } from './dual-averaging.ts';
import { isInMetricWindow, isWindowEnd, type WarmupSchedule } from './warmup-schedule.ts';
import { addDraw, estimateInvMetric, restartWelford } from './welford.ts';

/** Updates step size and metric of `state` after the transition of its current (warmup) iteration reached its point. */
export function adapt(
  state: ChainState,
  acceptStat: number,
  settings: ChainSettings,
  schedule: WarmupSchedule,
): void {
  const { iteration, metric, welford } = state;
  state.stepSize = learnStepSize(state.dualAveraging, acceptStat, settings.adaptDelta);
  if (isInMetricWindow(schedule, iteration)) addDraw(welford, state.point.q);
  if (isWindowEnd(schedule, iteration) && metric.kind !== 'unit') {
    const estimate = metric.invMetric.slice();
    estimateInvMetric(welford, estimate);
    setInvMetric(metric, estimate);
    restartWelford(welford);
    state.searchStepSize = true;
  }
  if (iteration === settings.numWarmup - 1) state.stepSize = averagedStepSize(state.dualAveraging);
}
