/** Runs programs on the built service over HTTP: creates, starts and awaits them, and finds and kills their worker. */

import { decodeDraws } from '../../src/contract/draws.ts';
import type { ErrorEnvelope } from '../../src/contract/errors.ts';
import type { TreeNode } from '../../src/contract/model.ts';
import { DATABASE_USER, findRunningPostgres } from '../../src/service/postgres/supervisor.ts';
import { createClient } from '../../src/service/repositories/database.ts';
import { BRIEFLY, createPauses } from './pauses.ts';
import type { Envelope, Served } from './served.ts';

/** What the functions below need from a service. */
export type ServedAccess = Pick<Served, 'origin' | 'token' | 'call'>;

/** The service as the owner of `token` sees it. */
export function accessAs(origin: string, token: string): ServedAccess {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    origin,
    token,
    async call(method, at, sent) {
      const request: RequestInit = { method, headers };
      if (sent !== undefined) request.body = JSON.stringify(sent);
      return (await (await fetch(origin + at, request)).json()) as Envelope;
    },
  };
}

/** An API token made with the token of the printed link, which works once. */
export async function makeApiToken(printed: ServedAccess): Promise<string> {
  const made = await printed.call('POST', '/base/user/tokens', { name: 'tests' });
  return (made.data as { token: string }).token;
}

export interface RunParts {
  readonly source?: string;
  /** Instead of one `main.stan` with `source`. */
  readonly tree?: readonly TreeNode[];
  readonly entrance?: string;
  /** `stan` if absent. */
  readonly env?: string;
  /** Text; if absent, none is chosen. */
  readonly data?: string;
  readonly settings?: string;
}

/** An answer that is not a success. */
class Refused extends Error {
  override readonly name = 'Refused';
  constructor(readonly answer: ErrorEnvelope) {
    super(`${answer.code}: ${answer.message}`);
  }
}

/** `data` of the answer; throws {@link Refused}. */
export async function ask<T>(
  served: ServedAccess,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer: { status: string; data: unknown } = await served.call(method, path, body);
  if (answer.status !== 'ok') throw new Refused(answer as unknown as ErrorEnvelope);
  return answer.data as T;
}

/** One short chain. */
const short = 'sampling: {seed: 1, num_chains: 1, num_warmup: 30, num_samples: 30}';

/** Id of a workflow of a new model and new data. */
export async function makeServedWorkflow(served: ServedAccess, parts: RunParts): Promise<string> {
  const { source = '', entrance, env = 'stan', data, settings = short } = parts;
  const tree = parts.tree ?? [{ name: 'main.stan', content: source, encoding: 'text' }];
  const create = async (payload: Record<string, unknown>) =>
    (await ask<{ short_id: string }>(served, 'POST', '/api/object', { payload })).short_id;
  const model_id = await create({
    object_type: 'model',
    name: 'a model',
    env,
    content: { tree },
    ...(entrance === undefined ? {} : { entrance_file: entrance }),
  });
  const data_id =
    data === undefined ? '' : await create({ object_type: 'data', name: 'some data', data });
  const workflow = await create({ object_type: 'workflow', name: 'a run', model_id, data_id });
  const payload = { object_type: 'workflow', settings };
  await ask(served, 'POST', `/api/object/${workflow}`, { payload });
  return workflow;
}

/** Id of the experiment. */
export async function startServedRun(served: ServedAccess, workflow: string): Promise<string> {
  const body = { target: workflow, action: 'run_sample', get_response: false };
  return (await ask<{ experiment_id: string }>(served, 'POST', '/invoke', body)).experiment_id;
}

export interface RunView {
  readonly status: string;
  readonly n_samples: number;
  readonly meta: {
    readonly action?: string;
    readonly error?: { readonly code: string; readonly message: string } | null;
    readonly progress?: {
      readonly done: number;
      readonly chains: readonly { readonly draws_per_second: number | null }[];
    };
  };
}

const isEnded = ({ status }: RunView) => status === 'FIN' || status === 'ERR';

/** The run as soon as `isReached` is true (its end if absent); throws if it ends before. */
export async function untilRun(
  served: ServedAccess,
  id: string,
  isReached: (run: RunView) => boolean = isEnded,
): Promise<RunView> {
  const pause = createPauses(isReached === isEnded ? undefined : BRIEFLY);
  for (;;) {
    const run = await ask<RunView>(served, 'GET', `/api/object/${id}`);
    if (isReached(run)) return run;
    if (isEnded(run)) throw new Error(`the run ended first: ${JSON.stringify(run)}`);
    await pause();
  }
}

export const commandRun = (served: ServedAccess, id: string, action: string): Promise<unknown> =>
  ask(served, 'POST', `/api/object/${id}`, { payload: { object_type: 'experiment', action } });

export async function readRunLog(served: ServedAccess, id: string): Promise<string> {
  const log = await ask<{ text: string }>(served, 'GET', `/api/log/${id}?stream=stdlog&to=1000000`);
  return log.text;
}

/** Columns with their values, including NaN. */
export async function readRunDraws(served: ServedAccess, id: string, query = '') {
  const response = await fetch(`${served.origin}/api/draws/${id}?${query}`, {
    headers: { authorization: `Bearer ${served.token}` },
  });
  const { header, values } = decodeDraws(await response.arrayBuffer());
  return { columns: header.columns, values };
}

/** A session with the database of the service on `dataDir`. */
async function connectServed(dataDir: string) {
  const place = findRunningPostgres(dataDir);
  if (place === null) throw new Error('no PostgreSQL runs there');
  const { host, port } = place;
  const client = createClient({ host, port, user: DATABASE_USER, database: 'ergodic' });
  await client.connect();
  return client;
}

/** Kills the worker process of the service on `dataDir` as the system would, without warning. */
export async function killWorker(dataDir: string): Promise<void> {
  const client = await connectServed(dataDir);
  try {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from workers order by id desc limit 1',
    );
    if (rows.length === 0) throw new Error('no worker is known');
    process.kill(rows[0].pid, 'SIGKILL');
  } finally {
    await client.end();
  }
}

/** Blocks storing draws in the service on `dataDir` until the returned function is called. */
export async function holdDraws(dataDir: string): Promise<() => Promise<void>> {
  const client = await connectServed(dataDir);
  await client.query('begin; lock table draw_batches in share mode');
  return () => client.end();
}
