/**
 * Uploads in pieces, and imports of them: the same run as from one request, whatever fails in between. Files are
 * read by a built thread: needs `npm run build` first.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/create-client.ts';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { decodeDraws } from '../../../src/contract/draws.ts';
import { limits } from '../../../src/contract/limits.ts';
import { writeArvizFile } from '../../../src/formats/arviz-file.ts';
import { loadHdf5 } from '../../../src/formats/hdf5.ts';
import { importDraws } from '../../../src/service/imports/import-draws.ts';
import { sweepUploads } from '../../../src/service/imports/take-uploads.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { execute, select, sql } from '../../../src/service/repositories/database.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import { createDiskStore } from '../../../src/service/storage/disk-store.ts';
import { codeOf } from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

let service: TestService;
let ada: Person;
let bob: Person;
let client: Client;
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  bob = await service.addPerson('bob');
  client = ada.client;
  await service.queue.work('import', (job) => importDraws(jobDeps(), job));
});
afterAll(() => service.close());

const jobDeps = () => ({
  pool: service.database.pool,
  files: createDiskStore(service.filesDir),
  logger: createLogger({ level: 'silent' }),
});
const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/posterior/${name}`, import.meta.url));
const stored = () => {
  const folder = join(service.filesDir, 'uploads');
  return existsSync(folder) ? readdirSync(folder) : [];
};

const begin = (name: string, size: number, person = ada) =>
  person.client.createUpload({ body: { name, size } });
const append = (id: string, offset: number, bytes: Uint8Array, person = ada) =>
  person.client.appendUpload({
    params: { upload_id: id },
    query: { offset },
    body: new Blob([new Uint8Array(bytes)]),
  });

/** Sends it in pieces of `piece` bytes. */
async function upload(name: string, bytes: Uint8Array, piece = bytes.length): Promise<string> {
  const { upload_id: id } = await begin(name, bytes.length);
  for (let at = 0; at < bytes.length; at += piece)
    await append(id, at, bytes.subarray(at, at + piece));
  return id;
}

type Body = Record<string, unknown>;
const create = async (body: Body) =>
  expectKind(
    await client.createObject({
      body: { payload: { object_type: 'experiment', name: 'imported', ...body } } as never,
    }),
    'experiment',
  );

async function ended(id: string) {
  await service.queue.drain();
  return expectKind(await client.viewObject({ params: { objid: id } }), 'experiment');
}

/** Everything that a run shows, and every draw. */
async function everything(id: string) {
  const view = await ended(id);
  const params = { objid: id };
  const { variables, chains } = await client.viewSummary({ params });
  const { header, values } = decodeDraws(await client.viewDraws({ params }));
  const { status, n_chains, n_samples, n_variables, meta } = view;
  return {
    view: { status, n_chains, n_samples, n_variables },
    variables,
    chains,
    meta: {
      verdict: meta?.verdict,
      settings: meta?.settings,
      import: (meta?.import as { notes?: unknown })?.notes,
    },
    columns: header.columns,
    draws: Array.from(values),
  };
}

async function netcdf(): Promise<Uint8Array> {
  const columns = [{ name: 'theta[1]' }, { name: 'theta[2]' }, { name: 'lp__', sampler: true }];
  const numbers = (k: number, c: number) =>
    Float64Array.from({ length: 300 }, (_, i) => Math.sin(12.9 * (k + i) + c) * 10);
  const facts = { name: '', stepSize: null, warmupSeconds: null, samplingSeconds: null };
  const chains = [0, 1].map((c) => ({
    ...facts,
    draws: columns.map((_, k) => numbers(k, c)),
    warmup: columns.map(() => new Float64Array(0)),
  }));
  const about = { createdAt: '2026-01-01', library: 'x', libraryVersion: '1' };
  return writeArvizFile(await loadHdf5(), { columns, chains }, about);
}

const turing = () => {
  const rows = Array.from({ length: 400 }, (_, i) => {
    const iteration = 1 + ((i * 7) % 200);
    return `${iteration},${1 + (i % 2)},${Math.sin(i)},${i % 50 === 0}`;
  });
  // every iteration of each chain once, out of order
  const seen = new Set<string>();
  const kept = rows.filter((row) => {
    const key = row.split(',').slice(0, 2).join();
    return seen.size < seen.add(key).size;
  });
  return new TextEncoder().encode(`iteration,chain,x,numerical_error\n${kept.join('\n')}\n`);
};
const long = () => {
  const rows = [1, 2].flatMap((chain) =>
    ['a', 'b[1]'].flatMap((name) =>
      Array.from({ length: 150 }, (_, i) => `${chain},${name},${i + 1},${Math.cos(i * chain)}`),
    ),
  );
  return new TextEncoder().encode(`.chain,.variable,.iteration,.value\n${rows.join('\n')}\n`);
};

