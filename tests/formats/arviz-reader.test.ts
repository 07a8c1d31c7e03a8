/**
 * ArviZ files as other programs write them, made here with the HDF5 library. One long file: every layout is built with
 * the same few builders, and the library is loaded once.
 */
import type { Dataset, Group } from 'h5wasm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readArvizFile, readArvizInPlace } from '../../src/formats/arviz-reader.ts';
import { memoryColumns } from '../../src/formats/growing-column.ts';
import { draftName, type Hdf5, loadHdf5 } from '../../src/formats/hdf5.ts';
import { defaultImportLimits } from '../../src/formats/imported-draws.ts';
import { hdf5File } from '../support/hdf5-files.ts';

let hdf5: Hdf5;
beforeAll(async () => {
  hdf5 = await loadHdf5();
});

type Data = Float64Array | Float32Array | Int8Array | Int32Array | BigInt64Array | string[];
interface Given {
  readonly name: string;
  readonly shape: readonly number[];
  /** 0, 1, … unless given. */
  readonly data?: Data;
  /** Names of the scales that are attached, which are created if missing. */
  readonly scales?: readonly string[];
  readonly attributes?: Readonly<Record<string, number | string | number[]>>;
}

const counted = (length: number) => Float64Array.from({ length }, (_, i) => i);
const sizeOf = (shape: readonly number[]) => shape.reduce((product, n) => product * n, 1);

function fill(group: Group, variables: readonly Given[]): void {
  for (const { name, shape, data, scales = [], attributes = {} } of variables) {
    const dataset = group.create_dataset({
      name,
      data: data ?? counted(sizeOf(shape)),
      shape: [...shape],
    });
    for (const [key, value] of Object.entries(attributes)) dataset.create_attribute(key, value);
    scales.forEach((scale, axis) => {
      if (!group.keys().includes(scale))
        group.create_dataset({ name: scale, data: counted(shape[axis] ?? 0) }).make_scale(scale);
      dataset.attach_scale(axis, `${group.path}/${scale}`);
    });
  }
}

const fileOf = (
  groups: Readonly<Record<string, readonly Given[]>>,
  attributes: Readonly<Record<string, number | string | number[]>> = {},
) =>
  hdf5File(hdf5, (file) => {
    for (const [name, variables] of Object.entries(groups)) {
      const group = name === '' ? file : file.create_group(name, true);
      fill(group, variables);
      if (name === 'posterior')
        for (const [key, value] of Object.entries(attributes)) group.create_attribute(key, value);
    }
  });

const read = (...given: Parameters<typeof fileOf>) => readArvizFile(hdf5, fileOf(...given));
/** Draws by name, chain by chain. */
const drawsOf = ({ columns, chains }: ReturnType<typeof readArvizFile>) =>
  Object.fromEntries(
    columns.map(({ name }, k) => [name, chains.map((chain) => [...(chain.draws[k] ?? [])])]),
  );
const mu: Given = { name: 'mu', shape: [2, 3] };
const muDraws = [
  [0, 1, 2],
  [3, 4, 5],
];

