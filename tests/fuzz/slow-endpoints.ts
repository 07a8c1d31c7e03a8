/** Sends every endpoint of the contract's table long values in every field it knows, and watches the service's main thread. */
import type * as z from 'zod/mini';
import {
  bodyLimitOf,
  type Endpoint,
  type EndpointName,
  endpoints,
} from '../../src/contract/endpoints.ts';
import { limits } from '../../src/contract/limits.ts';
import { serveWatched, type WatchedService } from '../bench/event-loop.ts';
import type { Slowest } from './climb.ts';

const MOST_MS = 100;
/** Bytes of a query: the head of a request is limited to 16 kB. */
const QUERY_BYTES = 6000;
/** Bodies up to 64 kB are read on the main thread, larger ones in a worker thread. */
const SIZES = [60_000, 4 * 2 ** 20];

/** Makes a value of about `bytes` bytes of JSON. */
const values: Readonly<Record<string, (bytes: number) => unknown>> = {
  'a text': (bytes) => 'a '.repeat(bytes / 2),
  'a text of signs': (bytes) => '[{('.repeat(bytes / 3),
  'a list': (bytes) => Array(Math.min(40_000, Math.floor(bytes / 2))).fill(1),
  'a list of objects': (bytes) => Array(Math.min(10_000, Math.floor(bytes / 9))).fill({ a: 'b' }),
  'an object': (bytes) =>
    Object.fromEntries(
      Array.from({ length: Math.min(20_000, bytes / 10) }, (_, i) => [`k${i}`, 1]),
    ),
};
const queryValues: Readonly<Record<string, string>> = {
  letters: 'a'.repeat(QUERY_BYTES),
  'percent signs': '%25_'.repeat(QUERY_BYTES / 4),
  ids: 'M0000000,'.repeat(QUERY_BYTES / 9),
  digits: '9'.repeat(QUERY_BYTES),
  expression: '(a%2B)%2B$'.repeat(QUERY_BYTES / 10),
};

interface Def {
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly options?: readonly z.ZodMiniType[];
  readonly innerType?: z.ZodMiniType;
  readonly in?: z.ZodMiniType;
  readonly values?: readonly unknown[];
}
const defOf = (schema: z.ZodMiniType) => (schema as unknown as { _zod: { def: Def } })._zod.def;

/** The objects that a schema accepts, each with its fields. */
function formsOf(schema: z.ZodMiniType): Readonly<Record<string, z.ZodMiniType>>[] {
  const { shape, options, innerType, in: input } = defOf(schema);
  if (shape !== undefined) return [shape];
  if (options !== undefined) return options.flatMap(formsOf);
  const inner = innerType ?? input;
  return inner === undefined ? [] : formsOf(inner);
}

interface Attempt {
  readonly name: EndpointName;
  readonly what: string;
  readonly path: string;
  readonly body?: string;
}

/** One body for each field, kind of value and size. */
function* bodiesOf(
  name: EndpointName,
  schema: z.ZodMiniType,
): Generator<[what: string, body: string]> {
  const most = limits[bodyLimitOf(name)];
  for (const form of formsOf(schema)) {
    const { payload } = form;
    const inner = payload === undefined ? [form] : formsOf(payload);
    for (const fields of inner) {
      const type =
        fields.object_type === undefined ? undefined : defOf(fields.object_type).values?.[0];
      for (const field of Object.keys(fields)) {
        if (field === 'object_type') continue;
        const label = typeof type === 'string' ? type : '';
        for (const [kind, make] of Object.entries(values))
          for (const size of SIZES) {
            if (size > most && size !== SIZES[0]) continue;
            const value = {
              object_type: type,
              name: 'n',
              [field]: make(Math.min(size, most - 500)),
            };
            const body = JSON.stringify(payload === undefined ? value : { payload: value });
            yield [`${label} ${field}: ${kind} of ${body.length}`.trim(), body];
          }
      }
    }
  }
}

