/** Serves the built dashboard: hashed files are cached forever, the page is always revalidated and is the fallback. */
import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The API's paths: an unknown path below them gets an error envelope, never the page. */
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

/** Sends the page for a path that no endpoint matches; false if it is not the dashboard's. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => boolean;

/** `webDir`: the folder of the build; nothing is served without one. */
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

/** Null for the API's paths, and for names that no built file has. */
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
  // a missing chunk must be an error, not an HTML page with the wrong type
  if (servicePaths.test(pathname) || path.posix.extname(pathname) !== '') return false;
  // a program that mistypes an address must get an error; a person sees a page saying that it does not exist
  const isOwn = pageSegments.includes(pathname.split('/')[1] ?? '');
  return isOwn || (request.headers.accept ?? '').includes('text/html');
}
