/** Concurrent requests and results of one workflow's analyses: each waits for the other, none fails. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type ClaimedAnalysis,
  claimAnalysis,
  endAnalysis,
  findAnalysis,
  giveUpAnalysis,
  insertAnalysis,
  insertResult,
} from '../../../src/service/repositories/analyses.ts';
import {
  type Executor,
  execute,
  inTransaction,
  select,
  sql,
} from '../../../src/service/repositories/database.ts';
import { insertObject } from '../../../src/service/repositories/objects.ts';
import { recoverTasks } from '../../../src/service/repositories/tasks.ts';
import { ensureOwner } from '../../../src/service/repositories/users.ts';
import { insertWorkflow } from '../../../src/service/repositories/workflows.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let analysis: { workflowId: number; experimentId: number; analyzerId: string; userId: number };

beforeEach(async () => {
  database = await createTestDatabase();
  const { id: ownerId } = await ensureOwner(database.pool);
  const workflow = await insertWorkflow(database.pool, { ownerId, name: 'w' });
  const experiment = await insertObject(database.pool, { kind: 'experiment', ownerId, name: 'x' });
  analysis = {
    workflowId: workflow.id,
    experimentId: experiment.id,
    analyzerId: '',
    userId: ownerId,
  };
});

const page = { returnCode: 0, errlines: '', file: { bytes: Buffer.from('a page'), name: 'p' } };
const order = () => inTransaction(database.pool, (tx) => insertAnalysis(tx, analysis));
const send = () => insertResult(database.pool, analysis, page);
const states = () =>
  select<{ id: number; state: string }>(
    database.pool,
    sql`select id, coalesce((select t.state from tasks t where t.kind = 'analysis' and t.subject_id = a.id), state) as state
      from analyses a order by id`,
  );

async function isWaiting(): Promise<void> {
  const waiting = sql`select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  while ((await select(database.pool, waiting)).length === 0);
}

/** Does `first` in a transaction that is still open when `second` meets it. */
async function meet<First, Second>(
  first: (tx: Executor) => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  let met: Promise<Second> = Promise.reject(new Error('the first failed'));
  met.catch(() => {});
  const done = await inTransaction(database.pool, async (tx) => {
    const result = await first(tx);
    met = second();
    met.catch(() => {});
    await isWaiting();
    return result;
  });
  return [done, await met];
}

describe('for one workflow', () => {
  it('a result ends a request that was not yet committed when it arrived', async () => {
    const [{ row }, ended] = await meet((tx) => insertAnalysis(tx, analysis), send);
    expect(ended).toMatchObject({ id: row.id, state: 'done' });
    expect(await states()).toEqual([{ id: row.id, state: 'done' }]);
  });

  it('a request starts again after a result that was not yet committed when it arrived', async () => {
    const [ended, made] = await meet((tx) => insertResult(tx, analysis, page), order);
    expect(ended.state).toBe('done');
    expect(made).toMatchObject({ isNew: true, row: { state: 'waiting' } });
    expect(await states()).toEqual([
      { id: ended.id, state: 'done' },
      { id: made.row.id, state: 'waiting' },
    ]);
  });

  it('two results are stored one after the other', async () => {
    const [first, second] = await meet((tx) => insertResult(tx, analysis, page), send);
    expect(second.id).toBeGreaterThan(first.id);
  });

  it('the end of a job has no effect after a result', async () => {
    await order();
    const claimed = (await claimAnalysis(database.pool, (await states())[0].id)) as ClaimedAnalysis;
    const end = () => inTransaction(database.pool, (tx) => endAnalysis(tx, claimed, page));
    const [ended, late] = await meet((tx) => insertResult(tx, analysis, page), end);
    expect(ended).toMatchObject({ id: claimed.row.id, state: 'done' });
    expect(late).toBeNull();
  });

  it('a result that meets the end of the job is stored separately', async () => {
    await order();
    const claimed = (await claimAnalysis(database.pool, (await states())[0].id)) as ClaimedAnalysis;
    const [ended, own] = await meet((tx) => endAnalysis(tx, claimed, page), send);
    expect(ended).toMatchObject({ id: claimed.row.id, state: 'done' });
    expect(own.id).not.toBe(claimed.row.id);
    expect(own.state).toBe('done');
  });

  it('a result that meets the failure of a lost analysis is stored separately', async () => {
    const { row } = await order();
    for (let attempt = 1; attempt <= 3; attempt++) {
      await claimAnalysis(database.pool, row.id);
      await execute(database.pool, sql`update tasks set lease_until = now() - interval '1 second'`);
      if (attempt < 3) await recoverTasks(database.pool);
    }
    const [lease] = await recoverTasks(database.pool);
    const [failed, own] = await meet((tx) => giveUpAnalysis(tx, lease), send);
    expect(failed?.id).toBe(row.id);
    expect(own.id).not.toBe(row.id);
    expect(await findAnalysis(database.pool, row.id)).toMatchObject({ state: 'failed' });
  });

  it('many requests and results at once neither fail nor block', async () => {
    const jobs = Array.from({ length: 60 }, (_, i) => {
      if (i % 3 === 0) return order();
      if (i % 3 === 1) return send();
      return order().then(async ({ row }) => {
        const claimed = await claimAnalysis(database.pool, row.id);
        if (claimed === null) return null;
        return inTransaction(database.pool, (tx) => endAnalysis(tx, claimed, page));
      });
    });
    const failed = (await Promise.allSettled(jobs)).filter(({ status }) => status === 'rejected');
    expect(failed).toEqual([]);
  });
});
