/** Draws are exported as CSV, ArviZ and Grist; other programs open them; a share exports only what it froze. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/create-client.ts';
import { sampledataSchema } from '../../../src/contract/experiment.ts';
import { readArvizFile } from '../../../src/formats/arviz-reader.ts';
import { loadHdf5 } from '../../../src/formats/hdf5.ts';
import { unpackTar } from '../../../src/formats/tar.ts';
import { ensureLayout, insertDraws } from '../../../src/service/repositories/draws.ts';
import { touchDraws } from '../../../src/service/repositories/experiments.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import { itWith } from '../../support/needs.ts';
import { addDraws, addShare, codeOf, startExperiment } from '../../support/objects.ts';
import { python, sqlite } from '../../support/python.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

let service: TestService;
let ada: Person;
let client: Client;
let objid: string;
const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-exports-'));
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  client = ada.client;
  objid = (await startExperiment(client, 'run')).short_id;
  await addDraws(service, objid, { chains: 2, draws: 20 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

type Format = 'csv' | 'arviz' | 'grist' | 'parquet';
/** Polls until the file is made or has failed, as clients do. */
const ask = async (
  fmt: Format,
  options: { by?: Client; shareId?: string; first?: number } = {},
) => {
  const { by = client, shareId = '', first = 0 } = options;
  const query = { sampledata: true, fmt, share_id: shareId, n_iteration: first };
  for (;;) {
    const answer = sampledataSchema.parse(await by.viewObject({ params: { objid }, query }));
    if (answer.progress !== 'generating') return answer;
  }
};
const download = async (fmt: Format, options: Parameters<typeof ask>[1] = {}) => {
  const { url, progress, message } = await ask(fmt, options);
  if (url === null) throw new Error(`${progress} ${message}`);
  const response = await service.inject({ method: 'GET', url: new URL(url).pathname });
  expect(response.statusCode).toBe(200);
  return response.rawPayload;
};
const chainFiles = (tar: Uint8Array) => {
  const read = unpackTar(tar);
  if (!read.ok) throw new Error(read.error.message);
  return read.value.files;
};

const drawsIn = async (files: ReturnType<typeof chainFiles>) => {
  const hdf5 = await loadHdf5();
  return files.map(({ path: file, bytes }) => {
    const { columns, chains } = readArvizFile(hdf5, bytes);
    return { file, columns, chains };
  });
};

describe('Parquet', () => {
  // a copy: the download may be part of a larger buffer
  const rowsOf = (bytes: Uint8Array) => parquetReadObjects({ file: new Uint8Array(bytes).buffer });

  it('is a table with one row per draw, with its chain and iteration', async () => {
    const rows = await rowsOf(await download('parquet', { first: 3 }));
    expect(rows.map((row) => [row['.chain'], row['.iteration'], row['.draw']])).toEqual([
      [1, 1, 1],
      [1, 2, 2],
      [1, 3, 3],
      [2, 1, 4],
      [2, 2, 5],
      [2, 3, 6],
    ]);
    const [first] = await drawsIn(chainFiles(await download('arviz', { first: 3 })));
    for (const [k, { name }] of (first?.columns ?? []).entries())
      expect(rows.slice(0, 3).map((row) => row[name])).toEqual([
        ...(first?.chains[0]?.draws[k] ?? []),
      ]);
    expect(Object.keys(rows[0] ?? {}).slice(3)).toEqual(['lp__', 'mu', 'divergent__']);
  });

  it('holds all draws, in several row groups if there are many', async () => {
    const wide = (await startExperiment(client, 'wide')).short_id;
    const names = Array.from({ length: 6000 }, (_, i) => `x[${i + 1}]`);
    const values = Float64Array.from({ length: 6000 * 400 }, (_, i) => (i % 7 === 0 ? NaN : i / 8));
    const { pool } = service.database;
    const experimentId = Number((await findObject(pool, wide))?.id);
    const layoutId = await ensureLayout(
      pool,
      experimentId,
      names.map((name) => ({ name })),
    );
    const place = { experimentId, chain: 1, phase: 'sampling', firstIteration: 1 } as const;
    await insertDraws(pool, { ...place, layoutId, count: 400, values });
    await touchDraws(pool, experimentId);
    const query = { sampledata: true, fmt: 'parquet' as const };
    let url: string | null = null;
    while (url === null) {
      const view = await client.viewObject({ params: { objid: wide }, query });
      const answer = sampledataSchema.parse(view);
      if (answer.progress === 'error') throw new Error(answer.message);
      url = answer.url;
    }
    const { rawPayload } = await service.inject({ method: 'GET', url: new URL(url).pathname });
    const file = rawPayload.buffer.slice(
      rawPayload.byteOffset,
      rawPayload.byteOffset + rawPayload.length,
    ) as ArrayBuffer;
    const metadata = parquetMetadata(file);
    expect(Number(metadata.num_rows)).toBe(400);
    expect(metadata.row_groups.length).toBe(2);
    const rows = await parquetReadObjects({ file, columns: ['.draw', 'x[1]', 'x[6000]'] });
    expect(rows.map((row) => row['.draw'])).toEqual(Array.from({ length: 400 }, (_, i) => i + 1));
    expect(rows.map((row) => row['x[1]'])).toEqual([...values.subarray(0, 400)]);
    expect(rows.map((row) => row['x[6000]'])).toEqual([...values.subarray(5999 * 400)]);
  });
});

