/** What the operator can configure: command-line options, each also as an environment variable `ERGODIC_…`. */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { type OidcConfig, type OptionRow, oidcOptions, readOidcConfig } from './oidc-config.ts';
import { StartError } from './start-error.ts';

export interface ServiceConfig {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  /** Empty: the embedded PostgreSQL of the data folder. */
  readonly databaseUrl: string;
  /** The same database without the pooler in between; empty: there is no pooler. */
  readonly directDatabaseUrl: string;
  /** A folder or `s3://bucket/prefix`; empty: below the data folder. */
  readonly files: string;
  /** Port that monitoring queries; -1: none. */
  readonly metricsPort: number;
  readonly metricsHost: string;
  /** Chains that may run at the same time on this machine; 0: none. */
  readonly workers: number;
  /** Chains of one user that may run at the same time on all machines; 0: no limit. */
  readonly userChains: number;
  /** Opens the browser when ready. */
  readonly open: boolean;
  /** Prints the sign-in link even where stdout is not a terminal. */
  readonly printToken: boolean;
  /** Origin that people use; empty: the listening address. */
  readonly publicUrl: string;
  /** Names that a Host header may contain in addition to our own. */
  readonly allowedHosts: readonly string[];
  /** Origins that may call from a browser. */
  readonly allowedOrigins: readonly string[];
  /** Trusts X-Forwarded-For from the proxy in front. */
  readonly trustProxy: boolean;
  /** Hosts that may be fetched from for users; `*`: every public one; empty: none. */
  readonly allowFetch: readonly string[];
  /** Runs programs of other languages without a sandbox if none can be built. */
  readonly trustRuntimes: boolean;
  /** Origins of other servers the dashboard may connect to; empty: the built-in policy. */
  readonly connect: readonly string[];
  /** Gigabytes that the uploads of one user may take; 0: uploads are refused. */
  readonly maxUpload: number;
  /** Single sign-on; null: none. */
  readonly oidc: OidcConfig | null;
}

export const serviceOptions: readonly OptionRow[] = [
  {
    name: 'port',
    kind: 'integer',
    value: 'PORT',
    meaning: 'port to listen on (8650; 0: any free one)',
  },
  { name: 'host', kind: 'text', value: 'ADDRESS', meaning: 'address to listen on (127.0.0.1)' },
  {
    name: 'data',
    kind: 'text',
    value: 'FOLDER',
    meaning: 'where everything is stored (./ergodic-data)',
  },
  {
    name: 'database-url',
    kind: 'text',
    value: 'URL',
    meaning: 'a PostgreSQL server instead of the embedded one (also DATABASE_URL)',
  },
  {
    name: 'direct-database-url',
    kind: 'text',
    value: 'URL',
    meaning: 'the same server without the pooler, if database-url goes through PgBouncer',
  },
  {
    name: 'files',
    kind: 'text',
    value: 'PLACE',
    meaning: 'a folder that all services share, or s3://BUCKET/PREFIX, for files (DATA/files)',
  },
  {
    name: 'metrics-port',
    kind: 'integer',
    value: 'PORT',
    meaning: 'a separate port for /metrics, /healthz and /readyz (none)',
  },
  {
    name: 'metrics-host',
    kind: 'text',
    value: 'ADDRESS',
    meaning: 'address of that port (127.0.0.1); anyone who reaches it sees all counts',
  },
  {
    name: 'workers',
    kind: 'integer',
    value: 'N',
    meaning: 'chains at once on this machine (its cores; 0: none)',
  },
  {
    name: 'user-chains',
    kind: 'integer',
    value: 'N',
    meaning: 'chains of one user at once, on all machines (0: no limit)',
  },
  { name: 'open', kind: 'flag', meaning: 'open the dashboard in the browser when ready' },
  {
    name: 'print-token',
    kind: 'flag',
    meaning: 'print the sign-in link even without a terminal',
  },
  {
    name: 'public-url',
    kind: 'text',
    value: 'URL',
    meaning: 'the address that people use, if a proxy is in front',
  },
  {
    name: 'allowed-host',
    kind: 'list',
    value: 'HOST',
    meaning: 'another host name this service answers to',
  },
  {
    name: 'allow-origin',
    kind: 'list',
    value: 'ORIGIN',
    meaning: 'an origin whose pages may call this service',
  },
  { name: 'trust-proxy', kind: 'flag', meaning: "trust the proxy's X-Forwarded-For header" },
  {
    name: 'allow-fetch',
    kind: 'list',
    value: 'HOST',
    meaning:
      'a host that models and data may be fetched from (*: any public one; HOST:PORT: an internal one too)',
  },
  {
    name: 'trust-runtimes',
    kind: 'flag',
    meaning: 'run Python, Julia and R programs even without a sandbox',
  },
  {
    name: 'connect',
    kind: 'list',
    value: 'ORIGIN',
    meaning: 'a server that the dashboard may talk to',
  },
  {
    name: 'max-upload',
    kind: 'integer',
    value: 'GB',
    meaning: 'gigabytes that uploads of one user may take (64; 0: no uploads)',
  },
  ...oidcOptions,
];

