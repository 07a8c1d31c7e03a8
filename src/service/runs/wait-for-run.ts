/** Waits until a run has ended, for callers that request the response of `run_sample`. */
import { notFound } from '../http/service-error.ts';
import type { Executor } from '../repositories/database.ts';
import { findExperiment } from '../repositories/experiments.ts';
import { statusToWire } from '../results/experiment-view.ts';

/** Public clients give up a call after a minute; the run itself continues. */
const MAX_WAIT_MS = 55_000;
const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 1000;

/** How it ended: `FIN` or `ERR`; another status if it takes longer than a caller may wait. */
export async function waitForRun(
  db: Executor,
  shortId: string,
  mostMs = MAX_WAIT_MS,
): Promise<string> {
  const until = performance.now() + mostMs;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(LAST_LOOK_MS, pause * 1.5)) {
    const run = await findExperiment(db, shortId);
    if (run === null) throw notFound('The experiment was removed in the meantime.');
    const status = statusToWire(run.status);
    if (status === 'FIN' || status === 'ERR' || performance.now() >= until) return status;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