describe('an import of uploads', () => {
  it.each([
    ['Stan CSV', () => [1, 2, 3, 4].map((n) => fixture(`bern${n}.csv`)), 1000],
    ['Stan CSV in gzip', () => [1, 2].map((n) => gzipSync(fixture(`bern${n}.csv`))), 777],
    ['Turing CSV', () => [turing()], 500],
    ['a long table', () => [long()], 4096],
    ['netCDF', async () => [await netcdf()], 10_000],
  ])('of %s makes the same run as one request', async (_, filesOf, piece) => {
    const files = await filesOf();
    const texts = files.map((file) => Buffer.from(file));
    const isText = !texts[0].includes(0);
    const direct = await create({
      data_files: texts.map((text) => text.toString(isText ? 'utf8' : 'base64')),
    });
    const ids: string[] = [];
    for (const [i, file] of files.entries()) ids.push(await upload(`chain_${i}`, file, piece));
    const made = await create({ data_uploads: ids });
    expect(made.status).toBe('RUN');
    expect(await everything(made.short_id)).toEqual(await everything(direct.short_id));
    expect((await everything(made.short_id)).view.status).toBe('FIN');
    expect(stored()).toEqual([]);
    expect(await client.listUploads()).toEqual([]);
  });

  it('may be combined with files in the request, up to a maximum number', async () => {
    const file = fixture('bern1.csv');
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.push(await upload(`c${i}`, file));
    const made = await create({ data_uploads: ids, data_files: [fixture('bern2.csv').toString()] });
    expect(await ended(made.short_id)).toMatchObject({ status: 'FIN', n_chains: 13 });
    const many = Array.from({ length: limits.import_uploads + 1 }, (_, i) => `u${i}`);
    expect(await codeOf(create({ data_uploads: many }))).toBe('LIMIT_EXCEEDED');
  });

  it('reports the name of an invalid file and the reason, and keeps nothing', async () => {
    const id = await upload('prose.csv', Buffer.from('Dear reader,\nnothing here.\n'));
    const made = await ended((await create({ data_uploads: [id] })).short_id);
    expect(made.status).toBe('ERR');
    expect(made.meta?.error?.message).toMatch(/^prose\.csv: /);
    expect(stored()).toEqual([]);
  });

  it('of truncated gzip, or of a compression bomb, is refused', async () => {
    const whole = gzipSync(fixture('bern1.csv'));
    const cut = await upload('cut.csv.gz', whole.subarray(0, whole.length - 200));
    const bomb = gzipSync(Buffer.from(`${'#'.repeat(2 ** 20 - 1)}\n`.repeat(120)));
    const bombed = await upload('bomb.csv.gz', bomb);
    const messageOf = async (id: string) =>
      (await ended((await create({ data_uploads: [id] })).short_id)).meta?.error?.message;
    expect(await messageOf(cut)).toMatch(/cut\.csv\.gz: The gzip file is damaged or incomplete/);
    expect(await messageOf(bombed)).toMatch(/unpacks to more than 200 times/);
  });

  it('needs complete uploads of the same user, each once', async () => {
    const file = fixture('bern1.csv');
    const { upload_id: half } = await begin('half', file.length);
    await append(half, 0, file.subarray(0, 100));
    expect(await codeOf(create({ data_uploads: [half] }))).toBe('INVALID_PARAMETER');
    await append(half, 100, file.subarray(100));
    expect(await codeOf(create({ data_uploads: [half, half] }))).toBe('INVALID_PARAMETER');
    const theirs = bob.client.createObject({
      body: { payload: { object_type: 'experiment', data_uploads: [half] } as never },
    });
    expect(await codeOf(theirs)).toBe('NOT_FOUND');
    const made = await create({ data_uploads: [half] });
    expect(await codeOf(create({ data_uploads: [half] }))).toBe('NOT_FOUND');
    expect((await ended(made.short_id)).status).toBe('FIN');
  });

  it('gets a file only once if two imports request it at the same time', async () => {
    const id = await upload('one', fixture('bern1.csv'));
    const codes = await Promise.all(
      [1, 2].map(() =>
        create({ data_uploads: [id] }).then(
          () => 'made',
          () => 'refused',
        ),
      ),
    );
    expect(codes.sort()).toEqual(['made', 'refused']);
    await service.queue.drain();
  });

  it('can be stopped while it waits, and deleted', async () => {
    const made = await create({ data_uploads: [await upload('a', fixture('bern1.csv'))] });
    await client.updateObject({
      params: { objid: made.short_id },
      body: { payload: { object_type: 'experiment', action: 'stop' } },
    });
    const other = await create({ data_uploads: [await upload('b', fixture('bern2.csv'))] });
    await client.deleteObject({ params: { objid: other.short_id }, query: {} });
    const stopped = await ended(made.short_id);
    expect(stopped).toMatchObject({ status: 'ERR', meta: { error: { code: 'IMPORT_STOPPED' } } });
    // the deleted run can be restored, so its file is kept
    expect(stored()).toHaveLength(1);
    const row = await findObject(service.database.pool, made.short_id);
    const draws = await select(
      service.database.pool,
      sql`select 1 from draw_batches where experiment_id = ${row?.id}`,
    );
    expect(draws).toEqual([]);
    await execute(service.database.pool, sql`delete from uploads`);
    await sweepUploads(service.database.pool, createDiskStore(service.filesDir));
  });
});

