/**
 * An S3 bucket in this process, with what files need: objects, lists, multipart uploads, signatures. Calls can be
 * made to fail. The servers on npm check the current client's signatures wrongly and do not list multipart uploads.
 */
import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { isSigned } from './s3-signature.ts';

export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  /** Whether a call is answered 503, carried out and its answer lost, or never answered; null: neither. */
  fault: () => 'refuse' | 'cut' | 'stall' | null;
  /** By key. */
  readonly objects: Map<string, StoredObject>;
  /** Unfinished, by id. */
  readonly uploads: Map<string, PartUpload>;
  close(): Promise<void>;
}

interface StoredObject {
  readonly bytes: Buffer;
  readonly changed: Date;
}

interface PartUpload {
  readonly key: string;
  readonly begun: Date;
  readonly parts: Map<number, Buffer>;
}

/** The key that it accepts, as the client finds it in the environment. */
export const s3Keys = { AWS_ACCESS_KEY_ID: 'AKTEST', AWS_SECRET_ACCESS_KEY: 'a secret of tests' };

/** Fewer than S3's 1 000, so that lists have pages. */
const PAGE = 3;

export async function startS3Server(bucket = 'ergodic-files'): Promise<S3Server> {
  const web = http.createServer((request, response) => {
    void handle(server, request, response);
  });
  const server = {
    endpoint: '',
    bucket,
    fault: (): 'refuse' | 'cut' | 'stall' | null => null,
    objects: new Map<string, StoredObject>(),
    uploads: new Map<string, PartUpload>(),
    close: () =>
      new Promise<void>((resolve) => {
        web.close(() => resolve());
        web.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  server.endpoint = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  return server;
}

interface Answer {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly headers?: http.OutgoingHttpHeaders;
}

async function handle(
  server: S3Server,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const body = await buffer(request);
  const fault = server.fault();
  if (fault === 'refuse') {
    response.writeHead(503).end();
    return;
  }
  if (fault === 'stall') return;
  const keys = { id: s3Keys.AWS_ACCESS_KEY_ID, secret: s3Keys.AWS_SECRET_ACCESS_KEY };
  const {
    status,
    body: text = '',
    headers,
  } = isSigned(request, body, keys)
    ? answer(server, request, body)
    : failure(403, 'SignatureDoesNotMatch', 'The signature is not of this request and key.');
  if (fault === 'cut') {
    request.socket.destroy();
    return;
  }
  response.writeHead(status, { 'content-length': Buffer.byteLength(text), ...headers });
  response.end(request.method === 'HEAD' ? undefined : text);
}

function answer(server: S3Server, request: http.IncomingMessage, body: Buffer): Answer {
  const url = new URL(request.url ?? '', 'http://s3');
  const query = url.searchParams;
  const [, bucket, ...rest] = url.pathname.split('/').map(decodeURIComponent);
  const key = rest.join('/');
  if (bucket !== server.bucket)
    return failure(404, 'NoSuchBucket', `There is no bucket ${bucket}.`);
  if (key === '') return query.has('uploads') ? listUploads(server) : listObjects(server, query);
  if (query.has('uploads') || query.has('uploadId'))
    return answerParts(server, { key, query, method: request.method, body });
  const object = server.objects.get(key);
  switch (request.method) {
    case 'PUT':
      server.objects.set(key, { bytes: body, changed: new Date() });
      return { status: 200, headers: { etag: etagOf(body) } };
    case 'DELETE':
      server.objects.delete(key);
      return { status: 204 };
    default:
      if (object === undefined) return failure(404, 'NoSuchKey', `There is no object ${key}.`);
      return {
        status: 200,
        body: object.bytes,
        headers: {
          'content-length': object.bytes.length,
          'content-disposition': query.get('response-content-disposition') ?? '',
          'content-type': query.get('response-content-type') ?? 'application/octet-stream',
        },
      };
  }
}

interface PartCall {
  readonly key: string;
  readonly query: URLSearchParams;
  readonly method: string | undefined;
  readonly body: Buffer;
}

function answerParts(
  { objects, uploads }: S3Server,
  { key, query, method, body }: PartCall,
): Answer {
  if (query.has('uploads')) {
    const id = randomBytes(8).toString('hex');
    uploads.set(id, { key, begun: new Date(), parts: new Map() });
    return xml(
      `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  }
  const id = query.get('uploadId') ?? '';
  const upload = uploads.get(id);
  if (upload === undefined) return failure(404, 'NoSuchUpload', 'There is no such upload.');
  if (method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body);
    return { status: 200, headers: { etag: etagOf(body) } };
  }
  uploads.delete(id);
  if (method === 'DELETE') return { status: 204 };
  const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)</g)].map(([, text]) =>
    Number(text),
  );
  const bytes = Buffer.concat(numbers.map((number) => upload.parts.get(number) ?? Buffer.alloc(0)));
  objects.set(key, { bytes, changed: new Date() });
  return xml(`<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`);
}

function listObjects({ objects }: S3Server, query: URLSearchParams): Answer {
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort();
  const page = keys.slice(0, PAGE);
  const contents = page.map((key) => {
    const { bytes, changed } = objects.get(key) as StoredObject;
    return `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><LastModified>${changed.toISOString()}</LastModified></Contents>`;
  });
  const isMore = keys.length > PAGE;
  const next = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return xml(
    `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  );
}

function listUploads({ uploads }: S3Server): Answer {
  const all = [...uploads].map(
    ([id, { key, begun }]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`,
  );
  return xml(
    `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${all.join('')}</ListMultipartUploadsResult>`,
  );
}

const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;

const xml = (text: string, status = 200): Answer => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?>${text}`,
  headers: { 'content-type': 'application/xml' },
});

const failure = (status: number, code: string, message: string): Answer =>
  xml(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`, status);
