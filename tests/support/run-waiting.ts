/** Waits for a run to reach a state, by polling its row. */
import type { Executor } from '../../src/service/repositories/database.ts';
import {
  type ExperimentRow,
  findExperimentById,
} from '../../src/service/repositories/experiments.ts';
import { BRIEFLY, createPauses } from './pauses.ts';

/** The experiment as soon as `isReached` is true; the test's own time limit bounds the wait. */
export async function waitForRun(
  db: Executor,
  id: number,
  isReached: (experiment: ExperimentRow) => boolean = isEnded,
): Promise<ExperimentRow> {
  const pause = createPauses(BRIEFLY);
  for (;;) {
    const experiment = await findExperimentById(db, id);
    if (experiment !== null && isReached(experiment)) return experiment;
    if (experiment !== null && isEnded(experiment)) {
      throw new Error(
        `the run ended first: ${experiment.status} ${JSON.stringify(experiment.meta)}`,
      );
    }
    await pause();
  }
}

function isEnded({ status }: ExperimentRow): boolean {
  return status === 'FIN' || status === 'ERR';
}
