/** A run ends with its last chain, whatever happened to its chains and in which order; no run is orphaned. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunAction } from '../../../src/contract/experiment.ts';
import type { FailureReason } from '../../../src/engine/events.ts';
import {
  type ChainEnd,
  type ChainRow,
  type ClaimedChain,
  claimChain,
  listChains,
  requeueLostChains,
  requeueOrphan,
} from '../../../src/service/repositories/chains.ts';
import { execute, inTransaction, sql } from '../../../src/service/repositories/database.ts';
import {
  type ExperimentRow,
  findExperimentById,
  insertExperiment,
} from '../../../src/service/repositories/experiments.ts';
import { listNotifications } from '../../../src/service/repositories/notifications.ts';
import type { UserRow } from '../../../src/service/repositories/users.ts';
import { WORKER_LOCK_CLASS } from '../../../src/service/repositories/workers.ts';
import { controlRun } from '../../../src/service/runs/control-run.ts';
import { endChain, endStalledRuns } from '../../../src/service/runs/end-run.ts';
import { failureCode, isFailureOfRun } from '../../../src/service/runs/failure-scope.ts';
import { finaliseRun } from '../../../src/service/runs/finalise.handler.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { stopOverdueRuns } from '../../../src/service/runs/time-limit.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createMemoryQueue } from '../../support/memory-queue.ts';
import { makeUser, makeWorkflow } from '../../support/service-objects.ts';

let database: TestDatabase;
let user: UserRow;
const queue = createMemoryQueue();

beforeAll(async () => {
  database = await createTestDatabase();
  user = await makeUser(database.pool);
  await queue.work('finalise', ({ experimentId }) => finaliseRun(database.pool, experimentId));
});

async function start(numChains: number, more = ''): Promise<ExperimentRow> {
  const settings = `sampling: {seed: 3, num_chains: ${numChains}, num_warmup: 10, num_samples: 10${more}}`;
  const workflow = await makeWorkflow(database.pool, user.id, { settings });
  return startRun(database.pool, { workflowId: workflow.id, ownerId: user.id });
}

const reasons: readonly FailureReason[] = [
  'program-invalid',
  'program-failed',
  'run-timeout',
  'no-start',
  'no-step-size',
  'budget-exceeded',
  'iteration-timeout',
  'bad-checkpoint',
  'worker-failed',
];

/** No connection holds its lock: a worker that was killed. */
const workerId = 424_242;

type Step =
  | { readonly what: 'claim' | 'complete' | 'heed' | 'stop thread' | 'kill worker' | 'lose thread' }
  | { readonly what: 'fail'; readonly reason: FailureReason }
  | { readonly what: 'stop' | 'pause' | 'resume' | 'extend' };

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<Step>({ what: 'claim' }) },
    { weight: 3, arbitrary: fc.constant<Step>({ what: 'complete' }) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(...reasons).map((reason): Step => ({ what: 'fail', reason })),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom<Step>(
        { what: 'heed' },
        { what: 'stop thread' },
        { what: 'kill worker' },
        { what: 'lose thread' },
        { what: 'stop' },
        { what: 'pause' },
        { what: 'resume' },
        { what: 'extend' },
      ),
    },
  ),
  { minLength: 3, maxLength: 30 },
);

const isOpen = ({ state }: ChainRow) => ['queued', 'running', 'paused'].includes(state);

/** One run and a worker with two places; its chains end as the steps say. */
class Scenario {
  private held: ClaimedChain[] = [];

  constructor(readonly id: number) {}

  chains(): Promise<ChainRow[]> {
    return listChains(database.pool, this.id);
  }

