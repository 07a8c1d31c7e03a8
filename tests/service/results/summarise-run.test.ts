/** Statistics of a run: how much of its draws is in memory at a time. */
import type pg from 'pg';
import type { CopyToStreamQuery } from 'pg-copy-streams';
import { expect, it } from 'vitest';
import { compactDraws } from '../../../src/service/repositories/compact-draws.ts';
import { ensureLayout, insertDraws } from '../../../src/service/repositories/draws.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import { summariseRun } from '../../../src/service/results/summarise-run.ts';
import { startExperiment } from '../../support/objects.ts';
import { seededRng } from '../../support/seeded-rng.ts';
import { createTestService } from '../../support/service.ts';

/** A connection that notes the bytes of the largest answer it gave. */
function measured(client: pg.PoolClient): { db: pg.PoolClient; largest: () => number } {
  let most = 0;
  const ask = async (order: pg.QueryConfig) => {
    const answer = await client.query<Record<string, unknown>>(order);
    let bytes = 0;
    for (const row of answer.rows)
      for (const value of Object.values(row)) if (Buffer.isBuffer(value)) bytes += value.length;
    most = Math.max(most, bytes);
    return answer;
  };
  const copy = async function* (order: CopyToStreamQuery) {
    let bytes = 0;
    for await (const chunk of client.query(order)) {
      bytes += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
    most = Math.max(most, bytes);
  };
  const query = (order: pg.QueryConfig | CopyToStreamQuery) =>
    'submit' in order ? copy(order) : ask(order);
  return { db: { query } as unknown as pg.PoolClient, largest: () => most };
}

it('a summary reads a few megabytes at a time, however many variables and draws there are', async () => {
  const service = await createTestService();
  const { pool } = service.database;
  const { short_id } = await startExperiment(service.owner.client);
  const experimentId = (await findObject(pool, short_id))?.id ?? 0;
  const names = Array.from({ length: 30 }, (_, i) => `x[${i + 1}]`);
  const layoutId = await ensureLayout(
    pool,
    experimentId,
    names.map((name) => ({ name })),
  );
  const random = seededRng(7);
  const count = 10_000;
  const values = Float64Array.from({ length: count * names.length }, () => random.uniform());
  for (const chain of [1, 2])
    for (let part = 0; part < 4; part++)
      await insertDraws(pool, {
        experimentId,
        chain,
        phase: 'sampling',
        layoutId,
        firstIteration: part * count + 1,
        count,
        values,
      });
  const client = await pool.connect();
  const { db, largest } = measured(client);
  await compactDraws(db, experimentId);
  const found = await summariseRun(db, { experimentId, revision: '1', chains: [] });
  expect(found).toMatchObject({ numVariables: 30, numSamples: 40_000, numChains: 2 });
  const sum = values.subarray(0, count).reduce((total, value) => total + value, 0);
  expect(found.summary.variables[0].mean).toBeCloseTo(sum / count, 10);
  expect(largest()).toBeGreaterThan(2 ** 20);
  expect(largest()).toBeLessThanOrEqual(4 * 2 ** 20);
  client.release();
  await service.close();
});