describe('variables', () => {
  it('without scales have chain and draw first, and indices for the other axes', () => {
    const variables = [
      { name: 'mu', shape: [2, 2] },
      { name: 'theta', shape: [2, 2, 2, 3] },
      { name: 'k', shape: [4] },
    ];
    const found = drawsOf(read({ posterior: variables }));
    expect(Object.keys(found)).toEqual([
      'mu',
      ...['1,1', '1,2', '1,3', '2,1', '2,2', '2,3'].map((place) => `theta[${place}]`),
    ]);
    expect(found['theta[1,1]']).toEqual([
      [0, 6],
      [12, 18],
    ]);
    expect(found['theta[2,2]']).toEqual([
      [4, 10],
      [16, 22],
    ]);
  });

  it('have chain and draw on the axes that their scales name', () => {
    const theta = { name: 'theta', shape: [2, 4, 3], scales: ['school', 'draw', 'chain'] };
    expect(drawsOf(read({ posterior: [theta] }))).toEqual({
      'theta[1]': [
        [0, 3, 6, 9],
        [1, 4, 7, 10],
        [2, 5, 8, 11],
      ],
      'theta[2]': [
        [12, 15, 18, 21],
        [13, 16, 19, 22],
        [14, 17, 20, 23],
      ],
    });
  });

  it('of one chain may lack its axis, and those with only other axes are left out', () => {
    expect(
      drawsOf(
        read({
          posterior: [
            { name: 'mu', shape: [3], scales: ['draw'] },
            { name: 'theta', shape: [3, 2], scales: ['draw', 'school'] },
            { name: 'size', shape: [2], scales: ['school'] },
            { name: 'table', shape: [2, 2], scales: ['school', 'other'] },
            { name: 'half', shape: [2, 3], scales: ['school'] },
            { name: 'single', shape: [] },
          ],
        }),
      ),
    ).toEqual({ mu: [[0, 1, 2]], 'theta[1]': [[0, 2, 4]], 'theta[2]': [[1, 3, 5]] });
  });

  it('do not include coordinates of chains and draws or dimension scales', () => {
    const bytes = hdf5File(hdf5, (file) => {
      const group = file.create_group('posterior');
      fill(group, [{ name: 'chain', shape: [2, 3] }, { name: 'draw', shape: [2, 3] }, mu]);
      group.create_dataset({ name: 'grid', data: counted(6), shape: [2, 3] }).make_scale('grid');
    });
    expect(drawsOf(readArvizFile(hdf5, bytes))).toEqual({ mu: muDraws });
  });

  it('are found at the root if the file has no group of them', () =>
    expect(drawsOf(read({ '': [mu] }))).toEqual({ mu: muDraws }));

  it('are whole numbers, booleans or real numbers, as stored', () => {
    const { columns, chains, notes } = read({
      posterior: [
        { ...mu, name: 'i', data: Int32Array.of(0, 1, 2, 3, 4, 5) },
        { ...mu, name: 'l', data: BigInt64Array.of(0n, 1n, 2n, 3n, 4n, -5n) },
        { ...mu, name: 'b', data: Int8Array.of(0, 1, 0, 1, 0, 1), attributes: { dtype: 'bool' } },
        { ...mu, name: 'f', data: Float32Array.of(0.5, 1, 2, 3, 4, 5) },
        { ...mu, name: 'words', data: ['a', 'b', 'c', 'd', 'e', 'f'] },
      ],
    });
    expect(columns).toEqual([
      { name: 'i', type: 'int' },
      { name: 'l', type: 'int' },
      { name: 'b', type: 'bool' },
      { name: 'f' },
    ]);
    expect(chains.map((chain) => chain.draws.map((one) => one[2]))).toEqual([
      [2, 2, 0, 2],
      [5, -5, 1, 5],
    ]);
    expect(notes).toEqual(['/posterior/words has no numbers and was left out.']);
  });

  it('have NaN for fill values, and are scaled by their attributes', () => {
    const of = (attributes: Given['attributes']) =>
      drawsOf(read({ posterior: [{ ...mu, attributes }] })).mu?.flat();
    expect(of({ _FillValue: 2 })).toEqual([0, 1, NaN, 3, 4, 5]);
    expect(of({ missing_value: 3 })).toEqual([0, 1, 2, NaN, 4, 5]);
    expect(of({ _FillValue: 0, missing_value: 5 })).toEqual([NaN, 1, 2, 3, 4, NaN]);
    expect(of({ _FillValue: Number.NaN })).toEqual([0, 1, 2, 3, 4, 5]);
    expect(of({ scale_factor: 2 })).toEqual([0, 2, 4, 6, 8, 10]);
    expect(of({ add_offset: -1 })).toEqual([-1, 0, 1, 2, 3, 4]);
    expect(of({ scale_factor: 2, add_offset: 1, _FillValue: 5 })).toEqual([1, 3, 5, 7, 9, NaN]);
    expect(of({ scale_factor: [2, 3], _FillValue: 'x' })).toEqual([0, 1, 2, 3, 4, 5]);
    expect(of({ scale_factor: '2', add_offset: '1', _FillValue: 5 })).toEqual([0, 1, 2, 3, 4, NaN]);
  });

  it('with encoded names are decoded', () =>
    expect(Object.keys(drawsOf(read({ posterior: [{ ...mu, name: '%CF%89%2F2' }] })))).toEqual([
      'ω/2',
    ]));
});

