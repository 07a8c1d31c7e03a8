/** How to connect to a server: its address as libpq reads it (TLS, password files), and the way past a pooler. */
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import pgpass from 'pgpass';
import { StartError } from '../start-error.ts';

/** Where PostgreSQL is: an address, or the socket of the embedded one. */
export type Connection =
  | {
      readonly connectionString: string;
      /** Bypasses a pooler, for what needs a dedicated session: LISTEN, session locks, migrations. */
      readonly directString?: string;
    }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
    };

/** The same database, never through a pooler. */
export function directConnection(connection: Connection): Connection {
  return 'connectionString' in connection && connection.directString
    ? { connectionString: connection.directString }
    : connection;
}

export interface ServerPlace {
  readonly host: string;
  readonly port: number;
}

export interface ServerConfig extends pg.ClientConfig {
  /** Several servers, of which one takes writes, in the order of the address. Absent: use `host` and `port`. */
  readonly servers?: readonly ServerPlace[];
  /** No pooler between client and session: prepared statements remain available. */
  readonly prepares?: boolean;
}

/** Options for the driver. Throws `StartError` if the address names an unreadable file, or is not safe. */
export function clientConfig(connection: Connection): ServerConfig {
  if (!('connectionString' in connection)) return { ...connection, prepares: true };
  return { ...serverConfig(connection.connectionString), prepares: !connection.directString };
}

const modes = ['disable', 'require', 'verify-ca', 'verify-full'];
/** Required properties of a server, with libpq's names. */
const sessions = ['read-write', 'primary'];

function serverConfig(text: string): ServerConfig {
  const { url, servers } = readAddress(text);
  const query = url.searchParams;
  const session = query.get('target_session_attrs');
  if (session !== null && !sessions.includes(session))
    throw new StartError(
      `target_session_attrs must be ${sessions.join(' or ')}, not "${session}": Ergodic writes to its database.`,
    );
  query.delete('target_session_attrs');
  const mode = query.get('sslmode') ?? process.env.PGSSLMODE ?? '';
  const files = ['sslrootcert', 'sslcert', 'sslkey'].filter((name) => query.has(name));
  if (mode !== '' && !modes.includes(mode))
    throw new StartError(
      `sslmode must be ${modes.slice(0, -1).join(', ')} or ${modes.at(-1)}, not "${mode}"${
        mode === 'prefer' || mode === 'allow' ? ': it could send the password without TLS' : ''
      }.`,
    );
  if (mode === '' && files.length > 0)
    throw new StartError(`${files[0]} needs sslmode as well, for example sslmode=verify-full.`);
  for (const name of files) checkReadable(name, query.get(name) ?? '');
  if (mode === 'verify-ca' && !query.has('sslrootcert'))
    throw new StartError(
      'sslmode=verify-ca needs sslrootcert, the certificate file of the authority.',
    );
  const passfile = query.get('passfile');
  query.delete('passfile');
  if (mode !== '') query.set('sslmode', mode);
  // libpq's meaning of sslmode: `require` encrypts, `verify-…` also checks the server's identity
  if (mode !== '' && mode !== 'disable') query.set('uselibpqcompat', 'true');
  const hasPassword = url.password !== '' || query.has('password') || process.env.PGPASSWORD;
  const passwordOf = (place: unknown) => passwordFromFile(url, place as ServerPlace, passfile);
  return {
    ...parseIntoClientConfig(url.href),
    // the driver passes the server that it connects to, which its type does not declare
    ...(hasPassword ? {} : { password: passwordOf as unknown as () => Promise<string> }),
    ...(servers.length > 1 ? { servers } : {}),
  };
}

export interface ServerAddress {
  /** Of the first server. */
  readonly url: URL;
  readonly servers: readonly ServerPlace[];
}

const DEFAULT_PORT = 5432;

/**
 * Reads `postgresql://user@host1:5432,host2/name`, or the same with `?host=host1,host2&port=5432`, as libpq does; the
 * driver supports only one host. The error does not repeat the address, since it may contain a password.
 */
export function readAddress(text: string): ServerAddress {
  try {
    const [, scheme = '', places = '', rest = ''] =
      /^([^:/?#]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? [];
    const [first = '', ...others] = places.split(',');
    const url = new URL(`${scheme}${first}${rest}`);
    const query = url.searchParams;
    const hosts = query.get('host')?.split(',') ?? [];
    if (hosts.length === 0) {
      const given = [first, ...others].map((place) => placeOf(new URL(`${scheme}${place}`)));
      return { url, servers: given };
    }
    const ports = (query.get('port') ?? url.port).split(',');
    const servers = hosts.map((host, i) => ({ host, port: portOf(ports[i] ?? ports[0] ?? '') }));
    if (hosts.length > 1) {
      query.set('host', hosts[0] ?? '');
      query.set('port', String(servers[0]?.port));
    }
    return { url, servers };
  } catch {
    throw new StartError(
      'The database address must look like postgresql://user:password@host:5432/name; encode characters other than letters and digits (%40 for @).',
    );
  }
}

function placeOf(url: URL): ServerPlace {
  const host = decodeURIComponent(url.hostname.replace(/^\[(.+)\]$/, '$1'));
  return { host, port: portOf(url.port) };
}

function portOf(text: string): number {
  const port = text === '' ? DEFAULT_PORT : Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('not a port');
  return port;
}

function checkReadable(name: string, file: string): void {
  try {
    readFileSync(file);
  } catch (error) {
    throw new StartError(`${name} cannot be read: ${(error as Error).message}.`);
  }
}

/** From `passfile`, `PGPASSFILE` or `~/.pgpass`; empty when none names this server. */
function passwordFromFile(
  url: URL,
  { host, port }: ServerPlace,
  passfile: string | null,
): Promise<string> {
  // the library takes the file's name only from the environment
  if (passfile !== null) process.env.PGPASSFILE = passfile;
  const server = {
    host,
    port,
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.searchParams.get('user') ?? url.username),
  };
  return new Promise((resolve) => pgpass(server, (password) => resolve(password ?? '')));
}
