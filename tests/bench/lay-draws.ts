/** Draws that no sampler made, for measurements of what shows or summarises them. */
import type pg from 'pg';
import { insertChains } from '../../src/service/repositories/chains.ts';
import { execute, inTransaction, sql } from '../../src/service/repositories/database.ts';
import { ensureLayout, insertDraws } from '../../src/service/repositories/draws.ts';
import {
  insertExperiment,
  touchDraws,
  updateExperiment,
} from '../../src/service/repositories/experiments.ts';
import { seededRng } from '../support/seeded-rng.ts';

/** A finished experiment of four chains whose variables are noise. */
export async function layDraws(
  pool: pg.Pool,
  { name, variables, draws }: { name: string; variables: number; draws: number },
): Promise<string> {
  const rng = seededRng(1);
  // finished from the beginning: the service's worker would claim waiting chains
  const run = { ownerId: 1, name, status: 'FIN' } as const;
  const { id, short_id: shortId } = await insertExperiment(pool, run);
  await inTransaction(pool, async (tx) => {
    await insertChains(tx, id, { count: 4, iterations: draws });
    await execute(
      tx,
      sql`update experiment_chains set state = 'done', saved_samples = ${draws}, iteration = ${draws} where experiment_id = ${id}`,
    );
  });
  const columns = Array.from({ length: variables }, (_, i) => ({ name: `x[${i + 1}]` }));
  const layoutId = await ensureLayout(pool, id, columns);
  const step = Math.min(draws, Math.max(1, Math.floor(1_000_000 / variables)));
  for (let chain = 1; chain <= 4; chain++) {
    for (let at = 0; at < draws; at += step) {
      const count = Math.min(step, draws - at);
      const values = new Float64Array(variables * count).map(() => rng.normal());
      const batch = { experimentId: id, chain, phase: 'sampling' as const, layoutId };
      await insertDraws(pool, { ...batch, firstIteration: at + 1, count, values });
    }
  }
  await updateExperiment(pool, id, {
    status: 'FIN',
    numChains: 4,
    numVariables: variables,
    numSamples: draws,
  });
  await touchDraws(pool, id);
  return shortId;
}