describe('chains', () => {
  const named = (chain: Data, more: Partial<Given> = {}) =>
    read({
      posterior: [{ name: 'chain', shape: [chain.length], data: chain, ...more }, mu],
    }).chains.map((one) => one.name);

  it('have the names in the file if they are unique strings', () => {
    expect(named(['chain#3', '%CF%89'])).toEqual(['chain#3', 'ω']);
    expect(named(BigInt64Array.of(3n, 7n))).toEqual(['', '']);
    expect(named(['a', 'b', 'c'])).toEqual(['', '']);
    expect(named(['a', 'b', 'b'])).toEqual(['', '']);
    expect(named(['a', 'b'], { shape: [1, 2] })).toEqual(['', '']);
    expect(read({ posterior: [mu] }).chains.map((one) => one.name)).toEqual(['', '']);
  });
});

describe('sampler statistics', () => {
  const posterior = (chains: Data) => [{ name: 'chain', shape: [2], data: chains }, mu];
  const stats = (chains: Data | null, more: readonly Given[] = []) => [
    ...(chains === null ? [] : [{ name: 'chain', shape: [chains.length], data: chains }]),
    { name: 'lp', shape: [2, 3] },
    ...more,
  ];

  it('get our names, with the step size of the last draw', () => {
    const sampleStats = [
      { name: 'lp', shape: [2, 3] },
      { name: 'step_size', shape: [2, 3], data: Float64Array.of(0, 0, 0.5, 0, 0, NaN) },
      { name: 'diverging', shape: [2, 3] },
      { name: 'tree_depth', shape: [2, 3] },
      { name: 'process_time', shape: [2, 3] },
      { name: 'energy', shape: [2, 3, 2] },
    ];
    const { columns, chains } = read({ posterior: [mu], sample_stats: sampleStats });
    expect(columns).toEqual([
      { name: 'mu' },
      { name: 'lp__', sampler: true },
      { name: 'stepsize__', sampler: true },
      { name: 'divergent__', sampler: true, type: 'bool' },
      { name: 'treedepth__', sampler: true, type: 'int' },
    ]);
    expect(chains.map((chain) => chain.stepSize)).toEqual([0.5, null]);
    expect(read({ posterior: [mu] }).chains[0]).toMatchObject({
      stepSize: null,
      warmupSeconds: null,
      samplingSeconds: null,
    });
  });

  it('belong to chains by name, or by position if there are no names', () => {
    const lpOf = (ofDraws: Data | null, ofStats: Data | null) =>
      drawsOf(
        read({
          posterior: ofDraws === null ? [mu] : posterior(ofDraws),
          sample_stats: stats(ofStats),
        }),
      ).lp__;
    const turned = [muDraws[1], muDraws[0]];
    expect(lpOf(Int32Array.of(4, 7), Int32Array.of(7, 4))).toEqual(turned);
    expect(lpOf(['a', 'b'], ['b', 'a'])).toEqual(turned);
    expect(lpOf(Int32Array.of(4, 7), null)).toEqual(muDraws);
    expect(lpOf(null, Int32Array.of(7, 4))).toEqual(muDraws);
    expect(lpOf(null, null)).toEqual(muDraws);
    // as in files that were concatenated
    expect(lpOf(Int32Array.of(4, 4), Int32Array.of(4, 4))).toEqual(muDraws);
    expect(lpOf(['a', 'a'], ['a', 'a'])).toEqual(muDraws);
  });

  it('belong to chains by position if the coordinates are of other kinds', () => {
    class OddDataset {
      readonly attrs = {};
      constructor(
        readonly path: string,
        readonly metadata: object,
        readonly value: unknown,
      ) {}
      get_scale_name() {
        return null;
      }
      get_attached_scales() {
        return [];
      }
    }
    class OddGroup {
      readonly attrs = {};
      constructor(
        readonly path: string,
        readonly members: Readonly<Record<string, unknown>>,
      ) {}
      keys() {
        return Object.keys(this.members);
      }
      get(name: string) {
        return this.members[name] ?? null;
      }
    }
    const group = (path: string, name: string, chain: { type: number; value: unknown }) => {
      const numChains = (chain.value as ArrayLike<unknown>).length;
      const metadata = { type: 1, size: 8, shape: [numChains, 1] };
      return new OddGroup(path, {
        chain: new OddDataset(
          'chain',
          { type: chain.type, size: 8, shape: [numChains] },
          chain.value,
        ),
        [name]: new OddDataset(name, metadata, counted(numChains)),
      });
    };
    const drawsWith = (
      ofDraws: { type: number; value: unknown },
      ofStats: { type: number; value: unknown },
    ) => {
      class OddFile extends OddGroup {
        constructor() {
          super('/', {
            posterior: group('/posterior', 'mu', ofDraws),
            sample_stats: group('/sample_stats', 'lp', ofStats),
          });
        }
        close() {
          return 0;
        }
      }
      const fs = { writeFile() {}, unlink() {} };
      const odd = { File: OddFile, Dataset: OddDataset, Group: OddGroup, fs } as unknown as Hdf5;
      const found = readArvizFile(odd, Uint8Array.of(0x89, 0x48, 0x44, 0x46, 13, 10, 26, 10));
      return [found.chains.map(({ name }) => name), drawsOf(found).lp__];
    };
    const pairs = () => ({
      type: 6,
      value: [
        ['a', 1],
        ['b', 2],
      ],
    });
    // with this many, names are not compared
    const many = (length: number) => ({ type: 0, value: Int32Array.from({ length }, (_, i) => i) });
    const [, found] = drawsWith(many(10_000), {
      type: 0,
      value: many(10_000).value.toReversed(),
    });
    expect(found?.[0]).toEqual([9999]);
    const [, unnamed] = drawsWith(many(10_001), {
      type: 0,
      value: many(10_001).value.toReversed(),
    });
    expect(unnamed?.[0]).toEqual([0]);
    expect(drawsWith(pairs(), pairs())).toEqual([
      ['', ''],
      [[0], [1]],
    ]);
    const bytes = { type: 5, value: Uint8Array.of(5) };
    expect(drawsWith(bytes, { type: 0, value: Int32Array.of(7) })).toEqual([[''], [[0]]]);
    const texts = { type: 3, value: ['a', null] };
    expect(drawsWith(texts, texts)).toEqual([
      ['a', ''],
      [[0], [1]],
    ]);
  });

  it('ignore coordinates that only stand for a dimension', () => {
    const bytes = hdf5File(hdf5, (file) => {
      fill(file.create_group('posterior'), posterior(Int32Array.of(4, 7)));
      const group = file.create_group('sample_stats');
      group
        .create_dataset({ name: 'chain', data: Int32Array.of(7, 4) })
        .make_scale('This is a netCDF dimension but not a netCDF variable.         2');
      fill(group, [{ name: 'lp', shape: [2, 3] }]);
    });
    expect(drawsOf(readArvizFile(hdf5, bytes)).lp__).toEqual(muDraws);
    // numbers along a dimension count, but a table of them does not
    for (const isTable of [false, true]) {
      const scaled = hdf5File(hdf5, (file) => {
        fill(file.create_group('posterior'), posterior(Int32Array.of(4, 7)));
        const group = file.create_group('sample_stats');
        const shape = isTable ? [2, 1] : [2];
        group
          .create_dataset({ name: 'chain', data: Int32Array.of(7, 4), shape })
          .make_scale('chain');
        fill(group, [{ name: 'lp', shape: [2, 3] }]);
      });
      const found = drawsOf(readArvizFile(hdf5, scaled)).lp__;
      expect(found).toEqual(isTable ? muDraws : muDraws.toReversed());
    }
    const odd = hdf5File(hdf5, (file) => {
      const group = file.create_group('posterior');
      group.create_group('chain');
      fill(group, [mu]);
    });
    expect(readArvizFile(hdf5, odd).chains.map((chain) => chain.name)).toEqual(['', '']);
  });

  it.each<[string, readonly Given[]]>([
    [
      'other chains',
      [
        { name: 'chain', shape: [2], data: Int32Array.of(4, 8) },
        { name: 'lp', shape: [2, 3] },
      ],
    ],
    ['fewer chains', [{ name: 'lp', shape: [1, 3] }]],
    ['fewer draws', [{ name: 'lp', shape: [2, 2] }]],
  ])('of %s are left out with a note', (_, sample_stats) => {
    const { columns, notes } = read({ posterior: posterior(Int32Array.of(4, 7)), sample_stats });
    expect(columns).toEqual([{ name: 'mu' }]);
    expect(notes).toEqual([
      '/sample_stats has different chains or draws from the posterior and was left out.',
    ]);
  });

  it('are absent if no name is known', () => {
    const { columns, notes } = read({ posterior: [mu], sample_stats: [{ ...mu, name: 'x' }] });
    expect([columns, notes]).toEqual([[{ name: 'mu' }], []]);
  });
});

