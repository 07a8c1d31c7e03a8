/** A bucket as an operator names it: `s3://bucket/prefix?endpoint=…&region=…`. Credentials come from the usual places. */
import { StartError } from '../start-error.ts';

export interface S3Place {
  readonly bucket: string;
  /** Empty, or ends in a slash. */
  readonly prefix: string;
  readonly endpoint?: string;
  readonly region?: string;
  /** Puts the bucket in the path of addresses instead of the host, as most servers other than Amazon's require. */
  readonly pathStyle: boolean;
  /** Browsers can reach the bucket: files are served from signed addresses. */
  readonly signed: boolean;
}

const known = ['endpoint', 'region', 'path-style', 'signed'];

/** Throws `StartError` that says what is wrong. */
export function readS3Place(text: string, environment: NodeJS.ProcessEnv = process.env): S3Place {
  const url = parse(text);
  if (url === null || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname))
    throw new StartError(`--files must name a bucket, s3://BUCKET/PREFIX, not "${text}".`);
  const query = url.searchParams;
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new StartError(
      `--files has no option "${unknown}". After the ? it takes ${known.join(', ')}.`,
    );
  if (url.username !== '' || url.password !== '')
    throw new StartError(
      'Do not put keys in --files: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use a profile.',
    );
  const endpoint = query.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !/^https?:\/\/[^/]/.test(endpoint))
    throw new StartError(`The endpoint in --files must begin with https://, not "${endpoint}".`);
  const isElsewhere =
    endpoint ?? environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL ?? '';
  const path = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  return {
    bucket: url.hostname,
    prefix: path === '' ? '' : `${path}/`,
    endpoint,
    region: query.get('region') ?? undefined,
    pathStyle: flag(query.get('path-style'), isElsewhere !== ''),
    signed: flag(query.get('signed'), false),
  };
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function flag(text: string | null, fallback: boolean): boolean {
  if (text === null) return fallback;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new StartError(`path-style and signed in --files must be true or false, not "${text}".`);
}
