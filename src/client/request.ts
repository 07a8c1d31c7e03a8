/** One HTTP call: address, encoding, envelope, schema. */
import { type Endpoint, fullViewType } from '../contract/endpoints.ts';
import { errorEnvelopeSchema } from '../contract/errors.ts';
import { ApiError } from './api-error.ts';
import type { OnUpload, UploadSender } from './upload.ts';

export interface Connection {
  /** Address of the server without trailing slash; empty = the page's own origin. */
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** Bearer token; null = not signed in. Read on every call. */
  readonly token: () => string | null;
  /** Milliseconds after which a call counts as lost. */
  readonly timeoutMs: number;
  /** Sends bodies whose progress is tracked; null: like any other call. */
  readonly upload: UploadSender | null;
}

const connections = new WeakMap<object, Connection>();

export function keepConnection(client: object, connection: Connection): void {
  connections.set(client, connection);
}

/** Server and token of a client made by `createClient`, for uses other than calls: sockets. */
export function connectionOf(client: object): Connection {
  const connection = connections.get(client);
  if (connection === undefined) throw new Error('This client was not created by createClient.');
  return connection;
}

export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly sharePassword?: string;
  readonly signal?: AbortSignal;
  /** Called with how much of the body has been sent. The timeout is then ten minutes: a body may be large and a line slow. */
  readonly onUpload?: OnUpload;
}

const uploadTimeoutMs = 600_000;

/** `/api/object/{objid}` with its parameters and query. Lists repeat their key; undefined, null and '' are left out. */
function buildAddress(endpoint: Endpoint, input: CallInput): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.params?.[name];
    if (value === undefined || value === '')
      throw new ApiError('schema', `The address is missing ${name}.`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== '') search.append(key, String(item));
    }
  }
  const query = search.toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Calls an endpoint and returns `data` as the contract types it, or the bytes of a binary one. Throws `ApiError`. */
export async function callEndpoint(
  connection: Connection,
  endpoint: Endpoint,
  input: CallInput,
): Promise<unknown> {
  const address = connection.baseUrl + buildAddress(endpoint, input);
  const response = await send(connection, endpoint, address, input);
  if (endpoint.response === 'binary') {
    if (!response.ok) throw await errorOf(response);
    return response.arrayBuffer().catch((error: unknown) => {
      throw ApiError.from(error);
    });
  }
  if (!response.ok) throw await errorOf(response);
  const envelope = await parseJson(response);
  if (envelope === null || typeof envelope !== 'object' || !('status' in envelope)) {
    throw new ApiError('schema', 'The server’s answer lacks the envelope of this API.', {
      status: response.status,
    });
  }
  if (envelope.status !== 'ok') throw errorFromEnvelope(response, envelope);
  const parsed = endpoint.response.safeParse('data' in envelope ? envelope.data : null);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ApiError(
    'schema',
    `The server’s answer does not match the API at "${issue.path.join('.')}": ${issue.message}`,
    {
      status: response.status,
      details: { issues: parsed.error.issues },
    },
  );
}

async function send(
  connection: Connection,
  endpoint: Endpoint,
  address: string,
  input: CallInput,
): Promise<Response> {
  const headers: Record<string, string> = {
    accept: acceptOf(endpoint),
  };
  const token = connection.token();
  if (token !== null) headers.authorization = `Bearer ${token}`;
  if (input.sharePassword !== undefined)
    headers['x-share-password'] = headerText(input.sharePassword);
  const isBinary = endpoint.body === 'binary';
  if (input.body !== undefined)
    headers['content-type'] = isBinary ? 'application/octet-stream' : 'application/json';
  const { onUpload } = input;
  const timeout = AbortSignal.timeout(
    onUpload === undefined ? connection.timeoutMs : uploadTimeoutMs,
  );
  // Without a listener, Node 20 forgets a timeout that only `AbortSignal.any` refers to.
  timeout.addEventListener('abort', () => {});
  const signal = input.signal === undefined ? timeout : AbortSignal.any([input.signal, timeout]);
  const { method } = endpoint;
  const body = bodyOf(input.body, isBinary);
  try {
    if (onUpload !== undefined && body !== undefined && connection.upload !== null)
      return await connection.upload(address, { method, headers, body, signal }, onUpload);
    return await connection.fetch(address, {
      method,
      headers,
      body,
      signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
  } catch (error) {
    throw ApiError.from(error);
  }
}

function bodyOf(body: unknown, isBinary: boolean): string | Blob | undefined {
  if (body === undefined) return undefined;
  return isBinary ? (body as Blob) : JSON.stringify(body);
}

function acceptOf(endpoint: Endpoint): string {
  if (endpoint.response === 'binary') return '*/*';
  return endpoint.plainResponse === undefined
    ? 'application/json'
    : `${fullViewType}, application/json`;
}

/** Header values are bytes: UTF-8 carried as Latin-1, which is what `curl` sends from a terminal too. */
function headerText(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

async function parseJson(response: Response): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    throw ApiError.from(error);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError('schema', 'The server answered with something that is not JSON.', {
      status: response.status,
      cause: error,
    });
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const body = await parseJson(response).catch(() => null);
  return errorFromEnvelope(response, body);
}

function errorFromEnvelope(response: Response, body: unknown): ApiError {
  const parsed = errorEnvelopeSchema.safeParse(body);
  const retryAfter = Number(response.headers.get('retry-after'));
  const retryAfterSeconds = Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null;
  if (!parsed.success) {
    return new ApiError('http', `The server answered with status ${response.status}.`, {
      status: response.status,
      code: response.status === 401 ? 'UNAUTHORIZED' : '',
      retryAfterSeconds,
    });
  }
  const { code, message, details } = parsed.data;
  return new ApiError('http', message, {
    status: response.status,
    code,
    details,
    retryAfterSeconds,
  });
}
