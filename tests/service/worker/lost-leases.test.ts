/**
 * A worker is frozen in the middle of its work, which is given to another. It writes not a single row of it
 * when it wakes: each kind of work, at the moments when it writes.
 */
import { expect, it } from 'vitest';
import { analyse } from '../../../src/service/analysis/analyse.handler.ts';
import { insertRequestedCall } from '../../../src/service/functions/request-call.ts';
import { carryOutCall } from '../../../src/service/functions/run-call.ts';
import { importDraws } from '../../../src/service/imports/import-draws.ts';
import { runProgram } from '../../../src/service/language-runtimes/program-runner.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { insertAnalysis } from '../../../src/service/repositories/analyses.ts';
import { claimChain, lockChains, requeueOrphan } from '../../../src/service/repositories/chains.ts';
import { keepDataScript } from '../../../src/service/repositories/data-scripts.ts';
import {
  execute,
  inTransaction,
  json,
  select,
  sql,
} from '../../../src/service/repositories/database.ts';
import { insertExperiment } from '../../../src/service/repositories/experiments.ts';
import { insertModel } from '../../../src/service/repositories/models.ts';
import {
  claimProgramRun,
  insertProgramRun,
} from '../../../src/service/repositories/program-runs.ts';
import { insertTask } from '../../../src/service/repositories/tasks.ts';
import { runClaimedChain } from '../../../src/service/runs/chain-runner.ts';
import { runDataScript } from '../../../src/service/runs/data-script.handler.ts';
import { finaliseRun } from '../../../src/service/runs/finalise.handler.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { createDiskStore } from '../../../src/service/storage/disk-store.ts';
import { createJobContext } from '../../../src/service/worker/take-jobs.ts';
import { type FrozenPool, makeFrozenPool } from '../../support/frozen-pool.ts';
import { makeWorkflow } from '../../support/service-objects.ts';
import { useWorkPlace } from '../../support/work-place.ts';

const place = useWorkPlace();
const logger = createLogger({ level: 'silent' });

/** Every row of every table, as text; a task's row changes when another takes the task. */
async function allRows(): Promise<Record<string, string[]>> {
  const tables = await select<{ name: string }>(
    place.pool,
    sql`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('workers')`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await place.pool.query<{ text: string }>(
      `select t::text as text from "${name}" t order by 1`,
    );
    rows[name] = found.rows.map(({ text }) => text);
  }
  return rows;
}

/** Resumes the frozen process and checks that it writes nothing. */
async function expectNothingWritten(frozen: FrozenPool, work: Promise<unknown>): Promise<void> {
  const before = await allRows();
  frozen.wake();
  await work.catch(() => {});
  expect(await allRows()).toEqual(before);
  await frozen.close();
}

/** As others do with a task whose lease has expired: one of them has it now. */
const giveToAnother = () =>
  execute(
    place.pool,
    sql`update tasks set lease = lease + 1, attempts = attempts + 1,
          lease_until = now() + interval '1 hour' where state = 'running'`,
  );

const freeze = () => makeFrozenPool(place.database.connection);

/** A context whose functions answer while the process is frozen, after `meanwhile`. */
async function contextOf(frozen: FrozenPool, answer: string, meanwhile: () => Promise<unknown>) {
  return createJobContext({
    pool: frozen.pool,
    queue: place.queue,
    files: createDiskStore(place.filesDir),
    logger,
    guests: {
      async run() {
        frozen.freeze();
        await meanwhile();
        return { ok: true, answer, log: 'said\n', milliseconds: 1 };
      },
      warm() {},
      async close() {},
    },
  });
}

/** Begins work and resolves once it is frozen; the work is in an object, or `await` would wait for it. */
async function untilFrozen(begin: (meanwhile: () => Promise<void>) => Promise<unknown>) {
  let work: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    work = begin(async () => resolve());
    work.then(() => reject(new Error('it ended before it was frozen')), reject);
  });
  return { work };
}

