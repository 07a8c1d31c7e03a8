/** How fast an outside runner's draws arrive as JSON over HTTP, compared with how fast our engine's are stored. */
import type pg from 'pg';
import { insertChains } from '../../src/service/repositories/chains.ts';
import { inTransaction } from '../../src/service/repositories/database.ts';
import { ensureLayout, insertDraws } from '../../src/service/repositories/draws.ts';
import { insertExperiment } from '../../src/service/repositories/experiments.ts';
import { ensureOwner } from '../../src/service/repositories/users.ts';
import type { ServedAccess } from '../support/served-runs.ts';

export interface IngestTarget {
  /** The service's address, and its first user's token. */
  readonly access: Pick<ServedAccess, 'origin' | 'token'>;
  /** The service's database. */
  withDatabase(work: (pool: pg.Pool) => Promise<void>): Promise<void>;
}

export interface IngestPlan {
  readonly chains?: number;
  readonly variables?: number;
  /** Iterations of each chain in one message. */
  readonly iterations?: number;
  readonly messages?: number;
  /** Processes that send simultaneously. */
  readonly senders?: number;
}

/** Values per second through each interface, as table rows: what, value. Creates two experiments and leaves them. */
export async function measureIngest(
  target: IngestTarget,
  plan: IngestPlan = {},
): Promise<[string, string][]> {
  const { chains = 4, variables = 100, iterations = 50, messages = 150, senders = 2 } = plan;
  const shape = { chains, variables, iterations, messages };
  const values = chains * variables * iterations * messages;
  const http = await timeHttp(target.access, { ...shape, senders });
  let engine = 0;
  await target.withDatabase(async (pool) => {
    engine = await timeEngine(pool, shape);
  });
  const rate = (seconds: number) => `${(values / seconds / 1e6).toFixed(2)} million values/s`;
  const share = `${((100 * engine) / http).toFixed(0)} % of our engine's`;
  return [
    ['draws by protobuf_message, JSON over HTTP', `${rate(http)} (${share})`],
    ['draws of our engine, stored', rate(engine)],
  ];
}

interface Shape {
  readonly chains: number;
  readonly variables: number;
  readonly iterations: number;
  readonly messages: number;
}

/** Seconds. The texts are made beforehand, as a runner has its own machine. */
async function timeHttp(
  { origin, token }: IngestTarget['access'],
  { senders, ...shape }: Shape & { readonly senders: number },
): Promise<number> {
  const post = async (path: string, body: string): Promise<{ data: { short_id: string } }> => {
    const headers = { authorization: `bearer ${token}` };
    const response = await fetch(origin + path, { method: 'POST', headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text) as { data: { short_id: string } };
  };
  const payload = { object_type: 'experiment', name: 'ingest', meta: { status: 'RUN' } };
  const { data } = await post('/api/object', JSON.stringify({ payload }));
  const values = drawTexts(shape);
  let next = 0;
  const since = performance.now();
  const sender = async (run: number) => {
    while (next < shape.messages) {
      const message = next++;
      await post(`/api/object/${data.short_id}`, messageText(shape, { message, run, values }));
    }
  };
  await Promise.all(Array.from({ length: senders }, (_, run) => sender(run)));
  return (performance.now() - since) / 1000;
}

/** One text of values per variable, reused each time: numbers as long as draws are. */
function drawTexts({ variables, iterations }: Shape): string[] {
  return Array.from({ length: variables }, (_, v) =>
    JSON.stringify(Array.from({ length: iterations }, (_, i) => Math.sin(v * iterations + i))),
  );
}

interface MessageParts {
  readonly message: number;
  readonly run: number;
  readonly values: readonly string[];
}

/** Each sender has its own chains, as processes of a batch do. */
function messageText(shape: Shape, { message, run, values }: MessageParts): string {
  const names = Array.from({ length: shape.chains }, (_, c) => `chain#${run + 1}.${c + 1}`);
  const columns = `{${values.map((text, v) => `"theta[${v + 1}]/val":${text}`).join(',')}}`;
  const first = message * shape.iterations + 1;
  const range = `[${first},${first + shape.iterations - 1},17637120000000000000]`;
  const vars = names.map((name) => `"${name}":${columns}`).join(',');
  const iteration = names.map((name) => `"${name}":${range}`).join(',');
  return `{"payload":{"object_type":"experiment.protobuf_message","batch_id":"b","run_id":"${run}",
    "logs":{"vars":{${vars}},"iteration":{${iteration}}}}}`;
}

/** Seconds. */
async function timeEngine(pool: pg.Pool, shape: Shape): Promise<number> {
  const { chains, variables, iterations, messages } = shape;
  const { id: ownerId } = await ensureOwner(pool);
  const { id: experimentId } = await insertExperiment(pool, { ownerId, name: 'engine' });
  await inTransaction(pool, (tx) =>
    insertChains(tx, experimentId, { count: chains, iterations: iterations * messages }),
  );
  const columns = Array.from({ length: variables }, (_, v) => ({ name: `theta[${v + 1}]` }));
  const layoutId = await ensureLayout(pool, experimentId, columns);
  const values = new Float64Array(variables * iterations).map((_, i) => Math.sin(i));
  const since = performance.now();
  await Promise.all(
    Array.from({ length: chains }, async (_, c) => {
      for (let message = 0; message < messages; message++) {
        const place = { experimentId, chain: c + 1, phase: 'sampling' as const, layoutId };
        const firstIteration = message * iterations + 1;
        const batch = { ...place, firstIteration, count: iterations, values };
        await inTransaction(pool, (tx) => insertDraws(tx, batch));
      }
    }),
  );
  return (performance.now() - since) / 1000;
}
