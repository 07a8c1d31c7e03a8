/**
 * The network between a worker and the database drops packets silently, both ways or one way: others take its
 * chains over, it writes nothing for them when the network is back, and then it works again.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/service/repositories/database.ts';
import { updateWorkerState, type WorkerState } from '../../src/service/repositories/workers.ts';
import { startMember, startWorkerProgram, type WorkerProgram } from '../support/cluster.ts';
import { type CutNetwork, type Direction, makeCutNetwork } from '../support/cut-network.ts';
import { startDebianPostgres } from '../support/debian-postgres.mjs';
import { describeWith } from '../support/needs.ts';
import { findPostgres } from '../support/parts.mjs';
import { descendantOf } from '../support/processes.ts';
import type { Served } from '../support/served.ts';
import { makeServedWorkflow, startServedRun, untilRun } from '../support/served-runs.ts';
import {
  chainsOf,
  expectSame,
  note,
  type RunRecord,
  readRun,
  sayingProgram,
  secondsSince,
  settingsFor,
  until,
  untilMore,
} from './runs-under-faults.ts';

const cases: [string, Direction[]][] = [
  ['both ways', ['to server', 'to client']],
  ['on the way to the server', ['to server']],
  ['on the way back', ['to client']],
];

describeWith('postgresql', 'when packets are dropped', () => {
  describeWith('network', 'between a worker and the database', () => {
    let server: Awaited<ReturnType<typeof startDebianPostgres>>;
    let database: Database;
    let network: CutNetwork;
    let served: Served;
    let workflow: string;
    let undisturbed: RunRecord;
    let far: WorkerProgram;

    /** The number of the worker that runs as a child of `program`; null: not there yet. */
    const numberOf = async (program: WorkerProgram): Promise<number | null> => {
      const { rows } = await database.pool.query<{ id: number; pid: number }>(
        'select id, pid from workers',
      );
      const child = rows.find(({ pid }) => isChild(program, pid));
      return child?.id ?? null;
    };
    const isChild = (program: WorkerProgram, pid: number) => {
      try {
        return descendantOf(program.process.pid as number, 'worker.js') === pid;
      } catch {
        return false;
      }
    };
    const ready = async (program: WorkerProgram): Promise<number> => {
      let id: number | null = null;
      await until(async () => {
        id = await numberOf(program);
        return id !== null;
      });
      return id as unknown as number;
    };
    const stop = async (program: WorkerProgram) => {
      program.process.kill('SIGTERM');
      await program.exited;
    };

    beforeAll(async () => {
      network = makeCutNetwork();
      server = await startDebianPostgres(findPostgres() as string, {
        settings: ['listen_addresses=*'],
        files: {
          'pg_hba.conf':
            'local all all trust\nhost all all 127.0.0.1/32 trust\nhost all all 198.18.0.0/15 trust\n',
        },
      });
      served = await startMember(server.url);
      database = openDatabase({ connectionString: server.url });
      workflow = await makeServedWorkflow(served, {
        ...sayingProgram,
        settings: settingsFor(6000),
      });
      const remote = new URL(server.url);
      remote.hostname = network.address;
      far = startWorkerProgram({ databaseUrl: remote.href, within: network.within, name: 'far' });
      const run = await startServedRun(served, workflow);
      await untilRun(served, run);
      undisturbed = await readRun(served, run);
    });
    afterAll(async () => {
      await database.close();
      served.process.kill('SIGTERM');
      await served.exited;
      far.process.kill('SIGKILL');
      await far.exited;
      await server.stop();
    });

    it.each(cases)('%s, its chains continue elsewhere and it rejoins', async (name, directions) => {
      const farId = await ready(far);
      const near = startWorkerProgram({ databaseUrl: server.url, name: 'near' });
      const nearId = await ready(near);
      const want = (state: WorkerState) => updateWorkerState(database.pool, nearId, state);
      await want('drain');
      const run = await startServedRun(served, workflow);
      await untilMore(served, run, 300);
      await want('work');
      const cutAt = performance.now();
      network.cut(...directions);
      const holders = (await chainsOf(database.pool, run)).map(({ worker }) => worker);
      expect(holders).toEqual([farId, farId]);
      await until(async () =>
        (await chainsOf(database.pool, run)).every(({ worker }) => worker !== farId),
      );
      note(`${name}: given to others after ${secondsSince(cutAt)}`);
      expect(await untilRun(served, run)).toMatchObject({ status: 'FIN', n_samples: 6000 });
      note(`${name}: ended by the other worker after ${secondsSince(cutAt)}`);
      const before = await readRun(served, run);
      expectSame(before, undisturbed);

      network.heal();
      const healedAt = performance.now();
      const isAlive = async () => {
        const { rows } = await database.pool.query(
          `select 1 from workers w join pg_locks l on l.locktype = 'advisory' and l.objid = w.id::oid and l.granted
           where w.id = $1 and heartbeat_at > now() - interval '3 seconds'`,
          [farId],
        );
        return rows.length > 0;
      };
      await until(isAlive);
      note(`${name}: back ${secondsSince(healedAt)} after the network`);
      expectSame(await readRun(served, run), undisturbed);
      // both work: neither has room for all
      const four = await makeServedWorkflow(served, {
        ...sayingProgram,
        settings: settingsFor(3000, 4),
      });
      const next = await startServedRun(served, four);
      await until(async () => {
        const at = new Set((await chainsOf(database.pool, next)).map(({ worker }) => worker));
        return at.has(farId) && at.has(nearId);
      });
      await untilRun(served, next);
      await stop(near);
    });
  });
});
