/** Finished draws become an experiment like any other: counts, verdict, draws, files, shares; and what is refused. Files are read by a
 * built thread: needs `npm run build` first. */
import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiError } from '../../../src/client/api-error.ts';
import type { Client } from '../../../src/client/create-client.ts';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { decodeDraws } from '../../../src/contract/draws.ts';
import { sampledataSchema } from '../../../src/contract/experiment.ts';
import { limits } from '../../../src/contract/limits.ts';
import { writeArvizFile } from '../../../src/formats/arviz-file.ts';
import { loadHdf5 } from '../../../src/formats/hdf5.ts';
import { createImport } from '../../../src/service/imports/create-import.ts';
import { importDraws } from '../../../src/service/imports/import-draws.ts';
import { readFiles } from '../../../src/service/imports/read-files.ts';
import { collectFiles } from '../../../src/service/imports/request-files.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { execute, sql } from '../../../src/service/repositories/database.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import { claimTask } from '../../../src/service/repositories/tasks.ts';
import { createDiskStore } from '../../../src/service/storage/disk-store.ts';
import { recoverLostTasks } from '../../../src/service/worker/take-jobs.ts';
import { addModel, codeOf } from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

let service: TestService;
let ada: Person;
let client: Client;
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  client = ada.client;
  await service.queue.work('import', (job) => importDraws(jobDeps(), job));
});
afterAll(() => service.close());