describe('warmup', () => {
  const warmupOf = (groups: Readonly<Record<string, readonly Given[]>>) =>
    read(groups).chains.map((chain) => chain.warmup.map((one) => [...one]));
  const short = (name: string): Given => ({ name, shape: [2, 1] });
  it('is read if every column has it, chain by chain', () => {
    expect(warmupOf({ posterior: [mu], warmup_posterior: [short('mu')] })).toEqual([[[0]], [[1]]]);
    expect(
      warmupOf({
        posterior: [{ name: 'chain', shape: [2], data: Int32Array.of(1, 2) }, mu],
        warmup_posterior: [{ name: 'chain', shape: [2], data: Int32Array.of(2, 3) }, short('mu')],
      }),
    ).toEqual([[[]], [[0]]]);
    // by position if one group has no names, or duplicate ones
    for (const chains of [[], [{ name: 'chain', shape: [2], data: Int32Array.of(1, 1) }]])
      expect(
        warmupOf({
          posterior: [{ name: 'chain', shape: [2], data: Int32Array.of(1, 2) }, mu],
          warmup_posterior: [...chains, short('mu')],
        }),
      ).toEqual([[[0]], [[1]]]);
    expect(
      warmupOf({
        posterior: [mu],
        sample_stats: [{ ...mu, name: 'lp' }],
        warmup_posterior: [short('mu'), short('nu')],
        warmup_sample_stats: [short('lp')],
      }),
    ).toEqual([
      [[0], [0]],
      [[1], [1]],
    ]);
  });

  it('is ignored without a note if it has no variables', () => {
    const warmup_sample_stats = [{ ...mu, name: 'lp' }];
    const without: Readonly<Record<string, readonly Given[]>>[] = [{}, { warmup_posterior: [] }];
    for (const others of without) {
      const { notes, chains } = read({ posterior: [mu], ...others, warmup_sample_stats });
      expect(notes).toEqual([]);
      expect(chains.map(({ warmup }) => warmup[0]?.length)).toEqual([0, 0]);
    }
  });

  it('is left out where a column lacks it', () => {
    const none = [[[]], [[]]];
    expect(warmupOf({ posterior: [mu] })).toEqual(none);
    expect(warmupOf({ posterior: [mu], warmup_posterior: [short('nu')] })).toEqual(none);
    expect(warmupOf({ posterior: [mu], warmup_posterior: [] })).toEqual(none);
    expect(
      warmupOf({
        posterior: [mu],
        sample_stats: [{ ...mu, name: 'lp' }],
        warmup_posterior: [short('mu')],
      }),
    ).toEqual([
      [[], []],
      [[], []],
    ]);
  });
});

