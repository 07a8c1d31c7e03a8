/** Requests designed to make a service unavailable to others: each is small to send or slow to read. */
import { gzipSync } from 'node:zlib';

export interface HostileBody {
  readonly name: string;
  readonly path: string;
  readonly isSignedIn: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Created when it is sent, as some are large. `megabytes`: the unpacked size. */
  readonly make: (megabytes: number) => Buffer;
  /** The expected answer. */
  readonly status: number;
  readonly code: string;
  /** The limit that the answer names. */
  readonly limit?: string;
}

const fill = (unit: string, megabytes: number) =>
  unit.repeat(Math.floor((megabytes * 2 ** 20) / unit.length));
const listOf = (unit: string, megabytes: number) =>
  Buffer.from(`[${fill(`${unit},`, megabytes)}${unit}]`);
const gzip = { 'content-encoding': 'gzip' };
const object = '/api/object';
const login = '/base/login';
const tooLarge = { status: 413, code: 'TOO_LARGE' };
const invalid = { status: 400, code: 'INVALID_PARAMETER' };

export const hostileBodies: readonly HostileBody[] = [
  {
    name: 'packed empty lists, by nobody',
    path: login,
    isSignedIn: false,
    headers: gzip,
    make: (megabytes) => gzipSync(listOf('[]', megabytes)),
    ...invalid,
  },
  {
    name: 'many small objects, by nobody',
    path: login,
    isSignedIn: false,
    make: (megabytes) => listOf('{"k":1}', megabytes),
    ...tooLarge,
    limit: 'small_body_bytes',
  },
  {
    name: 'a large command, by nobody',
    path: '/run',
    isSignedIn: false,
    make: (megabytes) => listOf('{"k":1}', megabytes),
    ...tooLarge,
    limit: 'command_body_bytes',
  },
  {
    name: 'packed empty lists',
    path: object,
    isSignedIn: true,
    headers: gzip,
    make: (megabytes) => gzipSync(listOf('[]', megabytes)),
    ...tooLarge,
    limit: 'body_ratio',
  },
  {
    name: 'empty lists',
    path: object,
    isSignedIn: true,
    make: (megabytes) => listOf('[]', megabytes),
    ...tooLarge,
    limit: 'body_values',
  },
  {
    name: 'small objects',
    path: object,
    isSignedIn: true,
    make: (megabytes) => listOf('{"k":1}', megabytes),
    ...tooLarge,
    limit: 'body_values',
  },
  {
    name: 'small objects that speak of draws',
    path: object,
    isSignedIn: true,
    make: (megabytes) => listOf('{"experiment.protobuf_message":1}', megabytes),
    ...tooLarge,
    limit: 'message_values',
  },
  {
    name: 'numbers that speak of draws',
    path: object,
    isSignedIn: true,
    make: (megabytes) => Buffer.from(`["experiment.protobuf_message",${fill('1,', megabytes)}1]`),
    ...tooLarge,
    limit: 'message_numbers',
  },
  {
    name: 'brackets in each other',
    path: object,
    isSignedIn: true,
    make: (megabytes) => Buffer.from(fill('[', megabytes)),
    ...invalid,
  },
  {
    name: 'a text that does not end',
    path: object,
    isSignedIn: true,
    make: (megabytes) => Buffer.from(`"${fill('\\"', megabytes)}`),
    ...invalid,
  },
  {
    name: 'NaN where none may be',
    path: object,
    isSignedIn: true,
    make: (megabytes) => Buffer.from(`["experiment.",NaN,"${fill('NaN', megabytes)}"]`),
    ...invalid,
  },
  {
    name: 'a description of megabytes',
    path: object,
    isSignedIn: true,
    make: (megabytes) =>
      Buffer.from(`{"payload":{"object_type":"share","objid":"${fill('x', megabytes)}"}}`),
    ...tooLarge,
    limit: 'body_text_bytes',
  },
];
