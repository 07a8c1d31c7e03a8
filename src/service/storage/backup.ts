/**
 * A backup is one compressed file: a header line, then for each table its name and its rows as JSON. It is a snapshot
 * at one moment, taken while the service runs, and can be restored into an empty database of the same or a later version.
 * Files made from draws are left out: they are made again when requested.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import { migrations } from '../migrations/migrations.ts';
import { allowIdle, inTransaction } from '../repositories/database.ts';
import {
  clearNewDatabase,
  hasObjects,
  insertTableRow,
  moveSequences,
  readTableRows,
  setSnapshotReads,
} from '../repositories/whole-tables.ts';
import { StartError } from '../start-error.ts';

/** Tables that others refer to come first. Transient ones (workers, attempts, exports) are left out. */
export const backupTables = [
  'settings',
  'users',
  'identities',
  'teams',
  'team_members',
  'queue_turns',
  'deletions',
  'tokens',
  'objects',
  'blobs',
  'models',
  'model_versions',
  'object_blobs',
  'data_objects',
  'data_versions',
  'workflows',
  'experiments',
  'experiment_chains',
  'draw_layouts',
  'draw_batches',
  'runner_offsets',
  'log_streams',
  'log_chunks',
  'shares',
  'projects',
  'project_members',
  'project_entries',
  'share_members',
  'events',
  'callbacks',
  'relations',
  'notifications',
  'saved_views',
] as const;

const FORMAT = 'ergodic-backup-1';

interface Header {
  readonly format: string;
  /** Number of the last migration. */
  readonly schema: number;
  readonly taken_at: string;
}

/** Returns the number of rows. The file appears once it is complete. */
export async function writeBackup(pool: pg.Pool, file: string): Promise<number> {
  let rows = 0;
  const lines = async function* (tx: pg.PoolClient) {
    const schema = Math.max(...migrations.map((migration) => migration.number));
    const header: Header = { format: FORMAT, schema, taken_at: new Date().toISOString() };
    yield `${JSON.stringify(header)}\n`;
    for (const table of backupTables) {
      yield `${JSON.stringify({ table })}\n`;
      for await (const line of readTableRows(tx, table)) {
        rows += 1;
        yield `${line}\n`;
      }
    }
    yield `${JSON.stringify({ rows })}\n`;
  };
  const draft = `${file}.part`;
  try {
    await inTransaction(pool, async (tx) => {
      await setSnapshotReads(tx);
      await allowIdle(tx);
      await pipeline(
        lines(tx),
        createGzip(),
        createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
      );
    });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  return rows;
}

/** Restores into an empty database only; all or nothing. Returns the number of rows. */
export async function readBackup(pool: pg.Pool, file: string): Promise<number> {
  return inTransaction(pool, async (tx) => {
    if (await hasObjects(tx))
      throw new StartError(
        'This database is not empty; restore into a new data folder (--data NEW).',
      );
    await allowIdle(tx);
    await clearNewDatabase(tx);
    const rows = await readRows(tx, file);
    await moveSequences(tx);
    return rows;
  });
}

async function readRows(tx: pg.PoolClient, file: string): Promise<number> {
  const source = createReadStream(file);
  const unzipped = source.pipe(createGunzip());
  source.on('error', (error) => unzipped.destroy(error));
  let header: Header | null = null;
  let table = '';
  let rows = 0;
  let isWhole = false;
  try {
    for await (const line of createInterface({
      input: unzipped,
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      if (header === null) {
        header = readHeader(line);
      } else if (line.startsWith('{"table":')) {
        ({ table } = JSON.parse(line) as { table: string });
        if (!(backupTables as readonly string[]).includes(table))
          throw new StartError(`${file} contains an unknown table, ${table}.`);
      } else if (/^\{"rows":\d+\}$/.test(line)) {
        isWhole = (JSON.parse(line) as { rows: number }).rows === rows;
      } else {
        await insertTableRow(tx, table, line);
        rows += 1;
      }
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${file} cannot be read as a backup: ${(error as Error).message}`);
  } finally {
    // If reading stops early, both would continue, and errors in the rest would not be caught.
    source.destroy();
    unzipped.destroy();
  }
  if (!isWhole) throw new StartError(`${file} is incomplete; nothing was restored.`);
  return rows;
}

function readHeader(line: string): Header {
  const header = JSON.parse(line) as Header;
  if (header.format !== FORMAT)
    throw new StartError('This file is not an Ergodic backup, or has a different format.');
  const known = Math.max(...migrations.map((migration) => migration.number));
  if (header.schema > known) {
    throw new StartError(
      'This backup was made by a newer version of Ergodic; restore it with that version.',
    );
  }
  return header;
}
