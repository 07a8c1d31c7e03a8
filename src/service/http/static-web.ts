/** Serves the built dashboard: hashed files for ever, the page itself asked for each time, its paths by fallback. */
import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What the API owns: an unknown path below it is an error in the envelope, never the page. */
const servicePaths = /^\/(api|base|sys|invoke|command|download|files|mcmc|openapi\.json)(\/|$)/;

/** First segments of the dashboard's own addresses. */
export const pageSegments: readonly string[] = [
  'account',
  'callbacks',
  'data',
  'events',
  'experiments',
  'functions',
  'help',
  'models',
  'notifications',
  'projects',
  'queue',
  'relations',
  's',
  'shares',
  'sign-in',
  'workflows',
];

/** Returns the answer for a path that no endpoint took; false when it is not the dashboard's. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => boolean;

/** `webDir`: the folder of the build; without one nothing is served. */
export async function serveDashboard(
  app: FastifyInstance,
  webDir: string | null,
): Promise<SendPage> {
  if (webDir === null || !fs.existsSync(path.join(webDir, 'index.html'))) return () => false;
  await app.register(fastifyStatic, {
    root: path.resolve(webDir),
    serve: false,
    cacheControl: false,
    dotfiles: 'ignore',
    preCompressed: true,
    setHeaders(response, file) {
      const isHashed = file.includes(`${path.sep}assets${path.sep}`);
      response.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  app.get('/*', { config: { policy: 'public' } }, (request, reply) => {
    const file = fileOf(pathOf(request));
    return file === null ? reply.callNotFound() : reply.sendFile(file);
  });
  return (request, reply) => {
    if (!isPage(request)) return false;
    void reply.code(200).sendFile('index.html');
    return true;
  };
}

/** Null for what the API owns, and for names that no file of a build has. */
function fileOf(pathname: string): string | null {
  if (servicePaths.test(pathname)) return null;
  if (pathname === '/') return 'index.html';
  let file: string;
  try {
    file = decodeURIComponent(pathname.slice(1));
  } catch {
    return null;
  }
  const segments = file.split('/');
  return segments.some((segment) => segment.startsWith('.') || /[\\\0:]/.test(segment))
    ? null
    : file;
}

const pathOf = ({ url }: FastifyRequest) => url.replace(/\?.*$/s, '');

function isPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const pathname = pathOf(request);
  // A missing chunk must be an error, not a page of HTML with the wrong type.
  if (servicePaths.test(pathname) || path.posix.extname(pathname) !== '') return false;
  // a program that mistypes an address must be answered an error; a person is shown that there is no such page
  const isOwn = pageSegments.includes(pathname.split('/')[1] ?? '');
  return isOwn || (request.headers.accept ?? '').includes('text/html');
}
