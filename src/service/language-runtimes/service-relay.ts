/** The only way out of a sandbox: a socket outside it that connects to the service's address and nothing else. */
import { chownSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';

export interface ServiceRelay {
  close(): void;
}

const MOST_CONNECTIONS = 64;

export async function openServiceRelay(
  folder: string,
  service: string,
  user: { readonly uid?: number; readonly gid?: number },
): Promise<ServiceRelay> {
  const { protocol, hostname, port } = new URL(service);
  const host = hostname.replace(/^\[|\]$/g, '');
  const open = new Set<net.Socket>();
  const connect = () =>
    protocol === 'https:'
      ? tls.connect({ host, port: Number(port || 443), servername: host })
      : net.connect({ host, port: Number(port || 80) });
  const server = net.createServer({ allowHalfOpen: true }, (inner) => {
    const outer = connect();
    for (const socket of [inner, outer]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
    inner.on('error', () => outer.destroy());
    outer.on('error', () => inner.destroy());
    inner.pipe(outer);
    outer.pipe(inner);
  });
  server.maxConnections = MOST_CONNECTIONS;
  const place = path.join(folder, 'service.sock');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, resolve);
  });
  // One connection that fails (no descriptor is free) does not affect the others.
  server.on('error', () => {});
  if (user.uid !== undefined && user.gid !== undefined) chownSync(place, user.uid, user.gid);
  return {
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
