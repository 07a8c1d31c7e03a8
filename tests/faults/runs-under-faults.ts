/** What tests of faults share: a run that prints and draws the same each time, and which workers run it. */

import type pg from 'pg';
import { expect } from 'vitest';
import {
  type RunView,
  readRunDraws,
  readRunLog,
  type ServedAccess,
  untilRun,
} from '../support/served-runs.ts';
import { eightSchools } from '../support/service-objects.ts';

/**
 * Prints now and then, so that a lost or duplicated line shows; seldom enough to stay below the 200 lines stored
 * per chain, however fast the machine is.
 */
export const sayingProgram = {
  ...eightSchools,
  source: `${eightSchools.source}generated quantities { if (mu > 11.5) print("mu ", mu); }\n`,
};

export const settingsFor = (samples: number, chains = 2) =>
  `sampling: {seed: 20, num_chains: ${chains}, num_warmup: 300, num_samples: ${samples}}`;

export interface RunRecord {
  readonly draws: Awaited<ReturnType<typeof readRunDraws>>;
  /** In order of their text: chains write at the same time. */
  readonly lines: readonly string[];
}

export async function readRun(served: ServedAccess, id: string): Promise<RunRecord> {
  const log = await readRunLog(served, id);
  return { draws: await readRunDraws(served, id), lines: log.trimEnd().split('\n').sort() };
}

const doneOf = (run: RunView) => run.meta.progress?.done ?? 0;

/** Waits until the run has made about `count` more draws. */
export async function untilMore(served: ServedAccess, id: string, count: number): Promise<void> {
  const before = doneOf(await untilRun(served, id, () => true));
  await untilRun(served, id, (run) => doneOf(run) >= before + count);
}

export function expectSame(run: RunRecord, undisturbed: RunRecord): void {
  expect(undisturbed.draws.columns.length).toBeGreaterThan(20);
  expect(undisturbed.lines.length).toBeGreaterThan(20);
  expect(run.lines).toEqual(undisturbed.lines);
  expect(run.draws).toEqual(undisturbed.draws);
}

/** Polls; the only time limit is the test's own. */
export async function until(isReached: () => Promise<boolean>): Promise<void> {
  while (!(await isReached())) await new Promise((resolve) => setTimeout(resolve, 25));
}

interface Held {
  readonly worker: number | null;
  readonly state: string;
}

export async function chainsOf(pool: pg.Pool, shortId: string): Promise<Held[]> {
  const { rows } = await pool.query<Held>(
    `select c.worker_id as worker, c.state from experiment_chains c join objects o on o.id = c.experiment_id
     where o.short_id = $1 order by c.chain`,
    [shortId],
  );
  return rows;
}

/** Prints one figure of a test, for someone running it by hand. */
export function note(text: string): void {
  process.stdout.write(`  ${text}\n`);
}

export const secondsSince = (at: number) => `${((performance.now() - at) / 1000).toFixed(1)} s`;