it('a run without draws has no last step size', () => {
  const none = (name: string): Given => ({ name, shape: [2, 0], data: new Float64Array(0) });
  const { chains } = read({ posterior: [none('mu')], sample_stats: [none('step_size')] });
  expect(chains.map(({ draws, stepSize }) => [draws.length, stepSize])).toEqual([
    [2, null],
    [2, null],
  ]);
});

it('the attributes of a file become settings of its run', () => {
  const settings = {
    inference_library: 'pymc',
    inference_library_version: '5.1',
    created_at: '2024-01-01',
    tuning_steps: 1000,
    sampling_time: 2.5,
    other: 'x',
  };
  expect(read({ posterior: [mu] }, settings).settings).toEqual({
    inference_library: 'pymc',
    inference_library_version: '5.1',
    created_at: '2024-01-01',
    num_warmup: 1000,
    sampling_seconds: 2.5,
  });
  expect(read({ posterior: [mu] }, { tuning_steps: [1, 2] }).settings).toEqual({});
});

describe('refuses', () => {
  const refused = (bytes: Uint8Array, limits = defaultImportLimits) => {
    try {
      readArvizFile(hdf5, bytes, limits);
      return 'taken';
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`;
    }
  };

  it('netCDF 3 files, with advice on how to convert them', () =>
    expect(refused(Uint8Array.of(0x43, 0x44, 0x46, 1, 0))).toBe(
      'ImportError: This is a netCDF 3 file. Convert it to netCDF 4: `nccopy -k netCDF-4 old.nc new.nc`, or with ArviZ `idata.to_netcdf("new.nc")`.',
    ));

  it('truncated files, with the message of the library', () => {
    const message = refused(fileOf({ posterior: [mu] }).subarray(0, 500));
    expect(message).toMatch(
      /^ImportError: The file is damaged or truncated: truncated file: eof = 500, [^\n()]*\.$/,
    );
  });

  it.each([
    ['its first line if it is not a list', 'odd\nmore', 'odd'],
    [
      'the last entry of a list',
      'a\n #000: x.c in f(): outer\n #001: y.c in g(): inner\n',
      'inner',
    ],
    ['its beginning where it is long', 'x'.repeat(300), 'x'.repeat(200)],
  ])('damaged files, with the message of the library: %s', (_, said, shown) => {
    class Failing {
      constructor() {
        throw new Error(said);
      }
    }
    const failing = { ...hdf5, File: Failing as unknown as Hdf5['File'] };
    expect(() => readArvizFile(failing, fileOf({ posterior: [mu] }))).toThrow(
      expect.objectContaining({
        name: 'ImportError',
        message: `The file is damaged or truncated: ${shown}.`,
      }),
    );
  });

  it('no file without closing it', () => {
    const [open, opened] = [new Set<string>(), new Set<string>()];
    class Noted extends hdf5.File {
      constructor(path: string) {
        super(path);
        open.add(path);
        opened.add(path);
      }
      override close() {
        open.delete(this.filename);
        return super.close();
      }
    }
    const noting = { ...hdf5, File: Noted as unknown as Hdf5['File'] };
    readArvizFile(noting, fileOf({ posterior: [mu] }));
    expect(open.size).toBe(0);
    expect(() => readArvizFile(noting, fileOf({}))).toThrow('There is no group');
    expect([open.size, opened.size]).toEqual([0, 2]);
  });

  it('files without draws, with a list of what they contain', () => {
    expect(refused(fileOf({}))).toBe(
      'ImportError: There is no group "posterior" with variables over chain and draw.',
    );
    const groups = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name) => [name, [mu]]),
    );
    expect(refused(fileOf(groups))).toBe(
      'ImportError: There is no group "posterior" with variables over chain and draw; the file holds a, b, c, d, e, f, g, h.',
    );
    expect(refused(fileOf({ '': [{ name: 'posterior', shape: [2] }] }))).toMatch(/holds posterior/);
  });

  it('variables whose chains or draws differ from those before', () => {
    for (const shape of [
      [2, 2],
      [1, 3],
    ])
      expect(refused(fileOf({ posterior: [mu, { name: 'tau', shape }] }))).toBe(
        'ImportError: "tau" has different chains or draws from the variables before it.',
      );
  });

  it('more columns or values over all groups than the limits allow, but not as many', () => {
    const groups = {
      posterior: [mu, { name: 'theta', shape: [2, 3, 2] }],
      sample_stats: [{ ...mu, name: 'lp' }],
    };
    const limits = { columns: 3, values: 24 };
    expect(refused(fileOf(groups), limits)).toBe('taken');
    expect(refused(fileOf(groups), { ...limits, columns: 2 })).toMatch(/There are 3 columns/);
    expect(refused(fileOf(groups), { ...limits, values: 23 })).toMatch(/There are 24 values/);
  });
});

describe('a file that is read in place', () => {
  const opened: InstanceType<Hdf5['File']>[] = [];
  afterEach(() => {
    vi.restoreAllMocks();
    for (const file of opened.splice(0)) {
      file.close();
      hdf5.fs.unlink(file.filename);
    }
  });
  const openIn = (bytes: Uint8Array) => {
    const path = draftName();
    hdf5.fs.writeFile(path, bytes);
    const reads: ((from: number, to: number) => Float64Array)[] = [];
    const store = {
      ...memoryColumns,
      lazy: (length: number, reader: (from: number, to: number) => Float64Array) => {
        reads.push(reader);
        return new Float64Array(length);
      },
    };
    class Kept extends hdf5.File {
      constructor(place: string) {
        super(place);
        opened.push(this);
      }
    }
    const keeping = { ...hdf5, File: Kept as unknown as Hdf5['File'] };
    const file = { hdf5: keeping, path, head: bytes.subarray(0, 16) };
    return { draws: readArvizInPlace(file, { limits: defaultImportLimits, store }), reads };
  };

  it('is read range by range, when numbers are requested', () => {
    const theta = { name: 'theta', shape: [2, 4, 3], scales: ['school', 'draw', 'chain'] };
    const wholes = vi.spyOn(hdf5.Dataset.prototype, 'value', 'get');
    const { draws, reads } = openIn(fileOf({ posterior: [theta] }));
    expect(draws.columns.map(({ name }) => name)).toEqual(['theta[1]', 'theta[2]']);
    expect(reads.map((reader) => [...reader(1, 3)])).toEqual([
      [3, 6],
      [4, 7],
      [5, 8],
      [15, 18],
      [16, 19],
      [17, 20],
    ]);
    expect(reads.map((reader) => reader(2, 2).length)).toEqual([0, 0, 0, 0, 0, 0]);
    // except the chain numbers
    expect(wholes.mock.contexts.map((dataset) => (dataset as Dataset).path)).toEqual([
      '/posterior/chain',
    ]);
  });

  it('with many numbers is read block by block', () => {
    // 8192 columns: 256 draws are in memory at a time
    const { reads } = openIn(fileOf({ posterior: [{ name: 'x', shape: [1, 600, 8192] }] }));
    const expected = (e: number, from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => (from + i) * 8192 + e);
    for (const [from, to] of [
      [0, 600],
      [250, 260],
      [256, 512],
      [511, 600],
    ] as const)
      expect([...(reads[5]?.(from, to) ?? [])]).toEqual(expected(5, from, to));
    const slices = vi.spyOn(hdf5.Dataset.prototype, 'slice');
    expect([...(reads[8191]?.(0, 600) ?? [])]).toEqual(expected(8191, 0, 600));
    expect(slices).toHaveBeenCalledTimes(3);
    // for two adjacent columns a block is read once
    expect([...(reads[8191]?.(300, 303) ?? [])]).toEqual(expected(8191, 300, 303));
    expect([...(reads[8190]?.(300, 303) ?? [])]).toEqual(expected(8190, 300, 303));
    expect(slices).toHaveBeenCalledTimes(4);
  });

  it('is refused like any other', () => {
    expect(() => openIn(new Uint8Array(20))).toThrow('no netCDF signature');
    expect(() => openIn(fileOf({ posterior: [mu] }).subarray(0, 500))).toThrow(
      'The file is damaged or truncated: ',
    );
  });
});
