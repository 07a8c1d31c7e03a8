/** Lets a client finish sending a body that was refused: most read the answer only then, and would see a broken pipe. */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { limits } from '../../contract/limits.ts';

/** Bytes of a refused body that are read and thrown away; one that announces more is cut off at once. */
export const DISCARD_BYTES = 2 * limits.body_bytes;
/** Milliseconds for the whole of it, and without any byte. */
const MOST_MS = 30_000;
const SILENT_MS = 5000;
const LOOK_MS = 250;

/**
 * The server itself reads on once the answer has left, without end: this ends the connection when it has been enough.
 * Counted on the socket, since the server takes the listeners of the request away.
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
    // all of it came: the connection is good for the next request
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