const makeFunction = (code = 'export default () => 1;') =>
  insertModel(place.pool, {
    ownerId: place.user.id,
    name: 'a function',
    tags: ['code'],
    content: {
      tree: [{ name: 'main.js', type: 'file', bytes: Buffer.from(code), encoding: 'text' }],
      entranceFile: 'main.js',
    },
  });

const order = async (settings: string) => {
  const workflow = await makeWorkflow(place.pool, place.user.id, { settings });
  return startRun(place.pool, { workflowId: workflow.id, ownerId: place.user.id });
};

const moments = {
  'before its first draws': (iteration: number) => iteration >= 0,
  'between two batches of draws': (iteration: number) => iteration > 200,
};

it.each(Object.entries(moments))('a lost chain is not written, %s', async (_, isReached) => {
  const run = await order('sampling: {seed: 1, num_chains: 1, num_warmup: 50, num_samples: 20000}');
  const frozen = freeze();
  const request = { workerId: 1, pools: [], userChains: 0 };
  const claim = await claimChain(frozen.pool, request);
  if (claim === null) throw new Error('no chain waits');
  const chain = runClaimedChain(
    { pool: frozen.pool, queue: place.queue, logger, flushMs: 10 },
    claim,
  );
  const iteration = async () =>
    (await inTransaction(place.pool, (tx) => lockChains(tx, run.id)))[0].iteration;
  while (!isReached(await iteration())) await new Promise((resolve) => setTimeout(resolve, 10));
  frozen.freeze();
  // a transaction that had begun ends first
  while (frozen.pool.idleCount < frozen.pool.totalCount)
    await new Promise((resolve) => setTimeout(resolve, 5));
  await requeueOrphan(place.pool, chain.hold);
  expect(await claimChain(place.pool, { ...request, workerId: 2 })).toMatchObject({ lease: 2 });
  await expectNothingWritten(frozen, chain.done);
  await execute(place.pool, sql`update experiment_chains set state = 'stopped'`);
});

it('a frozen worker writes nothing of a lost call, and does not cache its result', async () => {
  const { short_id: functionId } = await makeFunction();
  const call = await insertRequestedCall(
    { pool: place.pool, queue: place.queue },
    { functionId, userId: place.user.id, background: true, parameters: '{}', lockKey: functionId },
  );
  const frozen = freeze();
  const { work } = await untilFrozen(async (meanwhile) =>
    carryOutCall(await contextOf(frozen, '[1]', meanwhile), call.id),
  );
  await giveToAnother();
  await expectNothingWritten(frozen, work);
});

it('a frozen worker writes nothing of a lost analysis', async () => {
  const { short_id: analyzerId } = await makeFunction();
  const run = await order('sampling: {seed: 1, num_chains: 1}');
  await execute(place.pool, sql`update experiment_chains set state = 'stopped'`);
  const workflowId = (
    await select<{ workflow_id: number }>(
      place.pool,
      sql`select workflow_id from experiments where id = ${run.id}`,
    )
  )[0].workflow_id;
  const analysis = await inTransaction(place.pool, (tx) =>
    insertAnalysis(tx, { workflowId, experimentId: run.id, analyzerId, userId: place.user.id }),
  );
  const frozen = freeze();
  const { work } = await untilFrozen(async (meanwhile) =>
    analyse(await contextOf(frozen, '"<p>done</p>"', meanwhile), analysis.row.id),
  );
  await giveToAnother();
  await expectNothingWritten(frozen, work);
});

it('a frozen worker writes nothing of a lost data script, not even its log', async () => {
  const run = await order('sampling: {seed: 1, num_chains: 1}');
  await execute(place.pool, sql`delete from experiment_chains where experiment_id = ${run.id}`);
  await inTransaction(place.pool, (tx) =>
    keepDataScript(tx, run.id, 'export default (workflow, data) => data;'),
  );
  const frozen = freeze();
  const answer = '{"J": 1, "y": [1], "sigma": [1]}';
  const { work } = await untilFrozen(async (meanwhile) =>
    runDataScript(await contextOf(frozen, answer, meanwhile), run.id),
  );
  // the server has ended its transaction, and with it the lock
  await execute(
    place.pool,
    sql`select pg_terminate_backend(pid, 20000) from pg_locks where locktype = 'advisory' and objid = ${run.id}::oid`,
  );
  const other = freeze();
  const done = await runDataScript(
    await contextOf(other, answer, async () => other.wake()),
    run.id,
  );
  expect(done).toEqual({ kind: 'done' });
  await other.close();
  await expectNothingWritten(frozen, work);
  await execute(place.pool, sql`update experiment_chains set state = 'stopped'`);
});