describe('an upload', () => {
  it('accepts each piece at its offset only, and reports the expected offset', async () => {
    const bytes = Buffer.from('0123456789');
    const { upload_id: id } = await begin('x', 10);
    await append(id, 0, bytes.subarray(0, 4));
    const wrong = append(id, 2, bytes.subarray(2, 5)).catch((error: unknown) => error);
    expect(await wrong).toMatchObject({ code: 'CONFLICT', details: { offset: 4 } });
    expect(await codeOf(append(id, 4, Buffer.alloc(7)))).toBe('INVALID_PARAMETER');
    expect(await codeOf(append(id, 4, Buffer.alloc(0)))).toBe('INVALID_PARAMETER');
    expect((await append(id, 4, bytes.subarray(4))).offset).toBe(10);
    expect(readFileSync(join(service.filesDir, 'uploads', id))).toEqual(bytes);
  });

  it('accepts only one of two simultaneous pieces for the same offset', async () => {
    const { upload_id: id } = await begin('x', 2 ** 20);
    const pieces = [1, 2].map((fill) => Buffer.alloc(2 ** 18, fill));
    const answers = await Promise.all(pieces.map((piece) => codeOf(append(id, 0, piece))));
    expect(answers.filter((code) => code === 'CONFLICT')).toHaveLength(1);
    const file = readFileSync(join(service.filesDir, 'uploads', id));
    expect(new Set(file)).toHaveProperty('size', 1);
  });

  it('does not exist for any other user', async () => {
    const { upload_id: id } = await begin('x', 10);
    expect(await codeOf(append(id, 0, Buffer.from('a'), bob))).toBe('NOT_FOUND');
    expect(await codeOf(bob.client.deleteUpload({ params: { upload_id: id } }))).toBe('NOT_FOUND');
    expect(await codeOf(append(id, 0, Buffer.from('a'), service.owner))).toBe('NOT_FOUND');
    expect(await codeOf(append('../../etc/passwd', 0, Buffer.from('a')))).toBe('NOT_FOUND');
  });

  it('starts over if its bytes were lost', async () => {
    const { upload_id: id } = await begin('x', 10);
    await append(id, 0, Buffer.from('01234'));
    writeFileSync(join(service.filesDir, 'uploads', id), '012');
    expect(await append(id, 5, Buffer.from('56789'))).toMatchObject({ offset: 0 });
  });

  it('is limited in size, together with the other uploads of its user, and in number', async () => {
    const person = await service.addPerson('carol');
    const small = await createTestService({ database: service.database, config: { maxUpload: 1 } });
    const carol = small.clientOf(person.token);
    const make = (size: number) => carol.createUpload({ body: { name: 'x', size } });
    const first = await make(9e8);
    const refusal = await make(2e8).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 'upload_bytes' } });
    await carol.deleteUpload({ params: { upload_id: first.upload_id } });
    for (let i = 0; i < limits.uploads_per_user; i++) await make(1);
    expect(await codeOf(make(1))).toBe('LIMIT_EXCEEDED');
    expect((await carol.viewConfig()).limits).toMatchObject({ upload_bytes: 1e9 });
    await small.app.close();
  });

  it('is not offered if the operator allows no uploads', async () => {
    const none = await createTestService({ database: service.database, config: { maxUpload: 0 } });
    const mine = none.clientOf(ada.token);
    expect((await mine.viewConfig()).capabilities).not.toContain('uploads');
    expect(await codeOf(mine.createUpload({ body: { name: 'x', size: 1 } }))).toBe('NOT_SUPPORTED');
    await none.app.close();
  });

  it('is kept for a day after its last byte, then deleted along with orphaned files', async () => {
    const { pool } = service.database;
    const files = createDiskStore(service.filesDir);
    const { upload_id: old } = await begin('old', 10);
    await append(old, 0, Buffer.from('a'));
    const { upload_id: young } = await begin('young', 10);
    await append(young, 0, Buffer.from('a'));
    await execute(
      pool,
      sql`update uploads set touched_at = now() - interval '25 hours' where id = ${old}`,
    );
    await execute(
      pool,
      sql`update uploads set touched_at = now() - interval '23 hours' where id = ${young}`,
    );
    writeFileSync(join(service.filesDir, 'uploads', 'orphan'), 'x');
    await sweepUploads(pool, files);
    expect(stored()).toContain(young);
    expect(stored()).not.toContain(old);
    expect(stored()).not.toContain('orphan');
    expect(await codeOf(append(old, 1, Buffer.from('b')))).toBe('NOT_FOUND');
  });
});
