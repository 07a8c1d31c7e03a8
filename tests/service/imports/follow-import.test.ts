/** An import under way: its progress is on the run, it ends when nobody waits, and files that stand still are left. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { followImport } from '../../../src/service/imports/follow-import.ts';
import { importDraws } from '../../../src/service/imports/import-draws.ts';
import { openStream } from '../../../src/service/imports/open-stream.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { execute, select, sql } from '../../../src/service/repositories/database.ts';
import {
  findExperimentById,
  insertExperiment,
  updateExperiment,
} from '../../../src/service/repositories/experiments.ts';
import {
  claimTask,
  dropTask,
  insertTask,
  type Lease,
} from '../../../src/service/repositories/tasks.ts';
import { ensureOwner } from '../../../src/service/repositories/users.ts';
import { createDiskStore } from '../../../src/service/storage/disk-store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let folder: string;
let ownerId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'ergodic-follow-'));
  ownerId = (await ensureOwner(database.pool)).id;
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const logger = createLogger({ level: 'silent' });
const deps = () => ({ pool: database.pool, logger, files: createDiskStore(folder) });

async function beginImport(payload: Record<string, unknown> = {}) {
  const { pool } = database;
  const { id } = await insertExperiment(pool, { ownerId, name: 'x', status: 'RUN' });
  await insertTask(pool, { kind: 'import', subjectId: id, payload });
  return id;
}
const claim = async (id: number) =>
  (await claimTask(database.pool, { kind: 'import', subjectId: id })) as Lease;
const metaOf = async (id: number) => (await findExperimentById(database.pool, id))?.meta;

describe('an import with reported progress', () => {
  it('shows bytes read, then bytes stored', async () => {
    const id = await beginImport();
    const progress = followImport(deps(), await claim(id), {
      total: 100,
      onOver: () => expect.fail('it goes on'),
      everyMs: 5,
    });
    progress.read(40);
    await vi.waitFor(async () =>
      expect((await metaOf(id))?.progress).toEqual({
        step: 'reading',
        done: 40,
        total: 100,
        chains: [],
      }),
    );
    async function* batches() {
      yield {
        chain: 1,
        phase: 'sampling' as const,
        firstIteration: 1,
        count: 3,
        values: new Float64Array(3),
      };
      await vi.waitFor(async () =>
        expect((await metaOf(id))?.progress).toEqual({
          step: 'storing',
          done: 24,
          total: 48,
          chains: [],
        }),
      );
    }
    let count = 0;
    for await (const batch of progress.watch({ numValues: 6 } as never, batches()))
      count += batch.count;
    expect(count).toBe(3);
    await progress.end();
  });

  it.each([
    [
      'its task is gone',
      (id: number) => dropTask(database.pool, { kind: 'import', subjectId: id }),
    ],
    ['its run has ended', (id: number) => updateExperiment(database.pool, id, { status: 'ERR' })],
    [
      'its run is deleted',
      (id: number) =>
        execute(database.pool, sql`update objects set deleted_at = now() where id = ${id}`),
    ],
  ])('is over when %s', async (_, end) => {
    const id = await beginImport();
    const onOver = vi.fn();
    const progress = followImport(deps(), await claim(id), { total: 1, onOver, everyMs: 5 });
    await end(id);
    await vi.waitFor(() => expect(onOver).toHaveBeenCalled());
    await progress.end();
  });

  it('that is stopped while its files are read stores nothing', async () => {
    const name = join(folder, 'uploads', 'u1');
    const rows = Array.from({ length: 600_000 }, (_, i) => `-${i % 97},0.${i}`).join('\n');
    mkdirSync(join(folder, 'uploads'), { recursive: true });
    writeFileSync(name, `lp__,mu\n${rows}\n`);
    const id = await beginImport({ type: null, files: [{ name: 'a', upload: 'u1', size: 1e6 }] });
    const done = importDraws(deps(), { experimentId: id });
    await vi.waitFor(async () => {
      const [task] = await select<{ state: string }>(
        database.pool,
        sql`select state from tasks where subject_id = ${id}`,
      );
      expect(task?.state).toBe('running');
    });
    await dropTask(database.pool, { kind: 'import', subjectId: id });
    expect(await done).toEqual({ kind: 'done' });
    const found = await select(
      database.pool,
      sql`select 1 from draw_batches where experiment_id = ${id}
          union all select 1 from experiment_chains where experiment_id = ${id}`,
    );
    expect(found).toEqual([]);
  });
});

describe('reading files', () => {
  const request = () => {
    const path = join(folder, 'small.csv');
    writeFileSync(path, 'lp__,mu\n1,2\n3,4\n');
    return { stream: [{ name: 'small.csv', path, size: 16 }], type: null, folder };
  };

  it('ends when there is no progress for some time', async () => {
    const stream = openStream(request(), { standstillMs: 1 });
    await expect(stream.head).rejects.toThrow(/made no progress/);
    await stream.close();
  });

  it('ends with the reason for which it is stopped, before and after the head', async () => {
    const early = openStream(request());
    early.stop(new Error('enough'));
    await expect(early.head).rejects.toThrow('enough');
    await early.close();
    const late = openStream(request());
    expect(await late.head).toMatchObject({ numValues: 4, chains: [{ savedSamples: 2 }] });
    late.stop(new Error('enough'));
    await late.close();
  });
});
