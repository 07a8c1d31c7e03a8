/** The service's own log: JSON lines on stderr, without secrets that grant access. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { traceFields } from './spans.ts';

export type { Logger };

const secret = [
  'authorization',
  'password',
  'new_password',
  'token',
  'tokens',
  'cookie',
  'x-share-password',
];

const paths = [
  ...secret.map((name) => `["${name}"]`),
  ...secret.map((name) => `*["${name}"]`),
  ...secret.map((name) => `*.headers["${name}"]`),
  ...secret.map((name) => `*.*["${name}"]`),
];

export interface LoggerOptions {
  readonly level?: string;
  readonly destination?: DestinationStream;
}

/** Level by `ERGODIC_LOG_LEVEL`, `info` when it is empty. */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level = process.env.ERGODIC_LOG_LEVEL || 'info' } = options;
  const settings = {
    level,
    base: undefined,
    mixin: traceFields,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths, censor: '[hidden]' },
    formatters: { level: (label: string) => ({ level: label }) },
    // The last word: whatever came by another way than a named field.
    hooks: { streamWrite: hideTokens },
    serializers: { req: describeRequest, err: describeError },
  };
  return options.destination === undefined
    ? pino(settings, standardError())
    : pino(settings, options.destination);
}

/** What cannot be written (the disk behind it is full, its reader is gone) is lost; the service continues. */
function standardError(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: true });
  destination.on('error', () => {});
  return destination;
}

interface LoggedRequest {
  readonly method?: string;
  readonly url?: string;
  readonly id?: unknown;
}

/** Method and path; never the query, which may hold a token or a signature. */
function describeRequest(request: LoggedRequest): object {
  return { id: request.id, method: request.method, path: String(request.url ?? '').split('?')[0] };
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, stack = '' } = error;
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  const quotes = severity !== undefined && /^2[23]/.test(String(code));
  const message = quotes ? withoutValues(error.message) : error.message;
  return { name, code, message, stack: stack.replace(error.message, message) };
}

/** A database that refuses a value quotes it, and what it refuses is a user's. */
const withoutValues = (message: string) => message.replace(/: .*$/s, ': [value]');

/** Tokens and the passwords of database addresses inside free text. */
export function hideTokens(text: string): string {
  return text
    .replace(/erg_[\w-]{6,}/g, 'erg_[hidden]')
    .replace(/(postgres(?:ql)?:\/\/[^:@/\s]+:)[^@\s]+@/g, '$1[hidden]@');
}