  async take(step: Step): Promise<void> {
    switch (step.what) {
      case 'claim':
        return this.claim();
      case 'complete':
        return this.end({ state: 'done' });
      case 'fail':
        return this.end({
          state: 'failed',
          errorCode: failureCode(step.reason),
          errorMessage: '!',
        });
      case 'heed':
        return this.heed();
      case 'stop thread':
        return this.end({ state: 'queued' });
      case 'kill worker':
        this.held = [];
        await requeueLostChains(database.pool, WORKER_LOCK_CLASS);
        return endStalledRuns(database.pool, queue);
      case 'lose thread': {
        const orphan = this.held.shift();
        if (orphan !== undefined) await requeueOrphan(database.pool, orphan);
        return endStalledRuns(database.pool, queue);
      }
      default: {
        const order = { experimentId: this.id, action: step.what, extendBy: 5 } as const;
        await controlRun(database.pool, queue, order).catch((error: unknown) =>
          expect(error).toMatchObject({ code: 'CONFLICT' }),
        );
      }
    }
  }

  /** Runs every chain that has draws to make to its end. */
  async finish(): Promise<void> {
    for (let round = 0; round < 40; round++) {
      const chains = await this.chains();
      if (!chains.some(isOpen)) return;
      if (chains.some(({ state }) => state === 'paused')) await this.take({ what: 'resume' });
      await this.take({ what: 'heed' });
      await this.take({ what: 'claim' });
      await this.take({ what: 'complete' });
    }
    throw new Error(`chains that nothing ends: ${JSON.stringify(await this.chains())}`);
  }

  /** What holds after each step. */
  async check(): Promise<void> {
    await queue.drain();
    const run = (await findExperimentById(database.pool, this.id)) as ExperimentRow;
    const chains = await this.chains();
    if (chains.some(isOpen)) {
      expect(['NEW', 'RUN']).toContain(run.status);
      for (const { state, desired_state: desired, chain } of chains) {
        if (state === 'queued') expect(desired).toBe('run');
        if (state === 'paused') expect(desired).toBe('pause');
        if (state === 'running') expect(this.held.map((hold) => hold.chain)).toContain(chain);
      }
      return;
    }
    const failed = chains.filter(({ state }) => state === 'failed');
    expect(run.status).toBe(failed.length > 0 ? 'ERR' : 'FIN');
    const ofRun = failed.find((chain) => isFailureOfRun(chain.error_code)) ?? failed.at(0);
    expect(run.meta.error?.code).toBe(ofRun?.error_code ?? undefined);
  }

  private async claim(): Promise<void> {
    if (this.held.length >= 2) return;
    const claimed = await claimChain(database.pool, { workerId, pools: [], userChains: 0 });
    if (claimed !== null) this.held.push(claimed);
  }

  private async end(end: ChainEnd): Promise<void> {
    const place = this.held.shift();
    if (place === undefined) return;
    await inTransaction(database.pool, (tx) => endChain(tx, queue, { place, end }));
  }

  /** The worker stops the threads of chains that should not run. */
  private async heed(): Promise<void> {
    const rows = await this.chains();
    const unwanted = this.held.filter(
      ({ chain }) => rows.find((row) => row.chain === chain)?.desired_state !== 'run',
    );
    this.held = this.held.filter((chain) => !unwanted.includes(chain));
    for (const place of unwanted)
      await inTransaction(database.pool, (tx) =>
        endChain(tx, queue, { place, end: { state: 'queued' } }),
      );
  }
}

const settled = async (id: number) => {
  await endStalledRuns(database.pool, queue);
  await queue.drain();
  return (await findExperimentById(database.pool, id)) as ExperimentRow;
};

