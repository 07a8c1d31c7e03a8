/** The port for monitoring: metrics, whether the process is alive, and whether it should receive requests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from '../start-error.ts';
import type { Metrics } from './metrics.ts';

export interface MonitorOptions {
  readonly port: number;
  readonly host: string;
  readonly metrics: Pick<Metrics, 'read'>;
  /** Why it should receive no requests or work; null: it is ready. */
  readonly notReady: () => Promise<string | null>;
}

export interface Monitor {
  readonly port: number;
  close(): Promise<void>;
}

/** Throws `StartError` when the port cannot be opened. */
export async function startMonitor(options: MonitorOptions): Promise<Monitor> {
  const { port, host } = options;
  const server = createServer((request, response) => {
    void answer(options, (request.url ?? '').replace(/\?.*$/s, ''))
      .catch((error: unknown) => [500, 'text/plain', String((error as Error).message)] as const)
      .then(([status, type, text]) => {
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new StartError(`--metrics-port ${port} on ${host}: ${error.message}.`)),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { metrics, notReady }: MonitorOptions,
  path: string,
): Promise<readonly [number, string, string]> {
  if (path === '/healthz') return [200, 'text/plain', 'alive\n'];
  if (path === '/readyz') {
    const reason = await notReady().catch(() => 'The database does not answer.');
    return reason === null ? [200, 'text/plain', 'ready\n'] : [503, 'text/plain', `${reason}\n`];
  }
  if (path !== '/metrics') return [404, 'text/plain', '/metrics, /healthz or /readyz\n'];
  const { type, text } = await metrics.read();
  return [200, type, text];
}