/** An id of each kind, which the paths and bodies may name. */
async function makeObjects({ access }: WatchedService): Promise<string[]> {
  const made: string[] = [];
  for (const payload of [
    {
      object_type: 'model',
      name: 'm',
      content: { tree: [{ name: 'm.stan', content: 'model {}', encoding: 'text' }] },
    },
    { object_type: 'data', name: 'd', data: '{}' },
    { object_type: 'experiment', name: 'x', meta: {} },
    { object_type: 'event', name: 'e' },
  ]) {
    const response = await fetch(`${access.origin}/api/object`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access.token}` },
      body: JSON.stringify({ payload }),
    });
    made.push(((await response.json()) as { data: { short_id: string } }).data.short_id);
  }
  return made;
}

/** Endpoints that would end the session or remove the objects. */
const left: ReadonlySet<string> = new Set([
  'logout',
  'signOutEverywhere',
  'deleteTokens',
  'deleteObject',
  'deleteObjects',
  'freeSpace',
  'openLink',
]);

function* attempts(ids: readonly string[]): Generator<Attempt> {
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    if (left.has(name)) continue;
    const endpoint: Endpoint = endpoints[name];
    const places = endpoint.path.includes('{') ? ids : [''];
    const pathOf = (id: string) => endpoint.path.replace(/\{\w+\}/g, id);
    const keys =
      endpoint.query === undefined
        ? []
        : formsOf(endpoint.query).flatMap((form) => Object.keys(form));
    for (const id of places) {
      for (const key of keys)
        for (const [kind, value] of Object.entries(queryValues))
          yield {
            name,
            what: `?${key}: ${kind}`,
            path: `${pathOf(id)}?object_type=model&${key}=${value}`,
          };
      if (endpoint.body === undefined || endpoint.body === 'binary') continue;
      for (const [what, body] of bodiesOf(name, endpoint.body))
        if (id === '' || name !== 'updateObject' || isKind(id, what))
          yield { name, what, path: pathOf(id), body };
    }
    if (endpoint.path.includes('{'))
      yield { name, what: 'path: letters', path: pathOf('a'.repeat(QUERY_BYTES)) };
  }
}

/** Other kinds are refused immediately. */
const isKind = (id: string, what: string): boolean =>
  what.startsWith({ M: 'model', D: 'data', X: 'experiment', E: 'event' }[id[0] ?? ''] ?? '');

export interface EndpointRow {
  readonly name: string;
  readonly slowest: Slowest;
}

/** The slowest request of each endpoint, and those that blocked the main thread too long, twice. */
export async function fuzzEndpoints(): Promise<{ rows: EndpointRow[]; faults: string[] }> {
  const service = await serveWatched();
  const rows = new Map<EndpointName, EndpointRow>();
  const faults: string[] = [];
  const { origin, token } = service.access;
  const send = async ({ name, path, body }: Attempt) => {
    await service.takePause();
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(origin + path, {
      method: endpoints[name].method,
      headers,
      ...(body === undefined ? {} : { body }),
    }).catch(() => null);
    await response?.arrayBuffer().catch(() => null);
    return (await service.takePause()).processor;
  };
  try {
    for (const attempt of attempts(await makeObjects(service))) {
      let ms = await send(attempt);
      // compilation or garbage collection on the first attempt is not the request's cost
      if (ms > MOST_MS / 2) ms = Math.min(ms, await send(attempt));
      const { name, what, path, body } = attempt;
      if (ms > MOST_MS) faults.push(`${name} ${what}: ${ms.toFixed(0)} ms of the main thread`);
      if (ms <= (rows.get(name)?.slowest.ms ?? -1)) continue;
      const bytes = body?.length ?? path.length;
      if (ms > MOST_MS / 4) process.stderr.write(`${name} ${what}: ${ms.toFixed(1)} ms\n`);
      rows.set(name, {
        name: `${name} (endpoint)`,
        slowest: { shape: what, bytes, ms, growth: 1 },
      });
    }
  } finally {
    await service.stop();
  }
  return { rows: [...rows.values()], faults };
}
