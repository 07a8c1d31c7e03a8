import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../src/service/migrations/migrate.ts';
import { migrations } from '../../../src/service/migrations/migrations.ts';
import { ensureOutsideChain } from '../../../src/service/repositories/chains.ts';
import { findDataBytes } from '../../../src/service/repositories/data.ts';
import { inTransaction } from '../../../src/service/repositories/database.ts';
import { ensureLayout, insertDraws, readDraws } from '../../../src/service/repositories/draws.ts';
import { insertExperiment } from '../../../src/service/repositories/experiments.ts';
import { findModel } from '../../../src/service/repositories/models.ts';
import {
  changeMembers,
  findProject,
  insertEntry,
  insertProject,
  listEntries,
} from '../../../src/service/repositories/projects.ts';
import { insertShare, listSharedMembers } from '../../../src/service/repositories/shares.ts';
import { backupTables, readBackup, writeBackup } from '../../../src/service/storage/backup.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeData, makeModel, makeUser } from '../../support/service-objects.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-backup-'));
const file = path.join(folder, 'backup.gz');
let from: TestDatabase;
beforeAll(async () => {
  from = await createTestDatabase();
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('a backup', () => {
  it('restores everything into an empty database, which continues its numbering', async () => {
    const user = await makeUser(from.pool);
    const model = await makeModel(from.pool, user.id);
    const data = await makeData(from.pool, user.id, 'bytes \u00e9 and a line\n');
    const { id: experimentId } = await insertExperiment(from.pool, { ownerId: user.id, name: 'x' });
    await inTransaction(from.pool, (tx) => ensureOutsideChain(tx, experimentId, 'chain#1'));
    const layoutId = await ensureLayout(from.pool, experimentId, [{ name: 'a' }]);
    const values = Float64Array.of(1.5, Number.NaN, Number.NEGATIVE_INFINITY);
    await insertDraws(from.pool, {
      experimentId,
      chain: 1,
      phase: 'sampling',
      layoutId,
      firstIteration: 1,
      count: 3,
      values,
    });
    const project = await insertProject(from.pool, {
      ownerId: user.id,
      name: 'a project',
      note: 'why',
      tags: [],
    });
    await changeMembers(from.pool, project.id, { add: [model.id, data.id], remove: [], most: 9 });
    await insertEntry(from.pool, project.id, { text: 'decided', most: 9 });
    const member = { objectId: model.id, addedAt: model.created_at, isOpen: true, snapshot: {} };
    const members = [member, { ...member, objectId: data.id, isOpen: false }];
    const share = { ownerId: user.id, objectId: project.id, snapshot: {}, members };
    const { id: shareId } = await insertShare(from.pool, share);
    const shared = await listSharedMembers(from.pool, shareId);
    const rows = await writeBackup(from.pool, file);

    const into = await createTestDatabase();
    expect(await readBackup(into.pool, file)).toBe(rows);
    expect((await findModel(into.pool, model.short_id))?.owner).toBe(user.name);
    expect((await findDataBytes(into.pool, data.id))?.toString()).toBe('bytes \u00e9 and a line\n');
    expect((await readDraws(into.pool, { experimentId }))[0].values).toEqual(values);
    expect(await findProject(into.pool, project.short_id)).toMatchObject({
      note: 'why',
      counts: { model: 1, data: 1 },
    });
    expect(await listEntries(into.pool, project.id)).toMatchObject([{ text: 'decided' }]);
    expect(await listSharedMembers(into.pool, shareId)).toEqual(shared);
    // a new entry gets its own number
    expect(await insertEntry(into.pool, project.id, { text: 'later', most: 9 })).toBe(true);
    const next = await makeModel(into.pool, user.id);
    expect(next.row_number).toBe(model.row_number + 1);
    await expect(readBackup(into.pool, file)).rejects.toThrow('not empty');
  });

  it('includes every table except those of transient data', async () => {
    const { rows } = await from.pool.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    const left = rows
      .map(({ name }) => name)
      .filter((name) => !backupTables.includes(name as never));
    // work in progress, or what can be made again; a restore loses a table that is in neither list
    expect(left.toSorted()).toEqual([
      'analyses',
      'blob_candidates',
      'export_files',
      'function_answers',
      'function_calls',
      'limits',
      'object_tallies',
      'program_runs',
      'provider_sessions',
      'queue_places',
      'runner_runs',
      'sample_marks',
      'schema_migrations',
      'services',
      'shared_rounds',
      'sign_ins',
      'tasks',
      'uploads',
      'workers',
    ]);
  });

  it('that is truncated, foreign or newer restores nothing', async () => {
    const lines = gunzipSync(fs.readFileSync(file)).toString().trimEnd().split('\n');
    const into = await createTestDatabase();
    const attempt = (text: string) => {
      const bad = path.join(folder, 'bad.gz');
      fs.writeFileSync(bad, gzipSync(text));
      return readBackup(into.pool, bad);
    };
    await expect(attempt(`${lines.slice(0, -1).join('\n')}\n`)).rejects.toThrow('is incomplete');
    await expect(attempt('{"format":"other"}\n')).rejects.toThrow('not an Ergodic backup');
    await expect(attempt('{"format":"ergodic-backup-1","schema":9999}\n')).rejects.toThrow(
      'newer version',
    );
    const { rowCount } = await into.pool.query('select 1 from objects');
    expect(rowCount).toBe(0);
  });

  it.runIf(process.platform === 'linux')('that is refused is not read to the end', async () => {
    const into = await createTestDatabase();
    const large = path.join(folder, 'large.gz');
    const packed = gzipSync(`{"format":"other"}\n${randomBytes(2 ** 19).toString('hex')}`);
    // An error in the rest would end the process if the rest were read.
    fs.writeFileSync(large, packed.fill(255, Math.floor(packed.length / 2)));
    await expect(readBackup(into.pool, large)).rejects.toThrow('not an Ergodic backup');
    const isOpen = () =>
      fs.readdirSync('/proc/self/fd').some((fd) => {
        const at = path.join('/proc/self/fd', fd);
        return fs.existsSync(at) && fs.readlinkSync(at) === large;
      });
    while (isOpen()) await new Promise((resolve) => setTimeout(resolve, 10));
  });
});

describe('migrations', () => {
  it('are applied once, by one of several processes, each as a whole', async () => {
    const database = await createTestDatabase();
    expect(await migrate(database.pool)).toBe(0);
    const next = { number: 9001, name: 'next', sql: 'create table later (n int)' };
    const counts = await Promise.all(
      [1, 2, 3].map(() => migrate(database.pool, [...migrations, next])),
    );
    expect(counts.filter((count) => count === 1)).toHaveLength(1);
    const broken = {
      number: 9002,
      name: 'broken',
      sql: 'create table half (n int); select nothing from nowhere',
    };
    await expect(migrate(database.pool, [...migrations, next, broken])).rejects.toThrow(
      'Migration 9002 (broken) failed and changed nothing',
    );
    const { rowCount } = await database.pool.query(
      `select 1 from pg_tables where tablename = 'half'`,
    );
    expect(rowCount).toBe(0);
    await expect(migrate(database.pool)).rejects.toThrow('newer version');
    const changed = migrations.map((migration) => ({ ...migration, sql: `${migration.sql} ` }));
    await expect(migrate(database.pool, [...changed, next])).rejects.toThrow('differs');
  });
});
