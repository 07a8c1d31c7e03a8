/** A span for each request, named by its route pattern; it continues the trace of a `traceparent` header. */
import type { FastifyInstance } from 'fastify';
import { isTracing, openSpan } from '../spans.ts';

/** Before the hooks that may refuse a request, and after the one that detects WebSocket upgrades. */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return;
  app.addHook('onRequest', (request, reply, done) => {
    // a socket lives for hours, and its work belongs to no request
    if (request.ws === true) return done();
    const { method, headers, protocol } = request;
    const route = request.routeOptions.url;
    const span = openSpan(route === undefined ? method : `${method} ${route}`, {
      kind: 'server',
      parent: typeof headers.traceparent === 'string' ? headers.traceparent : null,
      attributes: {
        'http.request.method': method,
        ...(route === undefined ? {} : { 'http.route': route }),
        'url.scheme': protocol,
        'ergodic.request.id': request.id,
      },
    });
    const finish = () => {
      reply.raw.removeListener('close', abort);
      const { statusCode } = reply.raw;
      span.set({ 'http.response.status_code': statusCode });
      span.end(statusCode >= 500 ? String(statusCode) : undefined);
    };
    // the caller disconnected before the response was complete
    const abort = () => {
      reply.raw.removeListener('finish', finish);
      span.end('aborted');
    };
    reply.raw.once('finish', finish).once('close', abort);
    span.run(done);
  });
}
