/** Headers that keep pages, frames and sniffing away from what we serve. */
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** `connectOrigins`: other servers that the dashboard may contact; empty = any https server and this machine's. */
function contentSecurityPolicy(connectOrigins: readonly string[]): Record<string, string[]> {
  const anywhere = [
    'https:',
    'wss:',
    'http://127.0.0.1:*',
    'http://localhost:*',
    'ws://127.0.0.1:*',
    'ws://localhost:*',
  ];
  const named = connectOrigins.flatMap((origin) => [origin, origin.replace(/^http/, 'ws')]);
  return {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'", 'data:'],
    workerSrc: ["'self'"],
    connectSrc: ["'self'", ...(connectOrigins.length === 0 ? anywhere : named)],
    frameSrc: ["'self'", ...connectOrigins],
    objectSrc: ["'none'"],
    frameAncestors: ["'none'"],
    baseUri: ["'self'"],
    formAction: ["'self'"],
  };
}

export async function addSecurityHeaders(
  app: FastifyInstance,
  connectOrigins: readonly string[],
): Promise<void> {
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: contentSecurityPolicy(connectOrigins),
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // plain http on one machine is our default; a proxy that terminates TLS sets this itself
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
  });
}

/** For responses that no hook sees: requests whose address cannot be parsed. */
export const bareHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
