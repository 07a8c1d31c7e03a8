/** The location of the embedded PostgreSQL: its cluster, its socket, and a home that its user can enter. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartError } from '../start-error.ts';
import { canEnter, type Identity, makePrivateFolder } from './identity.ts';

export interface Place {
  /** Folder that contains all the others; `<data folder>/postgres` unless PostgreSQL's user cannot enter that. */
  readonly home: string;
  readonly cluster: string;
  readonly socket: string;
  readonly log: string;
}

export const SOCKET_PORT = 5432;
/** A socket address has 108 bytes with its terminating zero; macOS allows 104. */
const MAX_SOCKET_PATH = 103;
/** Written into the data folder when the home had to be elsewhere, so that it is found again. */
const MARKER = 'postgres-place';

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Chooses the place for `dataDir` and creates its folders. */
export function findPlace(dataDir: string, identity: Identity, say: (text: string) => void): Place {
  const home = findHome(dataDir, identity, say);
  return {
    home,
    cluster: path.join(home, 'cluster'),
    socket: findSocketFolder(home, identity),
    log: path.join(home, 'postgres.log'),
  };
}

function findHome(dataDir: string, identity: Identity, say: (text: string) => void): string {
  const marker = path.join(dataDir, MARKER);
  if (fs.existsSync(marker)) return fs.readFileSync(marker, 'utf8').trim();
  const usual = path.join(dataDir, 'postgres');
  if (canEnter(dataDir, identity)) {
    makePrivateFolder(usual, identity);
    return usual;
  }
  const name = `ergodic-${shortHash(dataDir)}`;
  for (const parent of ['/var/lib', '/var/tmp', os.tmpdir()]) {
    if (!canEnter(parent, identity)) continue;
    const home = path.join(parent, name);
    try {
      makePrivateFolder(home, identity);
    } catch {
      continue;
    }
    fs.writeFileSync(marker, `${home}\n`);
    say(
      `PostgreSQL cannot run as root, and the user it runs as cannot enter ${dataDir}: the database is stored in ${home}`,
    );
    return home;
  }
  throw new StartError(
    `PostgreSQL cannot run as root, and no folder was found that its user (uid ${identity.uid}) can enter.\n` +
      'Choose a data folder that every user can pass into (--data), or start as an ordinary user.',
  );
}

function findSocketFolder(home: string, identity: Identity): string {
  const usual = path.join(home, 'socket');
  if (Buffer.byteLength(`${usual}/.s.PGSQL.${SOCKET_PORT}`) <= MAX_SOCKET_PATH) {
    makePrivateFolder(usual, identity);
    return usual;
  }
  const short = path.join('/tmp', `ergodic-${identity.uid}-${shortHash(home)}`);
  makePrivateFolder(short, identity);
  const stat = fs.lstatSync(short);
  if (!stat.isDirectory() || stat.uid !== identity.uid || (stat.mode & 0o077) !== 0) {
    throw new StartError(`${short} belongs to another user; remove it and start again.`);
  }
  return short;
}