const jobDeps = () => ({
  pool: service.database.pool,
  queue: service.queue,
  files: createDiskStore(service.filesDir),
  logger: createLogger({ level: 'silent' }),
});

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/posterior/${name}`, import.meta.url));
const bernoulli = [1, 2, 3, 4].map((n) => fixture(`bern${n}.csv`).toString());

/** theta of two elements and lp, in ArviZ's form. */
const netcdf = async (numChains: number, numDraws: number, numWarmup = 0) => {
  const columns = [{ name: 'theta[1]' }, { name: 'theta[2]' }, { name: 'lp__', sampler: true }];
  const draws = (length: number) =>
    columns.map((_, k) => Float64Array.from({ length }, (_, i) => Math.sin(12.9 * (k + i)) * 10));
  const chain = { name: '', stepSize: null, warmupSeconds: null, samplingSeconds: null };
  const chains = Array.from({ length: numChains }, () => ({
    ...chain,
    draws: draws(numDraws),
    warmup: draws(numWarmup),
  }));
  const attributes = { createdAt: '2026-01-01', library: 'x', libraryVersion: '1' };
  return writeArvizFile(await loadHdf5(), { columns, chains }, attributes);
};

type Body = Record<string, unknown>;
const importFiles = async (body: Body) =>
  expectKind(
    await client.createObject({
      body: { payload: { object_type: 'experiment', name: 'imported', ...body } } as never,
    }),
    'experiment',
  );

describe('Stan CSV', () => {
  it('of four chains becomes a finished experiment', async () => {
    const made = await importFiles({ data_files: bernoulli });
    expect(made).toMatchObject({
      status: 'FIN',
      n_chains: 4,
      n_samples: 1000,
      n_variables: 1,
      meta: {
        verdict: { state: 'good', divergences: 0 },
        settings: { num_warmup: 1000, adapt_delta: 0.8, max_treedepth: 10, stan_version: '2.35.0' },
        import: { type: 'stan csv' },
      },
    });
    const objid = made.short_id;
    const draws = decodeDraws(
      await client.viewDraws({ params: { objid }, query: { variable: ['theta'] } }),
    );
    expect(draws.header.columns.map((column) => column.chain)).toEqual([
      'chain#1',
      'chain#2',
      'chain#3',
      'chain#4',
    ]);
    expect(draws.values[0]).toBe(0.208532);
    const summary = await client.viewSummary({ params: { objid }, query: {} });
    expect(summary.variables.map((row) => row.variable)).toEqual(['theta', 'lp__']);
    expect(summary.chains[0]).toMatchObject({ step_size: 0.883328, sampling_seconds: 0.009 });
  });

  it('that is large is read by a job', async () => {
    const text = gunzipSync(fixture('blocker.1.csv.gz')).toString();
    const lines = text.split('\n').filter((line) => line !== '');
    const rows = lines.filter((line) => !line.startsWith('#')).slice(1);
    const head = lines.filter((line) => line.startsWith('#') || line.startsWith('lp__'));
    const large = [...head, ...Array.from({ length: 20 }, () => rows).flat()].join('\n');
    expect(large.length).toBeGreaterThan(8 * 2 ** 20);
    const made = await importFiles({ data_files: [`${large}\n`] });
    expect(made.status).toBe('RUN');
    expect(await service.queue.drain()).toContainEqual({ kind: 'done' });
    const now = expectKind(
      await client.viewObject({ params: { objid: made.short_id } }),
      'experiment',
    );
    expect(now).toMatchObject({ status: 'FIN', n_chains: 1, n_samples: 20_000 });
  });
});

describe('other formats', () => {
  it('such as netCDF in base64 are recognised, and meta of the caller is kept', async () => {
    const made = await importFiles({
      data_files: [Buffer.from(await netcdf(2, 30)).toString('base64')],
      meta: { note: 'from a colleague', file_names: ['eight.nc'] },
    });
    expect(made).toMatchObject({
      status: 'FIN',
      n_chains: 2,
      n_samples: 30,
      n_variables: 2,
      meta: {
        note: 'from a colleague',
        import: { type: 'arviz netcdf', files: ['eight.nc'] },
        verdict: { state: 'unknown' },
      },
    });
    expect(made.meta).not.toHaveProperty('file_names');
  });

  it('keep warmup draws out of counts, statistics, files and shares', async () => {
    const { short_id: objid, n_samples: draws } = await importFiles({
      data_files: [Buffer.from(await netcdf(1, 10, 5)).toString('base64')],
      data_file_type: 'arviz netcdf',
    });
    expect(draws).toBe(10);
    const columns = async (phase: 'warmup' | 'sampling') => {
      const query = { variable: ['theta[1]'], phase };
      const body = await client.viewDraws({ params: { objid }, query });
      return decodeDraws(body).header.columns.map((column) => column.count);
    };
    expect(await columns('sampling')).toEqual([10]);
    expect(await columns('warmup')).toEqual([5]);
    const { n_samples: counted } = await client.viewSummary({ params: { objid }, query: {} });
    expect(counted).toBe(10);
    const view = sampledataSchema.parse(
      await client.viewObject({ params: { objid }, query: { sampledata: true } }),
    );
    const path = new URL(view.url ?? '').pathname;
    const { body } = await service.inject({ method: 'GET', url: path });
    expect(body.split('\n').length - 1).toBe(3 * 10);
  });

  it('are fetched from addresses, within the rest of the size limit', async () => {
    const asked: [string, number | undefined][] = [];
    const context = {
      pool: service.database.pool,
      queue: service.queue,
      fetcher: {
        isOn: true,
        fetch: async (address: string, bounds?: { maxBytes?: number }) => {
          asked.push([address, bounds?.maxBytes]);
          const bytes = new TextEncoder().encode(bernoulli[1]);
          return { bytes, fileName: 'two.csv', mediaType: 'text/csv', finalAddress: address };
        },
      },
    };
    const row = await createImport(
      context,
      { data_files: [bernoulli[0]], data_uris: ['https://example.org/two.csv'] },
      { ownerId: ada.row.id, name: 'fetched' },
    );
    expect(row).toMatchObject({ status: 'FIN', n_chains: 2 });
    expect(row.meta.import).toMatchObject({ files: ['file 1', 'two.csv'] });
    const left = limits.body_bytes - Buffer.byteLength(bernoulli[0]);
    expect(asked).toEqual([['https://example.org/two.csv', left]]);
  });

  it('belong to the named model, and to their owner only', async () => {
    const { short_id: modelId } = await addModel(client);
    const made = await importFiles({ data_files: [bernoulli[0]], model_id: modelId });
    expect(made).toMatchObject({ model_id: modelId });
    const eve = await service.addPerson('eve');
    const objid = made.short_id;
    expect(await codeOf(eve.client.viewObject({ params: { objid } }))).toBe('PERMISSION_DENIED');
    expect(
      await codeOf(
        client.updateObject({
          params: { objid },
          body: {
            payload: { object_type: 'experiment', action: 'extend', meta: { extend_by: 5 } },
          },
        }),
      ),
    ).toBe('CONFLICT');
    const after = expectKind(await client.viewObject({ params: { objid } }), 'experiment');
    expect(after.status).toBe('FIN');
  });
});

describe('an import is refused', () => {
  const refused = async (body: Body) => {
    try {
      await importFiles(body);
      return 'taken';
    } catch (error) {
      const { code, message } = error as ApiError;
      return `${code} ${message}`;
    }
  };

  it.each<[string, Body, RegExp]>([
    [
      'without draws in a file, naming the file and the line',
      { data_files: [bernoulli[0], 'lp__,mu\n1,x\n2,3\n'], data_file_type: 'stan csv' },
      /^INVALID_PARAMETER file 2: line 2: "x" is not a number\.$/,
    ],
    [
      'without draws, by the name of the file if it has one',
      { data_files: ['lp__,mu\n1,x\n2,3\n'], meta: { file_names: ['chain 1.csv'] } },
      /^INVALID_PARAMETER chain 1\.csv: line 2/,
    ],
    [
      'with a file type but no files',
      { data_file_type: 'stan csv' },
      /^INVALID_PARAMETER .*must contain at least one file/,
    ],
    [
      'with an empty file',
      { data_files: [''] },
      /^INVALID_PARAMETER payload\.data_files\.0 is empty/,
    ],
    [
      'with netCDF that is not base64',
      { data_files: ['%'], data_file_type: 'arviz netcdf' },
      /^INVALID_PARAMETER .*must be netCDF in base64/,
    ],
    [
      'with more files than the limit allows, naming the limit',
      { data_files: Array.from({ length: 11 }, () => 'a') },
      /^LIMIT_EXCEEDED .*at most 10 files \(max_upload_sample_file\); this one has 11/,
    ],
    [
      'of an approximation',
      { data_files: ['# method = variational\nlp__,log_p__,log_g__,mu\n0,1,2,3\n'] },
      /^INVALID_PARAMETER file 1: This file contains draws of a variational/,
    ],
    [
      'with invalid file names',
      { data_files: ['a'], meta: { file_names: 'x' } },
      /^INVALID_PARAMETER .*file_names/,
    ],
    [
      'from addresses, unless the operator allows some',
      { data_uris: ['https://example.org/x.csv'] },
      /^NOT_SUPPORTED/,
    ],
    [
      'of a compression bomb',
      {
        data_files: [
          gzipSync(Buffer.from(`${'#'.repeat(2 ** 20 - 1)}\n`.repeat(120))).toString('base64'),
        ],
      },
      /^INVALID_PARAMETER .*more than 200 times its size/,
    ],
  ])('%s', async (_, body, expected) => expect(await refused(body)).toMatch(expected));

  it('with more bytes than the limit allows, naming the limit', async () => {
    const fetcher = { isOn: false, fetch: () => Promise.reject(new Error('not asked')) };
    await expect(
      collectFiles({ data_files: ['12345', '678901'] }, { totalBytes: 10, files: 5 }, { fetcher }),
    ).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: 'Together the files are larger than 10 bytes (max_upload_sample_size).',
    });
  });

  it('when reading takes longer than the time limit', async () => {
    const bytes = new TextEncoder().encode(bernoulli[0]);
    await expect(readFiles({ files: [{ name: 'a', bytes }], type: null }, 1)).rejects.toThrow(
      'Reading the files took longer than 0 seconds, so it was stopped.',
    );
  });
});

describe('an import job', () => {
  it('that loses its process is repeated, and abandoned with a message at the third time', async () => {
    const { pool } = service.database;
    const importLarge = async () =>
      (await importFiles({ data_files: [`lp__,mu\n${'2,3\n'.repeat(2.2e6)}`] })).short_id;
    const idOf = async (objid: string) => (await findObject(pool, objid))?.id as number;
    const loseProcess = async (id: number) => {
      const task = { kind: 'import', subjectId: id } as const;
      expect(await claimTask(pool, task)).toMatchObject({ subject_id: id });
      // nobody else reads it in the meantime, whatever a worker checks
      await recoverLostTasks(jobDeps());
      expect(await claimTask(pool, task)).toBeNull();
      // worker 77 is not alive
      await execute(pool, sql`update tasks set worker_id = 77 where subject_id = ${id}`);
      await recoverLostTasks(jobDeps());
    };
    const first = await importLarge();
    await loseProcess(await idOf(first));
    await service.queue.drain();
    const again = expectKind(await client.viewObject({ params: { objid: first } }), 'experiment');
    expect(again).toMatchObject({ status: 'FIN', n_samples: 2.2e6 });

    const second = await importLarge();
    for (let i = 0; i < 3; i++) await loseProcess(await idOf(second));
    await service.queue.drain();
    const given = expectKind(await client.viewObject({ params: { objid: second } }), 'experiment');
    expect(given).toMatchObject({
      status: 'ERR',
      meta: {
        error: {
          code: 'IMPORT_FAILED',
          message: expect.stringContaining('that reads the files ended 3 times'),
        },
      },
    });
  });

  it('of a deleted experiment runs when the experiment is restored', async () => {
    const { pool } = service.database;
    const { short_id: objid } = await importFiles({
      data_files: [`lp__,mu\n${'2,3\n'.repeat(2.2e6)}`],
    });
    const { deleted_key } = await client.deleteObject({ params: { objid } });
    await service.queue.drain();
    await pool.query("update tasks set queued_at = now() - interval '1 minute'");
    await recoverLostTasks(jobDeps());
    expect(service.queue.waiting).toEqual([]);
    await client.deleteObjects({ query: { deleted_key: deleted_key as string } });
    await recoverLostTasks(jobDeps());
    await service.queue.drain();
    expect(await client.viewObject({ params: { objid } })).toMatchObject({
      status: 'FIN',
      n_samples: 2.2e6,
    });
  });

  it('that finds no draws reports this on the experiment, and deletes the files', async () => {
    const text = `lp__,mu\n1,x\n${'2,3\n'.repeat(2.2e6)}`;
    const made = await importFiles({ data_files: [text], data_file_type: 'stan csv' });
    expect(made.status).toBe('RUN');
    await service.queue.drain();
    const after = expectKind(
      await client.viewObject({ params: { objid: made.short_id } }),
      'experiment',
    );
    expect(after).toMatchObject({
      status: 'ERR',
      meta: { error: { code: 'IMPORT_FAILED', message: 'file 1: line 2: "x" is not a number.' } },
    });
  });
});
