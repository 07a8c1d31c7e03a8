/** How a server is reached: libpq's meaning of its address (TLS, password files), and the direct way past a pooler. */
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import pgpass from 'pgpass';
import { StartError } from '../start-error.ts';

/** Where PostgreSQL is: an address, or the socket of the embedded one. */
export type Connection =
  | {
      readonly connectionString: string;
      /** Past a pooler, for what needs a session of its own: LISTEN, locks that last as long as it, migrations. */
      readonly directString?: string;
    }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
    };

/** The same database, never by a pooler. */
export function directConnection(connection: Connection): Connection {
  return 'connectionString' in connection && connection.directString
    ? { connectionString: connection.directString }
    : connection;
}

/** What the driver is given. Throws `StartError` when the address names what cannot be read, or means nothing safe. */
export function clientConfig(connection: Connection): pg.ClientConfig {
  return 'connectionString' in connection
    ? serverConfig(connection.connectionString)
    : { ...connection };
}

const modes = ['disable', 'require', 'verify-ca', 'verify-full'];

function serverConfig(text: string): pg.ClientConfig {
  const url = parseAddress(text);
  const query = url.searchParams;
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
    throw new StartError('sslmode=verify-ca needs sslrootcert, the file of the authority.');
  const passfile = query.get('passfile');
  query.delete('passfile');
  if (mode !== '') query.set('sslmode', mode);
  // libpq's meaning of sslmode: `require` encrypts, `verify-…` also checks who answers
  if (mode !== '' && mode !== 'disable') query.set('uselibpqcompat', 'true');
  const hasPassword = url.password !== '' || query.has('password') || process.env.PGPASSWORD;
  return {
    ...parseIntoClientConfig(url.href),
    ...(hasPassword ? {} : { password: () => passwordFromFile(url, passfile) }),
  };
}

/** The address of a server. The error does not repeat it, since it may hold a password. */
function parseAddress(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new StartError(
      'The database address must look like postgresql://user:password@host:5432/name; encode other characters than letters and digits (%40 for @).',
    );
  }
}

function checkReadable(name: string, file: string): void {
  try {
    readFileSync(file);
  } catch (error) {
    throw new StartError(`${name} cannot be read: ${(error as Error).message}.`);
  }
}

/** From `passfile`, `PGPASSFILE` or `~/.pgpass`; empty when none names this server. */
function passwordFromFile(url: URL, passfile: string | null): Promise<string> {
  // the reader takes the file's name from the environment only
  if (passfile !== null) process.env.PGPASSFILE = passfile;
  const { searchParams: query } = url;
  const server = {
    host: query.get('host') ?? decodeURIComponent(url.hostname.replace(/^\[(.+)\]$/, '$1')),
    port: Number(query.get('port') ?? url.port) || 5432,
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(query.get('user') ?? url.username),
  };
  return new Promise((resolve) => pgpass(server, (password) => resolve(password ?? '')));
}