describe('ArviZ', () => {
  it('is a tar with one netCDF file per chain, with the same draws from both endpoints', async () => {
    const files = chainFiles(await download('arviz'));
    expect(files.map((file) => file.path)).toEqual(['chain#1.nc', 'chain#2.nc']);
    const direct = await client.viewArvizData({ query: { experiment_id: objid } });
    expect(await drawsIn(chainFiles(new Uint8Array(direct)))).toEqual(await drawsIn(files));
    const read = readArvizFile(await loadHdf5(), files[1].bytes);
    expect(read.chains.map((chain) => chain.name)).toEqual(['chain#2']);
    expect(read.columns).toEqual([
      { name: 'mu' },
      { name: 'lp__', sampler: true },
      { name: 'divergent__', sampler: true, type: 'bool' },
    ]);
    expect([...read.chains[0].draws[0].subarray(0, 2)]).toEqual([2.001, 2.002]);
  });

  it('holds the first iterations on request', async () => {
    const [first] = chainFiles(await download('arviz', { first: 5 }));
    const read = readArvizFile(await loadHdf5(), first.bytes);
    expect(read.chains[0].draws[0].length).toBe(5);
  });

  it('of a share ends with the draws at the time of sharing', async () => {
    const { short_id: shareId } = await addShare(client, { objid });
    await addDraws(service, objid, { chains: 2, draws: 5, firstIteration: 21 });
    const shared = chainFiles(await download('arviz', { by: service.anonymous, shareId }));
    const read = readArvizFile(await loadHdf5(), shared[0].bytes);
    expect(read.chains[0].draws[0].length).toBe(20);
    const own = chainFiles(await download('arviz'));
    expect(readArvizFile(await loadHdf5(), own[0].bytes).chains[0].draws[0].length).toBe(25);
    const direct = await service.anonymous.viewArvizData({
      query: { experiment_id: objid, share_id: shareId },
    });
    expect(await drawsIn(chainFiles(new Uint8Array(direct)))).toEqual(await drawsIn(shared));
    expect(
      await codeOf(
        (await service.addPerson('eve')).client.viewArvizData({
          query: { experiment_id: (await startExperiment(client, 'other')).short_id },
        }),
      ),
    ).toBe('PERMISSION_DENIED');
  });

  it('accepts the password of a share in its header, until the share ends', async () => {
    const share = await addShare(client, { objid, password: 'right words' });
    const query = { experiment_id: objid, share_id: share.short_id };
    const by = (sharePassword?: string) =>
      service.anonymous.viewArvizData({ query, ...(sharePassword && { sharePassword }) });
    expect(chainFiles(new Uint8Array(await by('right words')))).toHaveLength(2);
    expect(await codeOf(by('wrong words'))).toBe('PERMISSION_DENIED');
    expect(await codeOf(by())).toBe('PERMISSION_DENIED');
    await client.deleteObjects({ query: { objids: [share.short_id] } });
    expect(await codeOf(by('right words'))).not.toBeNull();
  });

  itWith('readers', 'is opened by xarray, netCDF4 and h5py', async () => {
    const [first] = chainFiles(await download('arviz', { first: 3 }));
    const file = path.join(folder, 'first.nc');
    writeFileSync(file, first.bytes);
    const script = `
import sys, json, xarray, netCDF4, h5py
post = xarray.open_dataset(sys.argv[1], group='posterior')
stats = xarray.open_dataset(sys.argv[1], group='sample_stats')
nc = netCDF4.Dataset(sys.argv[1])['posterior']
h5 = h5py.File(sys.argv[1])['posterior/mu']
print(json.dumps(dict(
  chain=[str(c) for c in post.chain.values], mu=post.mu.values.tolist(), dims=list(post.mu.dims),
  diverging=str(stats.diverging.dtype), lp=stats.lp.values.tolist(), library=post.attrs['inference_library'],
  nc=list(nc['mu'].dimensions), scales=[list(d.keys()) for d in h5.dims])))`;
    expect(await python(script, file)).toEqual({
      chain: ['chain#1'],
      mu: [[1.001, 1.002, 1.003]],
      dims: ['chain', 'draw'],
      diverging: 'bool',
      lp: [[1.001, 1.002, 1.003]],
      library: 'Ergodic',
      nc: ['chain', 'draw'],
      scales: [['chain'], ['draw']],
    });
  });
});

