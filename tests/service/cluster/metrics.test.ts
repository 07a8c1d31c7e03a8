/** Numbers for monitoring, and the port they are asked at. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics, type Metrics } from '../../../src/service/metrics/metrics.ts';
import { startMonitor } from '../../../src/service/metrics/monitor.ts';
import { execute, sql } from '../../../src/service/repositories/database.ts';
import { insertWorker } from '../../../src/service/repositories/workers.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addModel, codeOf, startExperiment } from '../../support/objects.ts';
import { createTestService, type TestService } from '../../support/service.ts';

let database: TestDatabase;
let service: TestService;
let metrics: Metrics;
beforeAll(async () => {
  database = await createTestDatabase();
  metrics = createMetrics({ pool: database.pool, version: '1.2.3', engine: 4, schema: 18 });
  service = await createTestService({ database, metrics });
});
afterAll(() => service.close());

/** Value by name and labels, as Prometheus reads them. */
async function read(): Promise<Map<string, number>> {
  const { type, text } = await metrics.read();
  expect(type).toContain('text/plain');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line): [string, number] => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

describe('the metrics', () => {
  it('count chains by state, workers and their slots', async () => {
    const { pool } = database;
    const worker = { host: 'h', pid: 1, pools: [], slots: 3, version: '1', engine: 4 };
    await insertWorker(pool, worker);
    await startExperiment(service.owner.client, 'run');
    await execute(pool, sql`delete from experiment_chains`);
    await execute(
      pool,
      sql`insert into experiment_chains (experiment_id, chain, name, state, draws_per_second, queued_at)
          select id, n, 'c' || n, case when n <= 5 then 'queued' when n <= 7 then 'running' when n = 8 then 'paused' else 'done' end,
            case when n in (6, 7) then 100 when n = 9 then 1000 end, now() - interval '1 minute'
          from experiments, generate_series(1, 9) n`,
    );
    // a chain that is to stop does not count as waiting
    await execute(pool, sql`update experiment_chains set desired_state = 'stop' where chain = 5`);
    const numbers = await read();
    const of = (name: string) => numbers.get(`ergodic_${name}`);
    expect(of('chains{state="waiting"}')).toBe(4);
    expect(of('chains{state="running"}')).toBe(2);
    expect(of('chains{state="paused"}')).toBe(1);
    expect(of('draws_per_second')).toBe(200);
    expect(of('queue_longest_wait_seconds')).toBeGreaterThanOrEqual(60);
    expect([of('workers'), of('worker_slots'), of('services')]).toEqual([1, 3, 0]);
    expect(of('database_up')).toBe(1);
    expect(of('build_info{version="1.2.3",engine="4",schema="18"}')).toBe(1);
    expect(of('database_connections{state="open"}')).toBeGreaterThan(0);
    expect([...numbers.keys()].some((name) => name.startsWith('nodejs_eventloop_lag'))).toBe(true);
  });

  it('count requests by the pattern of their route, never by its values', async () => {
    await addModel(service.owner.client, { name: 'counted' });
    expect(await codeOf(service.anonymous.viewObject({ params: { objid: 'M0000000' } }))).not.toBe(
      null,
    );
    await service.inject({ method: 'GET', url: '/no/such/page?token=secret' });
    const text = (await metrics.read()).text;
    expect(text).toMatch(
      /ergodic_http_request_duration_seconds_count\{route="\/api\/object\/?",method="POST",status="200"\} \d/,
    );
    expect(text).toContain('route="/api/object/:objid",method="GET"');
    expect(text).not.toMatch(/M0000000|secret|no\/such/);
  });
});

describe('the monitoring port', () => {
  it('reports whether the process is alive and ready, and the metrics', async () => {
    let reason: string | null = null;
    const monitor = await startMonitor({
      port: 0,
      host: '127.0.0.1',
      metrics,
      notReady: async () => reason,
    });
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${monitor.port}${path}`);
      return [answer.status, await answer.text()] as const;
    };
    expect(await ask('/healthz')).toEqual([200, 'alive\n']);
    expect(await ask('/readyz')).toEqual([200, 'ready\n']);
    reason = 'The service is stopping.';
    expect(await ask('/readyz')).toEqual([503, 'The service is stopping.\n']);
    expect((await ask('/healthz'))[0]).toBe(200);
    expect((await ask('/metrics'))[1]).toContain('ergodic_chains');
    expect((await ask('/api/user'))[0]).toBe(404);
    const taken = { port: monitor.port, host: '127.0.0.1', metrics, notReady: async () => null };
    await expect(startMonitor(taken)).rejects.toThrow('--metrics-port');
    await monitor.close();
  });

  it('reports alive but not ready while the database is unreachable', async () => {
    const away = await createTestDatabase();
    const other = createMetrics({ pool: away.pool, version: '1', engine: 4, schema: 18 });
    await away.drop();
    const text = (await other.read()).text;
    expect(text).toMatch(/ergodic_database_up 0/);
    const monitor = await startMonitor({
      port: 0,
      host: '127.0.0.1',
      metrics: other,
      notReady: () => Promise.reject(new Error('the database is away')),
    });
    const at = (path: string) => fetch(`http://127.0.0.1:${monitor.port}${path}`);
    expect([(await at('/readyz')).status, (await at('/healthz')).status]).toEqual([503, 200]);
    await monitor.close();
  });
});
