/** PostgreSQL's processes are killed while a run writes: only those in a transaction notice, and no draw differs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATABASE_USER, findRunningPostgres } from '../../../src/service/postgres/supervisor.ts';
import { createClient } from '../../../src/service/repositories/database.ts';
import { BRIEFLY, createPauses } from '../../support/pauses.ts';
import { descendantOf } from '../../support/processes.ts';
import { launch, makeReadyFolder, type Served } from '../../support/served.ts';
import {
  makeServedWorkflow,
  type RunView,
  readRunDraws,
  startServedRun,
} from '../../support/served-runs.ts';
import { eightSchools } from '../../support/service-objects.ts';

const dataDir = await makeReadyFolder();
let served: Served;
let service = 0;

beforeAll(async () => {
  const env = { ERGODIC_FLUSH_MS: '20', ERGODIC_LOG_LEVEL: 'silent' };
  served = await launch({ dataDir, options: ['--workers', '2'], env }).ready;
  service = descendantOf(served.process.pid as number, 'service.js');
}, 120_000);
afterAll(() => {
  served.process.kill('SIGTERM');
});

/** What a client sees; null while the database is unavailable. */
async function tryQuery<Row>(text: string): Promise<Row[] | null> {
  const place = findRunningPostgres(dataDir);
  if (place === null) return null;
  const { host, port } = place;
  const client = createClient({ host, port, user: DATABASE_USER, database: 'ergodic' });
  try {
    await client.connect();
    return (await client.query<Row & Record<string, unknown>>(text)).rows;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The process that `where` finds among the server's own, as soon as there is one. */
async function findBackend(where: string): Promise<number> {
  for (;;) {
    const rows = await tryQuery<{ pid: number }>(
      `select pid from pg_stat_activity where pid <> pg_backend_pid() and ${where} limit 1`,
    );
    if (rows !== null && rows.length > 0) return rows[0].pid;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The first answer that is not 503. */
async function view(id: string): Promise<RunView> {
  for (;;) {
    const answer = await served.call('GET', `/api/object/${id}`);
    if (answer.status === 'ok') return answer.data as RunView;
    expect(answer.code).toBe('UNAVAILABLE');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function untilEnd(id: string): Promise<RunView> {
  const pause = createPauses();
  for (;;) {
    const run = await view(id);
    if (run.status === 'FIN' || run.status === 'ERR') return run;
    await pause();
  }
}

async function untilMore(id: string): Promise<void> {
  const done = ({ meta }: RunView) => meta.progress?.done ?? 0;
  const before = done(await view(id));
  const pause = createPauses(BRIEFLY);
  for (;;) {
    const run = await view(id);
    if (done(run) > before || run.status !== 'RUN') return;
    await pause();
  }
}

describe.runIf(process.platform === 'linux')('killing', { timeout: 240_000 }, () => {
  it('the backend of a request makes it fail with 503, and the next request succeeds', async () => {
    const { host, port } = findRunningPostgres(dataDir) as { host: string; port: number };
    const holder = createClient({ host, port, user: DATABASE_USER, database: 'ergodic' });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table objects in exclusive mode');
    const body = { payload: { object_type: 'data', name: 'a table', data: 'x\n1\n' } };
    const post = () =>
      fetch(`${served.origin}/api/object`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${served.token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
    const waiting = post();
    process.kill(await findBackend(`wait_event_type = 'Lock'`), 'SIGKILL');
    const answer = await waiting;
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(await answer.json()).toMatchObject({ code: 'UNAVAILABLE' });
    await holder.end().catch(() => {});
    let next = await post();
    while (next.status === 503) next = await post();
    expect(next.status).toBe(200);
  });

  it('any process of PostgreSQL lets a run continue to the same draws, in the same service', async () => {
    const settings = 'sampling: {seed: 11, num_chains: 2, num_warmup: 300, num_samples: 8000}';
    const workflow = await makeServedWorkflow(served, { ...eightSchools, settings });
    const undisturbed = await startServedRun(served, workflow);
    expect(await untilEnd(undisturbed)).toMatchObject({ status: 'FIN' });

    const run = await startServedRun(served, workflow);
    const victims = [
      // one within a transaction, one of the job queue or a listener, and the server's own
      `backend_type = 'client backend' and state <> 'idle'`,
      `query ilike 'listen%'`,
      `backend_type = 'client backend' and state = 'idle'`,
      `backend_type = 'checkpointer'`,
      `backend_type = 'walwriter'`,
    ];
    for (const victim of victims) {
      await untilMore(run);
      if ((await view(run)).status !== 'RUN') break;
      process.kill(await findBackend(victim), 'SIGKILL');
    }
    await untilMore(run);
    process.kill(findRunningPostgres(dataDir)?.pid as number, 'SIGKILL');
    expect(await untilEnd(run)).toMatchObject({ status: 'FIN', n_samples: 8_000 });
    expect(await readRunDraws(served, run)).toEqual(await readRunDraws(served, undisturbed));
    expect(descendantOf(served.process.pid as number, 'service.js')).toBe(service);
  });
});
