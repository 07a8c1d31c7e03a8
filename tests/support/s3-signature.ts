/** Signature Version 4 of a request to S3, derived from Amazon's description, to check what the client signs. */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

interface Claimed {
  readonly credential: string;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly date: string;
  readonly payloadHash: string;
}

/** Whether it is signed with the key, over its headers and body, and in time. */
export function isSigned(
  request: IncomingMessage,
  body: Buffer,
  keys: { readonly id: string; readonly secret: string },
): boolean {
  const url = new URL(request.url ?? '', 'http://s3');
  const isQuery = url.searchParams.has('X-Amz-Signature');
  const claimed = isQuery ? inQuery(url) : inHeader(request);
  if (claimed === null) return false;
  const { credential, signedHeaders, signature, date, payloadHash } = claimed;
  const [id, day, region, service] = credential.split('/');
  if (id !== keys.id || service !== 's3') return false;
  if (payloadHash !== 'UNSIGNED-PAYLOAD' && payloadHash !== sha256(body)) return false;
  if (isQuery && hasExpired(date, url)) return false;
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const headers = signedHeaders
    .split(';')
    .map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const path = url.pathname.split('/').map((part) => encode(decodeURIComponent(part)));
  const canonical = [
    request.method,
    path.join('/'),
    query.join('&'),
    headers.join(''),
    signedHeaders,
    payloadHash,
  ];
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical.join('\n'))].join('\n');
  const steps = [day ?? '', region ?? '', 's3', 'aws4_request'];
  const key = steps.reduce<string | Buffer>(hmac, `AWS4${keys.secret}`);
  return hmac(key, text).toString('hex') === signature;
}

function inHeader(request: IncomingMessage): Claimed | null {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, credential, signedHeaders, signature] =
    pattern.exec(request.headers.authorization ?? '') ?? [];
  const date = request.headers['x-amz-date'];
  const payloadHash = request.headers['x-amz-content-sha256'];
  if (!credential || !signedHeaders || !signature) return null;
  if (typeof date !== 'string' || typeof payloadHash !== 'string') return null;
  return { credential, signedHeaders, signature, date, payloadHash };
}

function inQuery({ searchParams }: URL): Claimed {
  const of = (name: string) => searchParams.get(`X-Amz-${name}`) ?? '';
  return {
    credential: of('Credential'),
    signedHeaders: of('SignedHeaders'),
    signature: of('Signature'),
    date: of('Date'),
    payloadHash: 'UNSIGNED-PAYLOAD',
  };
}

function hasExpired(date: string, { searchParams }: URL): boolean {
  const iso = date.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z');
  const seconds = Number(searchParams.get('X-Amz-Expires'));
  return !(Date.parse(iso) + seconds * 1000 > Date.now());
}
