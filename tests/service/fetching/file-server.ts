/** A loopback server that answers as a test says, over http or https, and records its requests. */
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { testCertificate, testKey } from './test-certificate.ts';

export interface FileServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT`, as an entry of the allow-list and as a base of addresses. */
  readonly origin: string;
  readonly asked: { readonly path: string; readonly headers: http.IncomingHttpHeaders }[];
  close(): Promise<void>;
}

export type Answerer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

export async function startFileServer(
  answer: Answerer,
  { isSecure = false }: { isSecure?: boolean } = {},
): Promise<FileServer> {
  const asked: FileServer['asked'] = [];
  const listener: Answerer = (request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers });
    answer(request, response);
  };
  const server = isSecure
    ? https.createServer({ key: testKey, cert: testCertificate }, listener)
    : http.createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}