/** Options as given: text by name, lists for repeated options, `true` for flags. */
export type GivenOptions = Readonly<
  Record<string, string | boolean | readonly string[] | undefined>
>;

type Environment = Readonly<Record<string, string | undefined>>;

export function environmentName(option: string): string {
  return `ERGODIC_${option.toUpperCase().replaceAll('-', '_')}`;
}

/** Options beat the environment, which beats the defaults. Throws `StartError` that names the option at fault. */
export function readConfig(
  given: GivenOptions,
  environment: Environment = process.env,
): ServiceConfig {
  const raw = (
    name: string,
  ): { value: string | boolean | readonly string[]; from: string } | null => {
    const option = given[name];
    if (option !== undefined) return { value: option, from: `--${name}` };
    const variable = environment[environmentName(name)];
    if (variable !== undefined && variable !== '')
      return { value: variable, from: environmentName(name) };
    return null;
  };
  const text = (name: string, fallback: string) => {
    const found = raw(name);
    return found === null ? fallback : String(found.value);
  };
  const integer = (name: string, fallback: number, most: number) => {
    const found = raw(name);
    if (found === null) return fallback;
    const number = /^\d+$/.test(String(found.value).trim()) ? Number(found.value) : Number.NaN;
    if (number <= most) return number;
    throw new StartError(
      `${found.from} must be a whole number from 0 to ${most}, not "${String(found.value)}".`,
    );
  };
  const flag = (name: string) => {
    const found = raw(name);
    if (found === null) return false;
    const word = String(found.value).toLowerCase();
    if (['true', '1', 'yes', 'on'].includes(word)) return true;
    if (['false', '0', 'no', 'off'].includes(word)) return false;
    throw new StartError(`${found.from} must be true or false, not "${String(found.value)}".`);
  };
  const list = (name: string) => {
    const found = raw(name);
    if (found === null) return [];
    const texts = Array.isArray(found.value)
      ? (found.value as readonly string[])
      : [String(found.value)];
    return texts.flatMap((text) => text.split(/[\s,]+/)).filter((word) => word !== '');
  };
  const names = (name: string) => {
    const found = raw(name)?.value ?? '';
    const texts = typeof found === 'string' ? found.split(',') : [found].flat().map(String);
    return texts.map((one) => one.trim()).filter((one) => one !== '');
  };
  return {
    port: integer('port', 8650, 65_535),
    host: text('host', '127.0.0.1'),
    dataDir: path.resolve(text('data', 'ergodic-data')),
    databaseUrl: checkDatabaseUrl(
      text('database-url', environment.DATABASE_URL ?? ''),
      '--database-url or DATABASE_URL',
    ),
    directDatabaseUrl: checkDatabaseUrl(text('direct-database-url', ''), '--direct-database-url'),
    files: text('files', ''),
    metricsPort: raw('metrics-port') === null ? -1 : integer('metrics-port', 0, 65_535),
    metricsHost: text('metrics-host', '127.0.0.1'),
    workers: integer('workers', availableParallelism(), 1024),
    userChains: integer('user-chains', 0, 1024),
    open: flag('open'),
    printToken: flag('print-token'),
    publicUrl: checkOrigin('--public-url', text('public-url', '')),
    allowedHosts: list('allowed-host'),
    allowedOrigins: list('allow-origin').map((origin) => checkOrigin('--allow-origin', origin)),
    trustProxy: flag('trust-proxy'),
    allowFetch: list('allow-fetch'),
    trustRuntimes: flag('trust-runtimes'),
    connect: list('connect').map((origin) => checkOrigin('--connect', origin)),
    maxUpload: integer('max-upload', 64, 1_000_000),
    oidc: readOidcConfig(
      { text, integer, flag, names },
      environment[environmentName('oidc-client-secret')] ?? '',
    ),
  };
}

function checkDatabaseUrl(url: string, option: string): string {
  if (url === '' || /^postgres(ql)?:\/\//.test(url)) return url;
  throw new StartError(
    `The database address must look like postgresql://user:password@host:5432/name (${option}).`,
  );
}

/** The origin of an http or https address, without a path. */
function checkOrigin(option: string, text: string): string {
  if (text === '') return '';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new StartError(
      `${option} must be an address such as https://ergodic.example.org, not "${text}".`,
    );
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new StartError(`${option} must begin with https:// or http://, not "${text}".`);
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new StartError(`${option} must be an origin alone, ${url.origin}, not "${text}".`);
  }
  return url.origin;
}
