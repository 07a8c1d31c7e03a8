/** The contents of the files we write, as the HDF5 library sees them. */
import type { Dataset, Group } from 'h5wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import { netcdfName, plainName, writeArvizFile } from '../../src/formats/arviz-file.ts';
import { readArvizFile } from '../../src/formats/arviz-reader.ts';
import { type ArvizVariable, createArvizWriter } from '../../src/formats/arviz-writer.ts';
import { type Hdf5, loadHdf5 } from '../../src/formats/hdf5.ts';
import type { ImportedChain, ImportedColumn } from '../../src/formats/imported-draws.ts';
import { inHdf5File } from '../support/hdf5-files.ts';

let hdf5: Hdf5;
beforeAll(async () => {
  hdf5 = await loadHdf5();
});

const attributes = { createdAt: '2026-01-02T03:04:05Z', library: 'Ergodic', libraryVersion: '0.1' };

interface Shown {
  readonly shape: readonly number[] | null;
  /** Names of the scales along its axes; a scale has none. */
  readonly axes?: readonly (string | undefined)[];
  readonly values: unknown;
}

function shown(dataset: Dataset): Shown {
  const { shape, value } = dataset;
  const values = ArrayBuffer.isView(value) ? Array.from(value as never, Number) : value;
  if (dataset.get_scale_name() !== null) return { shape, values };
  const axes = (shape ?? []).map((_, axis) => dataset.get_attached_scales(axis)[0]);
  return { shape, axes: axes.map((path) => path?.replace(/.*\//, '')), values };
}

/** Every dataset of every group. */
const contentOf = (bytes: Uint8Array) =>
  inHdf5File(hdf5, bytes, (file) =>
    Object.fromEntries(
      file.keys().map((name) => {
        const group = file.get(name) as Group;
        const datasets = group.keys().map((key) => [key, shown(group.get(key) as Dataset)]);
        return [name, Object.fromEntries(datasets) as Record<string, Shown>];
      }),
    ),
  );

/** A group with two chains and one draw. */
const written = (...variables: readonly ArvizVariable[]) => {
  const writer = createArvizWriter(hdf5, attributes);
  const group = writer.group('posterior', { chains: [0, 1], numDraws: 1 });
  for (const variable of variables) group.add(variable);
  return contentOf(writer.finish()).posterior ?? {};
};
const values = (length: number) => Float64Array.from({ length }, (_, i) => i + 0.5);

const chainOf = (
  draws: readonly (readonly number[])[],
  warmup: readonly (readonly number[])[] = draws.map(() => []),
): ImportedChain => ({
  name: '',
  draws: draws.map((column) => Float64Array.from(column)),
  warmup: warmup.map((column) => Float64Array.from(column)),
  stepSize: null,
  warmupSeconds: null,
  samplingSeconds: null,
});

describe('dimensions', () => {
  it('are chain, draw and a separate one for each further axis of a variable', () => {
    expect(written({ name: 'a', dims: [2, 1], values: values(4) })).toEqual({
      chain: { shape: [2], values: [0, 1] },
      draw: { shape: [1], values: [0] },
      a_dim_0: { shape: [2], values: [0, 1] },
      a_dim_1: { shape: [1], values: [0] },
      a: {
        shape: [2, 1, 2, 1],
        axes: ['chain', 'draw', 'a_dim_0', 'a_dim_1'],
        values: [0.5, 1.5, 2.5, 3.5],
      },
    });
  });

  it('with a name are shared by variables of equal length, with labels or indices', () => {
    const school = { name: 'school', labels: ['A', '', 'C'] };
    const found = written(
      { name: 'a', dims: [3], axes: [school], values: values(6) },
      { name: 'b', dims: [3], axes: [school], values: values(6) },
      { name: 'c', dims: [2], axes: [school], values: values(4) },
      { name: 'd', dims: [2], axes: [{ name: 'year', labels: [] }], values: values(4) },
    );
    expect(found.school).toEqual({ shape: [3], values: ['A', '2', 'C'] });
    expect(found.school_).toEqual({ shape: [2], values: ['A', '2'] });
    expect(found.year).toEqual({ shape: [2], values: [0, 1] });
    expect(['a', 'b', 'c', 'd'].map((name) => found[name]?.axes?.[2])).toEqual([
      'school',
      'school',
      'school_',
      'year',
    ]);
  });

  it('occur once per variable, and get a name if they have none, with any labels', () => {
    const school = { name: 'school', labels: ['A', 'B'] };
    const found = written(
      { name: 'm', dims: [2, 2], axes: [school, school], values: values(8) },
      { name: 'n', dims: [2, 2], axes: [{ name: '', labels: ['x'] }], values: values(8) },
    );
    expect(found.m?.axes).toEqual(['chain', 'draw', 'school', 'm_dim_1']);
    expect(found.m_dim_1).toEqual({ shape: [2], values: ['A', 'B'] });
    expect(found.n?.axes).toEqual(['chain', 'draw', 'n_dim_0', 'n_dim_1']);
    expect(found.n_dim_0).toEqual({ shape: [2], values: ['x', '2'] });
    expect(found.n_dim_1).toEqual({ shape: [2], values: [0, 1] });
  });

  it('and variables never share a name', () => {
    const found = written(
      { name: 'chain', dims: [], values: values(2) },
      { name: 'a_dim_0', dims: [], values: values(2) },
      { name: 'a', dims: [1], values: values(2) },
      { name: 'a', dims: [], values: values(2) },
    );
    expect(Object.keys(found)).toEqual([
      'chain',
      'draw',
      'chain_',
      'a_dim_0',
      'a_dim_0_',
      'a',
      'a_',
    ]);
  });

  it('of chains are numbers, or names unless all are numbers', () => {
    const chainsOf = (...chains: (number | string)[]) => {
      const writer = createArvizWriter(hdf5, attributes);
      writer.group('posterior', { chains, numDraws: 1 });
      return contentOf(writer.finish()).posterior?.chain?.values;
    };
    expect(chainsOf(3, 7)).toEqual([3, 7]);
    expect(chainsOf('a', 7)).toEqual(['a', '7']);
  });
});

describe('numbers', () => {
  const kindOf = (type: 'int' | 'bool' | undefined, ...given: number[]) => {
    const writer = createArvizWriter(hdf5, attributes);
    writer
      .group('posterior', { chains: [0], numDraws: given.length })
      .add({ name: 'x', dims: [], values: Float64Array.from(given), ...(type && { type }) });
    return inHdf5File(hdf5, writer.finish(), (file) => {
      const dataset = file.get('posterior/x') as Dataset;
      return [dataset.dtype, dataset.attrs.dtype?.value ?? null];
    });
  };
  it('are stored as whole numbers or booleans only if every one fits', () => {
    expect(kindOf('int', 1, -2)).toEqual(['<q', null]);
    expect(kindOf('int', 1, 2.5)).toEqual(['<d', null]);
    expect(kindOf('int', 2 ** 53)).toEqual(['<d', null]);
    expect(kindOf('bool', 0, 1)).toEqual(['<b', 'bool']);
    expect(kindOf('bool', 0, 2)).toEqual(['<d', null]);
    expect(kindOf('bool', 0, NaN)).toEqual(['<d', null]);
    expect(kindOf(undefined, 0, 1)).toEqual(['<d', null]);
  });
});

describe('attributes', () => {
  const attributesOf = (more: object) => {
    const writer = createArvizWriter(hdf5, { ...attributes, ...more });
    writer.group('posterior', { chains: [0], numDraws: 1 });
    return inHdf5File(hdf5, writer.finish(), (file) =>
      [file, file.get('posterior') as Group].map((owner) =>
        Object.fromEntries(Object.entries(owner.attrs).map(([name, { value }]) => [name, value])),
      ),
    );
  };
  const usual = {
    created_at: '2026-01-02T03:04:05Z',
    creation_library: 'Ergodic',
    creation_library_version: '0.1',
    creation_library_language: 'TypeScript',
    inference_library: 'Ergodic',
    inference_library_version: '0.1',
    arviz_schema_version: '1.3',
  };
  it('of the file and of each group say what wrote it and when', () => {
    expect(attributesOf({})).toEqual([usual, usual]);
    const more = { ...usual, modeling_interface: 'schools', left_out: 'chain#2' };
    expect(attributesOf({ modelName: 'schools', others: { left_out: 'chain#2' } })).toEqual([
      more,
      more,
    ]);
  });
});

describe('a writer', () => {
  it('leaves no file in the memory of the library', () => {
    const files = () => (hdf5.fs.readdir('/') as string[]).filter((name) => /draws-/.test(name));
    const before = files();
    createArvizWriter(hdf5, attributes).finish();
    const dropped = createArvizWriter(hdf5, attributes);
    expect(files()).toHaveLength(before.length + 1);
    dropped.discard();
    dropped.discard();
    const finished = createArvizWriter(hdf5, attributes);
    finished.finish();
    finished.discard();
    readArvizFile(
      hdf5,
      writeArvizFile(hdf5, { columns: [{ name: 'a' }], chains: [chainOf([[1]])] }, attributes),
    );
    expect(() =>
      readArvizFile(hdf5, Uint8Array.of(0x89, 0x48, 0x44, 0x46, 13, 10, 26, 10)),
    ).toThrow();
    expect(files()).toEqual(before);
    const short = { ...chainOf([[1]]), draws: [Float64Array.of(1)] };
    const columns = [{ name: 'a' }, { name: 'b' }];
    expect(() => writeArvizFile(hdf5, { columns, chains: [short] }, attributes)).toThrow();
    expect(files()).toEqual(before);
  });
});

describe('a run', () => {
  const columns: ImportedColumn[] = [
    { name: 'a/b' },
    { name: 'theta[2]' },
    { name: 'theta[1]' },
    { name: 'log_lik[1]' },
    { name: 'log_lik[2]' },
    { name: 'y_rep[1]' },
    { name: 'y_rep[2]' },
    { name: 'lp__' },
    { name: 'energy__', sampler: true },
    { name: 'own__', sampler: true },
  ];
  const row = (from: number, draws: number) =>
    columns.map((_, k) => Array.from({ length: draws }, (__, d) => from + 10 * k + d));
  const run = {
    columns,
    chains: [
      chainOf(row(0, 3), row(500, 1)),
      chainOf(columns.map(() => [])),
      chainOf(row(100, 2), row(600, 2)),
    ],
  };

  it('has variables in groups, chains cut to the shortest with draws, and separate warmup', () => {
    const content = contentOf(writeArvizFile(hdf5, run, attributes));
    expect(Object.keys(content)).toEqual([
      'posterior',
      'log_likelihood',
      'posterior_predictive',
      'sample_stats',
      'warmup_posterior',
      'warmup_log_likelihood',
      'warmup_posterior_predictive',
      'warmup_sample_stats',
    ]);
    expect(content.posterior?.chain?.values).toEqual([0, 1]);
    expect(content.posterior?.draw?.values).toEqual([0, 1]);
    expect(content.posterior?.['a%2Fb']?.values).toEqual([0, 1, 100, 101]);
    expect(content.posterior?.theta?.values).toEqual([20, 10, 21, 11, 120, 110, 121, 111]);
    expect(content.posterior?.theta?.axes).toEqual(['chain', 'draw', 'theta_dim_0']);
    expect(content.log_likelihood?.log_lik?.values).toEqual([30, 40, 31, 41, 130, 140, 131, 141]);
    expect(content.posterior_predictive?.y_rep?.shape).toEqual([2, 2, 2]);
    expect(Object.keys(content.sample_stats ?? {})).toEqual([
      'chain',
      'draw',
      'lp',
      'energy',
      'own__',
    ]);
    expect(content.warmup_posterior?.['a%2Fb']?.values).toEqual([500, 600]);
    expect(content.warmup_sample_stats?.energy?.values).toEqual([580, 680]);
  });

  it('without warmup, statistics or draws has only the groups that it needs', () => {
    const groups = (given: Parameters<typeof writeArvizFile>[1]) =>
      Object.keys(contentOf(writeArvizFile(hdf5, given, attributes)));
    const plain = [{ name: 'a' }];
    expect(groups({ columns: plain, chains: [chainOf([[1]])] })).toEqual(['posterior']);
    expect(groups({ columns: [{ name: 'lp__' }], chains: [chainOf([[1]])] })).toEqual([
      'posterior',
      'sample_stats',
    ]);
    const empty = { columns: [], chains: [] };
    expect(groups(empty)).toEqual(['posterior']);
    expect(groups({ columns: [], chains: [chainOf([])] })).toEqual(['posterior']);
  });

  it('is read back with log_likelihood and posterior_predictive only if we wrote it', () => {
    const back = readArvizFile(hdf5, writeArvizFile(hdf5, run, attributes));
    const names = back.columns.map(({ name }) => name);
    expect(names).toEqual([
      'a/b',
      'theta[1]',
      'theta[2]',
      'log_lik[1]',
      'log_lik[2]',
      'y_rep[1]',
      'y_rep[2]',
      'lp__',
      'energy__',
    ]);
    const at = (name: string) => names.indexOf(name);
    expect([...(back.chains[1]?.draws[at('y_rep[2]')] ?? [])]).toEqual([160, 161]);
    expect([...(back.chains[1]?.warmup[at('y_rep[2]')] ?? [])]).toEqual([660]);
    const others = writeArvizFile(hdf5, run, { ...attributes, library: 'PyMC' });
    expect(readArvizFile(hdf5, others).columns.map(({ name }) => name)).toEqual([
      'a/b',
      'theta[1]',
      'theta[2]',
      'lp__',
      'energy__',
    ]);
  });

  it('has data in separate groups for outcomes and constants, with labels as coordinates', () => {
    const data = [
      { name: 'J', dims: [], values: Float64Array.of(2) },
      { name: 'y', dims: [2], values: Float64Array.of(1.5, 2) },
      { name: 'x/z', dims: [2, 1], values: Float64Array.of(3, 4) },
      { name: 'none', dims: [0], values: new Float64Array(0) },
    ];
    const labels = { coords: { 'a/s': ['A', 'B'] }, dims: { y: ['a/s'], 'x/z': ['', 'k'] } };
    const drawn = { columns: [{ name: 'mu' }], chains: [chainOf([[1]])] };
    const content = contentOf(writeArvizFile(hdf5, drawn, attributes, { labels, data }));
    expect(content.observed_data).toEqual({
      'a%2Fs': { shape: [2], values: ['A', 'B'] },
      y: { shape: [2], axes: ['a%2Fs'], values: [1.5, 2] },
    });
    expect(Object.keys(content.constant_data ?? {})).toEqual(['J', 'x%2Fz_dim_0', 'k', 'x%2Fz']);
    expect(content.constant_data?.J).toEqual({ shape: [], axes: [], values: 2n });
    expect(content.constant_data?.['x%2Fz']?.axes).toEqual(['x%2Fz_dim_0', 'k']);
    expect(content.constant_data?.k).toEqual({ shape: [1], values: [0] });
  });
});

it('only names that HDF5 would read as a path are encoded, and only encoded ones are decoded', () => {
  expect(['theta', 'a/b', '.', '..', 'ω[1]'].map(netcdfName)).toEqual([
    'theta',
    'a%2Fb',
    '%2E',
    '..',
    'ω[1]',
  ]);
  expect(['a%2Fb', '%2E', '100%', 'a%20b', '%41', 'a b'].map(plainName)).toEqual([
    'a/b',
    '.',
    '100%',
    'a b',
    '%41',
    'a b',
  ]);
});