it('a frozen worker writes nothing of a lost import, and does not remove its files', async () => {
  const { id } = await insertExperiment(place.pool, {
    ownerId: place.user.id,
    name: 'x',
    status: 'RUN',
  });
  const files = createDiskStore(place.filesDir);
  const payload = { type: 'stan csv', files: [{ name: 'a.csv', upload: 'Up0000001', size: 5 }] };
  await insertTask(place.pool, { kind: 'import', subjectId: id, payload });
  const frozen = freeze();
  const removed: string[][] = [];
  const { work } = await untilFrozen((meanwhile) =>
    importDraws(
      {
        pool: frozen.pool,
        logger,
        files: {
          ...files,
          scratch: files.scratch,
          uploads: {
            ...files.uploads,
            async place() {
              frozen.freeze();
              await meanwhile();
              // what it was reading is gone
              return { path: `${place.filesDir}/none`, release: async () => {} };
            },
            remove: async (ids: readonly string[]) => {
              removed.push([...ids]);
            },
          },
        } as never,
      },
      { experimentId: id },
    ),
  );
  await giveToAnother();
  await expectNothingWritten(frozen, work);
  expect(removed).toEqual([]);
});

it('a frozen worker writes nothing of a lost program, and creates no token', async () => {
  const { id } = await insertExperiment(place.pool, {
    ownerId: place.user.id,
    name: 'x',
    status: 'NEW',
  });
  const program = { env: 'python', lang: 'python', entrance_file: 'main.py', tree: [] };
  await execute(
    place.pool,
    sql`update experiments set program = ${json(program)} where id = ${id}`,
  );
  await inTransaction(place.pool, (tx) =>
    insertProgramRun(tx, {
      experimentId: id,
      runtime: 'python',
      batchId: 'b',
      runId: 'r',
      settings: {},
    }),
  );
  const claimed = await claimProgramRun(place.pool, {
    workerId: 1,
    pools: [],
    userChains: 0,
  });
  if (claimed === null) throw new Error('no program waits');
  const frozen = freeze();
  const { work } = await untilFrozen((meanwhile) =>
    runProgram(
      {
        pool: frozen.pool,
        queue: place.queue,
        logger,
        workerId: 1,
        serviceUrl: 'http://127.0.0.1:9',
        async report() {
          frozen.freeze();
          await meanwhile();
          return { confinement: {}, missing: {}, sandbox: '' } as never;
        },
      },
      claimed,
      new AbortController().signal,
    ),
  );
  await giveToAnother();
  await expectNothingWritten(frozen, work);
});

it('a frozen worker writes nothing of the end of a run that another worker has written', async () => {
  const run = await order('sampling: {seed: 1, num_chains: 1}');
  await execute(place.pool, sql`update experiment_chains set state = 'done'`);
  await execute(place.pool, sql`update objects set status = 'SAMPLE_FIN' where id = ${run.id}`);
  const frozen = freeze();
  // after locking the job and reading the run
  const first = frozen.pool.connect.bind(frozen.pool);
  let connections = 0;
  Object.assign(frozen.pool, {
    connect(...args: unknown[]) {
      connections += 1;
      if (connections === 3) frozen.freeze();
      return (first as (...given: unknown[]) => unknown)(...args);
    },
  });
  const work = finaliseRun(frozen.pool, run.id);
  while (connections < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  await execute(
    place.pool,
    sql`select pg_terminate_backend(pid, 20000) from pg_locks where locktype = 'advisory' and objid = ${run.id}::oid`,
  );
  expect(await finaliseRun(place.pool, run.id)).toEqual({ kind: 'done' });
  await expectNothingWritten(frozen, work);
});
