/** Stopping waits for running handlers, even if the client has disconnected: the database closes afterwards. */
import type { FastifyInstance } from 'fastify';

/** Longest wait for a handler, milliseconds: then stopping continues without it. */
const MAX_WAIT_MS = 10_000;

/** Call before the routes are registered. */
export function waitForHandlers(app: FastifyInstance): void {
  const running = new Set<Promise<unknown>>();
  app.addHook('onRoute', (route) => {
    // a socket's handler lasts as long as its socket, which stopping closes
    if ('websocket' in route && route.websocket) return;
    const { handler } = route;
    route.handler = function watched(request, reply) {
      const result: unknown = handler.call(this, request, reply);
      if (!(result instanceof Promise)) return result;
      running.add(result);
      const forget = () => running.delete(result);
      result.then(forget, forget);
      return result;
    };
  });
  app.addHook('onClose', async () => {
    let timer: NodeJS.Timeout | undefined;
    const timeLimit = new Promise((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS);
    });
    await Promise.race([Promise.allSettled(running), timeLimit]);
    clearTimeout(timer);
  });
}
