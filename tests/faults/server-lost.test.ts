/**
 * Two services and two workers while their PostgreSQL is restarted, and while its machine is lost and a standby takes over:
 * nothing acknowledged is lost, all recover by themselves, and the run draws what an undisturbed one draws.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMember, startWorkerProgram, type WorkerProgram } from '../support/cluster.ts';
import { describeWith } from '../support/needs.ts';
import { type DebianPostgres, startPair } from '../support/postgres-pair.ts';
import { descendantOf } from '../support/processes.ts';
import type { Served } from '../support/served.ts';
import { makeServedWorkflow, startServedRun, untilRun } from '../support/served-runs.ts';
import {
  expectSame,
  note,
  type RunRecord,
  readRun,
  sayingProgram,
  secondsSince,
  settingsFor,
  untilMore,
} from './runs-under-faults.ts';
import { expectAll, startWriting } from './writing-people.ts';

const SAMPLES = 12_000;

describeWith('postgresql', 'two services and two workers', () => {
  let primary: DebianPostgres;
  let standby: DebianPostgres;
  let promote: () => Promise<void>;
  let services: Served[];
  let workers: WorkerProgram[];
  let workflow: string;
  let undisturbed: RunRecord;
  /** Ids of the working processes; none may be restarted. */
  let processes: number[];

  const workerProcesses = () =>
    workers.map(({ process }) => descendantOf(process.pid as number, 'worker.js'));

  beforeAll(async () => {
    ({ primary, standby, promote } = await startPair());
    const databaseUrl = `postgresql://ergodic@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`;
    services = [await startMember(databaseUrl), await startMember(databaseUrl)];
    workers = ['one', 'two'].map((name) => startWorkerProgram({ databaseUrl, chains: 1, name }));
    const [served] = services as [Served];
    workflow = await makeServedWorkflow(served, {
      ...sayingProgram,
      settings: settingsFor(SAMPLES),
    });
    const run = await startServedRun(served, workflow);
    await untilRun(served, run);
    undisturbed = await readRun(served, run);
    processes = workerProcesses();
  });
  afterAll(async () => {
    for (const { process, exited } of [...services, ...workers]) {
      process.kill('SIGTERM');
      await exited;
    }
    await primary.stop();
    await standby.stop();
  });

  /** Strikes during a run and during writes; returns how long nothing was acknowledged. */
  const strike = async (name: string, fault: () => Promise<void>) => {
    const [served, other] = services as [Served, Served];
    const run = await startServedRun(served, workflow);
    const people = startWriting(services);
    await untilMore(served, run, 500);
    await people.untilAnother();
    const struckAt = performance.now();
    await fault();
    await people.untilAnother();
    note(`${name}: writes are acknowledged again after ${secondsSince(struckAt)}`);
    // a request may still hit the tail of the fault
    const patient = { ...served, call: retried(served) };
    await untilMore(patient, run, 1);
    note(`${name}: the run goes on after ${secondsSince(struckAt)}`);
    expect(await untilRun(patient, run)).toMatchObject({ status: 'FIN', n_samples: SAMPLES });
    await people.stop();
    await expectAll(other, people.acknowledged);
    note(`${name}: ${people.acknowledged.size} acknowledged writes, 0 lost`);
    expectSame(await readRun(other, run), undisturbed);
    expect(workerProcesses()).toEqual(processes);
  };

  it.each([
    ['restarted in order (fast)', 'SIGINT'],
    ['restarted at once (immediate)', 'SIGQUIT'],
  ] as const)('continue without intervention when PostgreSQL is %s', async (name, signal) => {
    await strike(name, async () => {
      await primary.end(signal);
      await primary.start();
    });
  });

  it('lose nothing when the primary is killed and its synchronous standby is promoted', async () => {
    await strike('failover', async () => {
      await primary.end('SIGKILL');
      await promote();
    });
  });
});

/** Retries when answered with 503. */
function retried(served: Served): Served['call'] {
  return async (method, path, body) => {
    for (;;) {
      const answer = await served.call(method, path, body).catch(() => null);
      if (answer !== null && answer.code !== 'UNAVAILABLE') return answer;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
}
