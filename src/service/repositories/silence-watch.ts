/**
 * Closes connections whose server can no longer be reached, when no error says so.
 *
 * If a network drops packets silently, a sent statement waits until the kernel gives up after a quarter of an hour:
 * keepalives are not sent while data is unacknowledged, and Node cannot set TCP_USER_TIMEOUT. A limit on statements
 * would be wrong, since some wait long for a good reason (a lock, a standby that must confirm). So a connection that
 * waits without receiving a byte triggers a probe of its server, and is closed only if there is no answer.
 */
import net from 'node:net';
import type pg from 'pg';

const LOOK_MS = 2500;
/** Without a byte for this long, an answer is doubtful. */
const SILENT_MS = 5000;
const PROBE_MS = 5000;

/** What we read of the driver's client; a test fails if a new version lacks one. */
interface Inside {
  readonly readyForQuery?: boolean;
  readonly connection: { readonly stream: net.Socket };
}

interface Watched {
  /** The connected address: its name may resolve differently by now. */
  readonly address: string;
  readonly port: number;
  bytes: number;
  /** When its byte count last grew, or when it was last idle. */
  at: number;
}

const watched = new Map<pg.Client, Watched>();
let timer: NodeJS.Timeout | undefined;

const inside = (client: pg.Client) => client as unknown as Inside;

/** Watches from connection to end. */
export function watchSilence(client: pg.Client): void {
  client.once('connect', () => {
    const { remoteAddress, remotePort } = inside(client).connection.stream;
    // a local socket loses nothing, and has no address
    if (remoteAddress === undefined || remotePort === undefined) return;
    const place = { address: remoteAddress, port: remotePort };
    watched.set(client, { ...place, bytes: 0, at: performance.now() });
    timer ??= setInterval(look, LOOK_MS).unref();
  });
  client.once('end', () => {
    watched.delete(client);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
}

function look(): void {
  const now = performance.now();
  for (const [client, state] of watched) {
    const { readyForQuery, connection } = inside(client);
    const { bytesRead } = connection.stream;
    if (readyForQuery === true || bytesRead !== state.bytes) {
      state.bytes = bytesRead;
      state.at = now;
    } else if (now - state.at >= SILENT_MS) void check(state);
  }
}

/** Servers that are being probed. */
const probing = new Set<string>();

async function check({ address, port }: Watched): Promise<void> {
  const key = `${address}:${port}`;
  if (probing.has(key)) return;
  probing.add(key);
  const since = performance.now();
  const isThere = await answers(address, port).finally(() => probing.delete(key));
  if (isThere) return;
  for (const [client, state] of watched) {
    const isSilent = state.at <= since - SILENT_MS;
    if (state.address !== address || state.port !== port || !isSilent) continue;
    const error = new Error(`the database server ${key} cannot be reached any more`);
    inside(client).connection.stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  }
}

/** Errors of a server that is not there. Any other error is ours, and says nothing about it. */
const absence: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);

/** False: the server does not accept a connection. */
function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port });
    const settle = (isThere: boolean) => {
      clearTimeout(limit);
      socket.destroy();
      resolve(isThere);
    };
    const limit = setTimeout(() => settle(false), PROBE_MS);
    socket.once('connect', () => settle(true));
    socket.on('error', (error: NodeJS.ErrnoException) => settle(!absence.has(error.code)));
  });
}