describe('a run', { timeout: 180_000 }, () => {
  it('ends as soon as no chain is open, in whatever order its chains end', async () => {
    const scenarios = fc.asyncProperty(fc.constantFrom(1, 2, 3, 8), steps, async (n, list) => {
      const scenario = new Scenario((await start(n)).id);
      for (const step of list) {
        await scenario.take(step);
        await scenario.check();
      }
      await scenario.finish();
      await scenario.check();
    });
    await fc.assert(scenarios, { seed: 11, numRuns: 25 });
  });

  it('stops its waiting chains at the moment when one fails with a program error', async () => {
    const { id } = await start(8);
    const scenario = new Scenario(id);
    await scenario.take({ what: 'claim' });
    await scenario.take({ what: 'claim' });
    await scenario.take({ what: 'fail', reason: 'program-invalid' });
    const states = (await scenario.chains()).map(({ state }) => state);
    expect(states).toEqual(['failed', 'running', ...Array.from({ length: 6 }, () => 'stopped')]);
    await scenario.take({ what: 'heed' });
    await scenario.check();
    expect(await findExperimentById(database.pool, id)).toMatchObject({
      status: 'ERR',
      meta: { error: { code: 'PROGRAM_INVALID', message: '!' } },
    });
  });

  it('continues when it is resumed before its chains have stopped', async () => {
    const { id } = await start(2);
    const scenario = new Scenario(id);
    await scenario.take({ what: 'claim' });
    await scenario.take({ what: 'stop' });
    await scenario.take({ what: 'resume' });
    // the thread was asked to stop and has: the row decides what that means
    await scenario.take({ what: 'stop thread' });
    expect((await scenario.chains()).map(({ state }) => state)).toEqual(['queued', 'queued']);
    await scenario.finish();
    await scenario.check();
  });
});

describe('the time limit of a run', () => {
  const control = (id: number, action: RunAction) =>
    controlRun(database.pool, queue, { experimentId: id, action, extendBy: 5 });
  /** An hour later. */
  const later = async (id: number) => {
    await execute(
      database.pool,
      sql`update experiments set started_at = started_at - interval '1 hour' where id = ${id}`,
    );
    await stopOverdueRuns(database.pool, queue);
    await queue.drain();
    return (await findExperimentById(database.pool, id)) as ExperimentRow;
  };
  const startLimited = async () => {
    const { id } = await start(1, ', time_limit: 600');
    const scenario = new Scenario(id);
    await scenario.take({ what: 'claim' });
    return { id, scenario };
  };

  it.each(['extend', 'resume'] as const)('does not apply to a later request: %s', async (what) => {
    const { id, scenario } = await startLimited();
    if (what === 'resume') {
      await control(id, 'stop');
      await scenario.take({ what: 'heed' });
    } else await scenario.take({ what: 'complete' });
    await queue.drain();
    await control(id, what);
    expect(await later(id)).toMatchObject({ status: 'RUN', meta: { action: 'running' } });
    await scenario.finish();
  });

  it('is not named as the reason once the run has continued', async () => {
    const { id, scenario } = await startLimited();
    const stopping = await later(id);
    expect(stopping.meta).toMatchObject({ action: 'stopping', time_limit_reached: true });
    await scenario.take({ what: 'heed' });
    await queue.drain();
    await control(id, 'resume');
    expect(await later(id)).toMatchObject({
      status: 'RUN',
      meta: { action: 'running', time_limit_reached: false },
    });
    await control(id, 'stop');
    await queue.drain();
    expect(await findExperimentById(database.pool, id)).toMatchObject({
      status: 'FIN',
      meta: { action: 'stopped', time_limit_reached: false },
    });
  });

  it('includes pauses', async () => {
    const { id, scenario } = await startLimited();
    await control(id, 'pause');
    await scenario.take({ what: 'heed' });
    await control(id, 'resume');
    await control(id, 'pause');
    expect(await later(id)).toMatchObject({ status: 'FIN', meta: { time_limit_reached: true } });
  });
});

