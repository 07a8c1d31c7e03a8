/** The typed client: one function per endpoint, made from the endpoint table. Browser, Node and tests use the same. */
import type * as z from 'zod/mini';
import type { Data } from '../contract/data.ts';
import type { decodeDraws } from '../contract/draws.ts';
import { type Endpoint, type EndpointName, endpoints } from '../contract/endpoints.ts';
import type { Experiment } from '../contract/experiment.ts';
import type { Model } from '../contract/model.ts';
import type { Project } from '../contract/project.ts';
import type { callbackSchema, eventSchema, relationSchema } from '../contract/relations.ts';
import type { Share } from '../contract/share.ts';
import type { Workflow } from '../contract/workflow.ts';
import { type CallInput, type Connection, callEndpoint, keepConnection } from './request.ts';
import type { OnUpload, UploadSender } from './upload.ts';

type Table = typeof endpoints;

type QueryOf<E> = E extends { readonly query: infer Q extends z.ZodMiniType }
  ? { query?: z.input<Q> }
  : unknown;
type RequiredQueryOf<E> = E extends { readonly path: '/api/object'; readonly method: 'GET' }
  ? Required<QueryOf<E>>
  : QueryOf<E>;
type BodyOf<E> = E extends { readonly body: infer B }
  ? { body: B extends z.ZodMiniType ? z.input<B> : Blob }
  : unknown;
type ParamsOf<P> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & ParamsOf<Rest>
  : unknown;
type PathOf<E extends Endpoint> = E['path'] extends `${string}{${string}`
  ? { params: ParamsOf<E['path']> }
  : unknown;

/** Input of one call: path parameters, query, body as the endpoint declares them, and how it is sent. */
export type Input<N extends EndpointName> = PathOf<Table[N]> &
  RequiredQueryOf<Table[N]> &
  BodyOf<Table[N]> & { sharePassword?: string; signal?: AbortSignal; onUpload?: OnUpload };

/** Answer of one call: `data` of the envelope, or bytes. */
export type Output<N extends EndpointName> = Table[N]['response'] extends infer R
  ? R extends z.ZodMiniType
    ? z.output<R>
    : ArrayBuffer
  : never;

type CallArguments<N extends EndpointName> =
  Record<never, never> extends Input<N> ? [Input<N>?] : [Input<N>];

export type Client = {
  readonly [N in EndpointName]: (...input: CallArguments<N>) => Promise<Output<N>>;
};

export type DecodedDraws = ReturnType<typeof decodeDraws>;
/** Objects by kind, for `expectKind`. */
export interface ObjectsByKind {
  model: Model;
  experiment: Experiment;
  data: Data;
  workflow: Workflow;
  share: Share;
  event: z.output<typeof eventSchema>;
  callback: z.output<typeof callbackSchema>;
  relation: z.output<typeof relationSchema>;
  project: Project;
}

/**
 * Makes a client for one server.
 *
 * Defaults: `baseUrl` the page's origin, no token, `fetch` the global one, 60 s per call (as in public clients).
 */
export function createClient({
  baseUrl = '',
  token = null,
  fetch,
  timeoutMs = 60_000,
}: {
  baseUrl?: string;
  token?: string | null | (() => string | null);
  fetch?: typeof globalThis.fetch;
  timeoutMs?: number;
} = {}): Client {
  const connection: Connection = {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    fetch: fetch ?? globalThis.fetch.bind(globalThis),
    token: typeof token === 'function' ? token : () => token,
    timeoutMs,
    // A caller's own fetch must receive every call.
    upload: fetch === undefined && 'XMLHttpRequest' in globalThis ? sendLater : null,
  };
  const names = Object.keys(endpoints) as EndpointName[];
  const calls = names.map((name) => [
    name,
    (input: CallInput = {}) => callEndpoint(connection, endpoints[name], input),
  ]);
  const client = Object.fromEntries(calls) as Client;
  keepConnection(client, connection);
  return client;
}

/** Few pages send files. */
const sendLater: UploadSender = async (...request) =>
  (await import('./upload.ts')).sendUpload(...request);
