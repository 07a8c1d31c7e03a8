import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureOutsideChain } from '../../../src/service/repositories/chains.ts';
import { compactDraws } from '../../../src/service/repositories/compact-draws.ts';
import { inTransaction, select, sql } from '../../../src/service/repositories/database.ts';
import {
  ensureLayout,
  insertDraws,
  listBounds,
  listColumns,
  mergeDraws,
  readDraws,
  removeWarmupDraws,
} from '../../../src/service/repositories/draws.ts';
import { insertExperiment } from '../../../src/service/repositories/experiments.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeUser } from '../../support/service-objects.ts';

let database: TestDatabase;
let ownerId = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  ownerId = (await makeUser(database.pool)).id;
});

const columns = [{ name: 'lp__', sampler: true }, { name: 'a' }, { name: 'b' }];
/** The value every test gives to a column at an iteration. */
const valueAt = (column: number, iteration: number) => column * 1000 + iteration;

function block(first: number, count: number): Float64Array {
  const values = new Float64Array(columns.length * count);
  for (let c = 0; c < columns.length; c++) {
    for (let i = 0; i < count; i++) values[c * count + i] = valueAt(c, first + i);
  }
  return values;
}

async function makeExperiment() {
  const { id } = await insertExperiment(database.pool, { ownerId, name: 'draws' });
  await inTransaction(database.pool, (tx) => ensureOutsideChain(tx, id, 'chain#1'));
  return { id, layoutId: await ensureLayout(database.pool, id, columns) };
}

const batchOf = (experiment: { id: number; layoutId: number }, first: number, count: number) => ({
  experimentId: experiment.id,
  chain: 1,
  phase: 'sampling' as const,
  layoutId: experiment.layoutId,
  firstIteration: first,
  count,
  values: block(first, count),
});

describe('draws', () => {
  it('are returned column by column, limited to the requested iterations', async () => {
    const experiment = await makeExperiment();
    for (const [first, count] of [
      [1, 10],
      [11, 5],
      [16, 20],
    ]) {
      await insertDraws(database.pool, batchOf(experiment, first, count));
    }
    const segments = await readDraws(database.pool, {
      experimentId: experiment.id,
      variables: ['b', 'lp__'],
      from: 8,
      to: 17,
    });
    expect(
      segments.map(({ variable, firstIteration, values }) => ({
        variable,
        firstIteration,
        values: [...values],
      })),
    ).toEqual([
      {
        variable: 'b',
        firstIteration: 8,
        values: Array.from({ length: 10 }, (_, i) => valueAt(2, 8 + i)),
      },
      {
        variable: 'lp__',
        firstIteration: 8,
        values: Array.from({ length: 10 }, (_, i) => valueAt(0, 8 + i)),
      },
    ]);
    expect(
      await readDraws(database.pool, { experimentId: experiment.id, chains: ['chain#9'] }),
    ).toEqual([]);
    expect(await listColumns(database.pool, experiment.id)).toEqual(columns);
    expect(await listBounds(database.pool, experiment.id)).toEqual([
      { chain: 1, name: 'chain#1', warmed_by: null, warmup: 0, sampling: 35 },
    ]);
  });

  it('are the same whether they arrive in one piece or in many, of adjacent columns or not', async () => {
    const experiment = await makeExperiment();
    const counts = [9000, 1, 20_000];
    let first = 1;
    for (const count of counts) {
      await insertDraws(database.pool, batchOf(experiment, first, count));
      first += count;
    }
    const total = first - 1;
    for (const variables of [['a'], ['lp__', 'b'], ['b', 'a'], ['b', 'lp__', 'a']]) {
      const segments = await readDraws(database.pool, { experimentId: experiment.id, variables });
      expect(segments.map(({ variable }) => variable)).toEqual(variables);
      for (const { variable, values } of segments) {
        const column = columns.findIndex(({ name }) => name === variable);
        const expected = Float64Array.from({ length: total }, (_, i) => valueAt(column, i + 1));
        expect(values).toEqual(expected);
      }
    }
  });

  it('keep NaN, infinities and −0 exactly', async () => {
    const experiment = await makeExperiment();
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, -0, 5e-324, Number.MAX_VALUE, -1.5];
    const values = Float64Array.from([...odd, ...odd, ...odd]);
    await insertDraws(database.pool, { ...batchOf(experiment, 1, odd.length), values });
    const [segment] = await readDraws(database.pool, {
      experimentId: experiment.id,
      variables: ['a'],
    });
    expect([...segment.values].every((value, i) => Object.is(value, odd[i]))).toBe(true);
  });

  it('are the same for repeated, overlapping or unordered batches, however they are joined', async () => {
    const range = fc.record({
      first: fc.integer({ min: 1, max: 40 }),
      count: fc.integer({ min: 1, max: 15 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(range, { minLength: 1, maxLength: 8 }), async (ranges) => {
        const experiment = await makeExperiment();
        let added = 0;
        for (const { first, count } of [...ranges, ...ranges]) {
          added += await inTransaction(database.pool, (tx) =>
            mergeDraws(tx, batchOf(experiment, first, count)),
          );
        }
        const covered = new Set(
          ranges.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i)),
        );
        expect(added).toBe(covered.size);
        const read = async () => {
          const segments = await readDraws(database.pool, {
            experimentId: experiment.id,
            variables: ['a'],
          });
          return segments.flatMap(({ firstIteration, values }) =>
            [...values].map((value, i) => ({ iteration: firstIteration + i, value })),
          );
        };
        const expected = [...covered]
          .sort((a, b) => a - b)
          .map((iteration) => ({ iteration, value: valueAt(1, iteration) }));
        expect(await read()).toEqual(expected);
        await compactDraws(database.pool, experiment.id);
        expect(await read()).toEqual(expected);
        const segments = await readDraws(database.pool, {
          experimentId: experiment.id,
          variables: ['a'],
        });
        const rows = await select(
          database.pool,
          sql`select 1 as one from draw_batches where experiment_id = ${experiment.id}`,
        );
        expect(rows).toHaveLength(segments.length);
      }),
      { seed: 7, numRuns: 25 },
    );
  });

  it('of warmup are separate and can be removed', async () => {
    const experiment = await makeExperiment();
    await insertDraws(database.pool, { ...batchOf(experiment, 1, 3), phase: 'warmup' });
    await insertDraws(database.pool, batchOf(experiment, 1, 4));
    const count = async (phase: 'warmup' | 'sampling') =>
      (await readDraws(database.pool, { experimentId: experiment.id, variables: ['a'], phase }))[0]
        ?.values.length ?? 0;
    expect([await count('warmup'), await count('sampling')]).toEqual([3, 4]);
    await removeWarmupDraws(database.pool, experiment.id);
    expect([await count('warmup'), await count('sampling')]).toEqual([0, 4]);
  });
});