describe('Grist', () => {
  itWith('sqlite3', 'is an SQLite file with pages for draws, summary and run', async () => {
    const file = path.join(folder, 'run.grist');
    writeFileSync(file, await download('grist', { first: 3 }));
    expect(await sqlite(file, 'select tableId, primaryViewId from _grist_Tables')).toEqual([
      { tableId: 'Draws', primaryViewId: 1 },
      { tableId: 'Summary', primaryViewId: 2 },
      { tableId: 'Run', primaryViewId: 3 },
    ]);
    expect(
      await sqlite(file, 'select Chain, Iteration, mu from Draws where Iteration = 2'),
    ).toEqual([
      { Chain: 'chain#1', Iteration: 2, mu: 1.002 },
      { Chain: 'chain#2', Iteration: 2, mu: 2.002 },
    ]);
    expect(
      await sqlite(
        file,
        "select c.colId, c.type, c.label from _grist_Tables_column c where parentId = 1 and colId <> 'manualSort'",
      ),
    ).toEqual([
      { colId: 'Chain', type: 'Text', label: 'Chain' },
      { colId: 'Iteration', type: 'Int', label: 'Iteration' },
      { colId: 'lp', type: 'Numeric', label: 'lp__' },
      { colId: 'mu', type: 'Numeric', label: 'mu' },
      { colId: 'divergent', type: 'Numeric', label: 'divergent__' },
    ]);
    expect(await sqlite(file, 'select count(*) as n from Summary')).toEqual([{ n: 2 }]);
    expect(await sqlite(file, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });

  it('is refused for too many draws, with the alternatives', async () => {
    objid = (await startExperiment(client, 'long')).short_id;
    await addDraws(service, objid, { chains: 2, draws: 120_000 });
    expect(await ask('grist')).toMatchObject({
      progress: 'error',
      url: null,
      message:
        'There are 240000 draws of 3 variables; a Grist document holds at most 200000 rows and 4000000 cells. Choose CSV or ArviZ, or fewer iterations (n_iteration).',
    });
  });
});
