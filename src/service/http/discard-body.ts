/** Lets a client finish sending a refused body: most read the response only then, and would see a broken pipe. */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { limits } from '../../contract/limits.ts';

/** Bytes of a refused body that are read and discarded; a client that announces more is cut off immediately. */
export const DISCARD_BYTES = 2 * limits.body_bytes;
/** Milliseconds in total, and without receiving a byte. */
const MOST_MS = 30_000;
const SILENT_MS = 5000;
const LOOK_MS = 250;

/**
 * After the response, the server itself keeps reading without a limit; this closes the connection at a limit.
 * Counted on the socket, because the server removes the listeners of the request.
 */
export function boundDiscarding(request: IncomingMessage): void {
  const { socket } = request;
  // a call in process has no connection
  if (request.complete || !(socket instanceof Socket) || socket.destroyed) return;
  const began = performance.now();
  const before = socket.bytesRead;
  let seen = before;
  let seenAt = began;
  const look = setInterval(() => {
    // the body is complete: the connection can serve the next request
    if (request.complete) return stop();
    const now = performance.now();
    if (socket.bytesRead !== seen) {
      seen = socket.bytesRead;
      seenAt = now;
    }
    const isEnough = seen - before > DISCARD_BYTES || now - began > MOST_MS;
    if (isEnough || now - seenAt > SILENT_MS) socket.destroy();
  }, LOOK_MS).unref();
  function stop() {
    clearInterval(look);
    socket.off('close', stop);
  }
  socket.once('close', stop);
}
