/**
 * A collector of OpenTelemetry traces on loopback: accepts http/protobuf and stores the spans. Field numbers are those
 * of opentelemetry/proto/trace/v1/trace.proto.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export type SpanValue = string | number | boolean;

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: the trace begins here. */
  readonly parentId: string;
  readonly name: string;
  /** As OpenTelemetry numbers them: 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, SpanValue>>;
  readonly isError: boolean;
  /** The process that sent it. */
  readonly resource: Readonly<Record<string, SpanValue>>;
}

export interface OtlpCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  readonly spans: CollectedSpan[];
  /** Everything received, as text, to check what must not be in it. */
  readonly received: () => string;
  /** A header of the last request. */
  readonly header: (name: string) => string | undefined;
  /** Number of requests, answered or not. */
  readonly requests: () => number;
  /** How it responds from now on; `hang`: it never answers. */
  behave(how: 'take' | 'refuse' | 'hang'): void;
  close(): Promise<void>;
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  let how: 'take' | 'refuse' | 'hang' = 'take';
  let headers: http.IncomingHttpHeaders = {};
  let requests = 0;
  const server = http.createServer((request, response) => {
    requests += 1;
    if (how === 'hang') return;
    const blocks: Buffer[] = [];
    request.on('data', (block: Buffer) => blocks.push(block));
    request.on('end', () => {
      const isMine = request.method === 'POST' && request.url === '/v1/traces';
      if (how === 'refuse' || !isMine)
        return response.writeHead(how === 'refuse' ? 403 : 404).end();
      headers = request.headers;
      const sent = Buffer.concat(blocks);
      const body = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      bodies.push(body);
      spans.push(...readRequest(body));
      return response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    received: () => bodies.map((body) => body.toString('latin1')).join('\n'),
    header: (name) => headers[name] as string | undefined,
    requests: () => requests,
    behave(next) {
      how = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Field {
  readonly number: number;
  /** Bytes for wire type 2, otherwise a number. */
  readonly value: Buffer | bigint;
}

function* readFields(bytes: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const number = key >> 3;
    switch (key & 7) {
      case 0:
        yield { number, value: varint() };
        break;
      case 1:
        yield { number, value: bytes.readBigUInt64LE(at) };
        at += 8;
        break;
      case 2: {
        const size = Number(varint());
        yield { number, value: bytes.subarray(at, at + size) };
        at += size;
        break;
      }
      case 5:
        yield { number, value: BigInt(bytes.readUInt32LE(at)) };
        at += 4;
        break;
      default:
        throw new Error(`wire type ${key & 7}`);
    }
  }
}

const all = (bytes: Buffer, number: number): Buffer[] =>
  [...readFields(bytes)].flatMap((field) =>
    field.number === number && Buffer.isBuffer(field.value) ? [field.value] : [],
  );
const bytesOf = (bytes: Buffer, number: number) => all(bytes, number)[0] ?? Buffer.alloc(0);
const numberOf = (bytes: Buffer, number: number) => {
  const field = [...readFields(bytes)].find((one) => one.number === number);
  return typeof field?.value === 'bigint' ? field.value : 0n;
};

function readRequest(body: Buffer): CollectedSpan[] {
  return all(body, 1).flatMap((group) => {
    const resource = readAttributes(all(bytesOf(group, 1), 1));
    return all(group, 2).flatMap((scope) =>
      all(scope, 2).map((span) => ({ ...readSpan(span), resource })),
    );
  });
}

function readSpan(span: Buffer): Omit<CollectedSpan, 'resource'> {
  const milliseconds = (number: number) => Number(numberOf(span, number)) / 1e6;
  return {
    traceId: bytesOf(span, 1).toString('hex'),
    spanId: bytesOf(span, 2).toString('hex'),
    parentId: bytesOf(span, 4).toString('hex'),
    name: bytesOf(span, 5).toString('utf8'),
    kind: Number(numberOf(span, 6)),
    start: milliseconds(7),
    end: milliseconds(8),
    attributes: readAttributes(all(span, 9)),
    isError: numberOf(bytesOf(span, 15), 3) === 2n,
  };
}

function readAttributes(pairs: readonly Buffer[]): Record<string, SpanValue> {
  return Object.fromEntries(
    pairs.map((pair) => [bytesOf(pair, 1).toString('utf8'), readValue(bytesOf(pair, 2))]),
  );
}

function readValue(value: Buffer): SpanValue {
  const [field] = readFields(value);
  if (field === undefined) return '';
  if (Buffer.isBuffer(field.value)) return field.value.toString('utf8');
  if (field.number === 2) return field.value === 1n;
  return field.number === 4 ? value.readDoubleLE(1) : Number(field.value);
}
