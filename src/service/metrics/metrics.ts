/** Metrics for Prometheus: this process counts its own, and reads those of the cluster from the database at each scrape. */
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import client from 'prom-client';
import { countCluster, countTasks } from '../repositories/cluster-counts.ts';

export interface Metrics {
  /** Counts the requests of an app from now on; call it before routes are added. */
  watch(app: FastifyInstance): void;
  /** Metrics in Prometheus' text format. */
  read(): Promise<{ readonly type: string; readonly text: string }>;
}

export interface MetricsOptions {
  readonly pool: pg.Pool;
  readonly version: string;
  readonly engine: number;
  readonly schema: number;
}

/** In seconds: from a cached answer to a large export. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics({ pool, version, engine, schema }: MetricsOptions): Metrics {
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  new client.Gauge({
    name: 'ergodic_build_info',
    help: 'Version of this process; always 1.',
    labelNames: ['version', 'engine', 'schema'],
    registers: [registry],
  }).set({ version, engine: String(engine), schema: String(schema) }, 1);
  const connections = new client.Gauge({
    name: 'ergodic_database_connections',
    help: 'Database connections of this process: open, idle, and requests waiting for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      connections.set({ state: 'open' }, pool.totalCount);
      connections.set({ state: 'idle' }, pool.idleCount);
      connections.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  const readCluster = clusterGauges(registry, pool);
  return {
    watch: (app) => watchRequests(app, registry),
    async read() {
      await readCluster();
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}

function watchRequests(app: FastifyInstance, registry: client.Registry): void {
  const durations = new client.Histogram({
    name: 'ergodic_http_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer.',
    labelNames: ['route', 'method', 'status'],
    buckets,
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    // the route's pattern, so that there is one label per route
    const route = request.routeOptions.url ?? 'unknown';
    const labels = { route, method: request.method, status: String(reply.statusCode) };
    durations.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}

/** Facts from the database: the same in every process. */
function clusterGauges(registry: client.Registry, pool: pg.Pool): () => Promise<void> {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new client.Gauge({ name: `ergodic_${name}`, help, labelNames, registers: [registry] });
  const chains = gauge('chains', 'Chains of unfinished runs.', ['state']);
  const wait = gauge(
    'queue_longest_wait_seconds',
    'How long the chain at the head of the queue has waited.',
  );
  const draws = gauge('draws_per_second', 'Draws per second of all running chains.');
  const workers = gauge('workers', 'Worker processes that are alive.');
  const slots = gauge('worker_slots', 'Chains that all workers together can run at once.');
  const services = gauge('services', 'Services that are alive.');
  const tasks = gauge('tasks', 'Tasks other than chains: imports, exports, analyses, calls.', [
    'kind',
    'state',
  ]);
  const isUp = gauge('database_up', '1 if the database answered this scrape.');
  return async () => {
    try {
      const counts = await countCluster(pool);
      for (const state of ['waiting', 'running', 'paused'] as const)
        chains.set({ state }, counts[state]);
      wait.set(counts.longest_wait_seconds);
      draws.set(counts.draws_per_second);
      workers.set(counts.workers);
      slots.set(counts.slots);
      services.set(counts.services);
      tasks.reset();
      for (const { kind, state, n } of await countTasks(pool)) tasks.set({ kind, state }, n);
      isUp.set(1);
    } catch {
      // the metrics of this process are still useful
      isUp.set(0);
    }
  };
}