describe('the time that a run took', () => {
  const control = (id: number, action: RunAction) =>
    controlRun(database.pool, queue, { experimentId: id, action, extendBy: 5 });
  /** Nothing happens for an hour. */
  const wait = async (id: number) => {
    for (const change of [
      sql`update experiments set started_at = started_at - interval '1 hour',
            finished_at = finished_at - interval '1 hour' where id = ${id}`,
      sql`update experiment_chains set queued_at = queued_at - interval '1 hour',
            heartbeat_at = heartbeat_at - interval '1 hour', finished_at = finished_at - interval '1 hour'
            where experiment_id = ${id}`,
    ])
      await execute(database.pool, change);
  };

  it.each(['an end', 'a pause', 'a pause and a stop'])(
    'excludes the rest after %s',
    async (rest) => {
      const { id } = await start(2);
      const scenario = new Scenario(id);
      await scenario.take({ what: 'claim' });
      if (rest === 'an end') {
        await scenario.finish();
        await queue.drain();
        await wait(id);
        await control(id, 'extend');
      } else {
        await control(id, 'pause');
        await scenario.take({ what: 'heed' });
        await wait(id);
        if (rest === 'a pause and a stop') {
          await control(id, 'stop');
          await queue.drain();
          await wait(id);
        }
        await control(id, 'resume');
        // nothing has run in between
        await control(id, 'pause');
        await wait(id);
        await control(id, 'resume');
      }
      await scenario.finish();
      await queue.drain();
      const { status, meta, started_at, finished_at } = (await findExperimentById(
        database.pool,
        id,
      )) as ExperimentRow;
      expect(status).toBe('FIN');
      expect(Date.parse(String(finished_at)) - Date.parse(String(started_at))).toBeGreaterThan(
        3.6e6,
      );
      expect(meta.elapsed_seconds).toBeLessThan(60);
      expect(meta).not.toHaveProperty('idle_seconds');
    },
  );
});

describe('among runs that have not ended, a worker', () => {
  const change = (text: ReturnType<typeof sql>) => execute(database.pool, text);

  it('ends those whose chains no worker will ever take, with the reason', async () => {
    const { id } = await start(3);
    await change(
      sql`update experiment_chains set desired_state = 'stop' where experiment_id = ${id}`,
    );
    await change(
      sql`update experiment_chains set state = 'failed', error_code = 'NO_START', error_message = 'nowhere finite'
          where experiment_id = ${id} and chain = 1`,
    );
    const run = await settled(id);
    const message = '1 of 3 chains failed. Chain 1: nowhere finite';
    expect(run).toMatchObject({ status: 'ERR', meta: { error: { code: 'NO_START', message } } });
  });

  it('ends those that never got a chain, and notifies their owner', async () => {
    const started = await start(2);
    await change(sql`delete from experiment_chains where experiment_id = ${started.id}`);
    const run = await settled(started.id);
    const message = 'This run was never started: it has no chains. Run it again.';
    expect(run).toMatchObject({ status: 'ERR', meta: { error: { code: 'NOT_STARTED', message } } });
    const page = { number: 1, size: 1 };
    const { rows } = await listNotifications(
      database.pool,
      { userId: user.id, status: 'all' },
      page,
    );
    expect(rows[0]).toMatchObject({ event: 'experiment_failed', msg_object: started.short_id });
  });

  it('ignores those that wait, are paused, prepare their data or run elsewhere', async () => {
    const { pool } = database;
    const [waiting, paused, scripted, deleted] = [
      await start(2),
      await start(2),
      await start(2),
      await start(2),
    ];
    const outside = await insertExperiment(pool, {
      ownerId: user.id,
      name: 'outside',
      status: 'RUN',
    });
    await controlRun(pool, queue, { experimentId: paused.id, action: 'pause', extendBy: 0 });
    await change(
      sql`delete from experiment_chains where experiment_id in (${scripted.id}, ${deleted.id})`,
    );
    await change(sql`update experiments set data_script = 'x' where id = ${scripted.id}`);
    await change(sql`update objects set deleted_at = now() where id = ${deleted.id}`);
    await settled(waiting.id);
    const ids = [waiting, paused, scripted, outside].map(({ id }) => id);
    const rows = await Promise.all(ids.map((id) => findExperimentById(pool, id)));
    expect(rows.map((row) => row?.status)).toEqual(['NEW', 'NEW', 'NEW', 'RUN']);
    await change(sql`update objects set deleted_at = null where id = ${deleted.id}`);
    expect(await settled(deleted.id)).toMatchObject({ status: 'ERR' });
  });
});
