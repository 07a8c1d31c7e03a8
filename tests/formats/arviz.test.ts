/** ArviZ files: we and others can read what we write; we read others' files, old and new, and reject hostile ones. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type * as h5wasm from 'h5wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  netcdfName,
  percentName,
  plainName,
  writeArvizFile,
} from '../../src/formats/arviz-file.ts';
import { dataGroups } from '../../src/formats/arviz-names.ts';
import { readArvizFile } from '../../src/formats/arviz-reader.ts';
import { type Hdf5, loadHdf5, prepareHdf5 } from '../../src/formats/hdf5.ts';
import { ImportError, type ImportedColumn } from '../../src/formats/imported-draws.ts';
import { createRandom } from '../../src/posterior/seeded-random.ts';
import { summariseVariable } from '../../src/posterior/summary.ts';
import { itWith } from '../support/needs.ts';
import { python, samplersPython } from '../support/python.ts';

let hdf5: Hdf5;
const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-arviz-'));
beforeAll(async () => {
  hdf5 = await loadHdf5();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * A separate instance of the library. It leaves part of its stack occupied with each error that it reports, so after many
 * of them the messages of other tests in this process would be garbled.
 */
async function ownHdf5(): Promise<Hdf5> {
  const address = `${import.meta.resolve('h5wasm')}?own`;
  return prepareHdf5((await import(/* @vite-ignore */ address)) as typeof h5wasm);
}

const attributes = { createdAt: '2026-01-02T03:04:05Z', library: 'Ergodic', libraryVersion: '0.1' };
const chainOf = (draws: readonly Float64Array[], warmup?: readonly Float64Array[]) => ({
  name: '',
  draws,
  warmup: warmup ?? draws.map(() => new Float64Array(0)),
  stepSize: null,
  warmupSeconds: null,
  samplingSeconds: null,
});
/** `value(chain, column, draw)` for each. */
const sample = (
  columns: readonly ImportedColumn[],
  size: readonly [chains: number, draws: number],
  value: (chain: number, column: number, draw: number) => number,
) => ({
  columns,
  chains: Array.from({ length: size[0] }, (_, c) =>
    chainOf(
      columns.map((_, k) => Float64Array.from({ length: size[1] }, (_, d) => value(c, k, d))),
    ),
  ),
});

describe('round trip', () => {
  it('keeps every bit of every draw, shapes, names, types and warmup', () => {
    const double = fc.oneof(fc.double(), fc.constantFrom(-0, NaN, Infinity, -Infinity, 5e-324));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        fc.infiniteStream(double),
        (numChains, numDraws, size, hasWarmup, stream) => {
          const next = () => stream.next().value;
          const columns: ImportedColumn[] = [
            { name: 'mu' },
            { name: 'ω/2' },
            ...Array.from({ length: 2 * size }, (_, i) => ({
              name: `L[${Math.floor(i / size) + 1},${(i % size) + 1}]`,
            })),
            { name: 'ragged[2]' },
            { name: 'count', type: 'int' as const },
            { name: 'lp__', sampler: true },
            { name: 'treedepth__', sampler: true, type: 'int' as const },
            { name: 'divergent__', sampler: true, type: 'bool' as const },
          ];
          const column = (one: ImportedColumn, length: number) =>
            Float64Array.from({ length }, (_, i) =>
              one.type === undefined ? next() : one.type === 'int' ? i : i % 2,
            );
          const chains = Array.from({ length: numChains }, () =>
            chainOf(
              columns.map((one) => column(one, numDraws)),
              columns.map((one) => column(one, hasWarmup ? 2 : 0)),
            ),
          );
          const read = readArvizFile(hdf5, writeArvizFile(hdf5, { columns, chains }, attributes));
          expect(read.columns).toEqual(columns);
          expect(read.chains.map(({ draws, warmup }) => ({ draws, warmup }))).toEqual(
            chains.map(({ draws, warmup }) => ({ draws, warmup })),
          );
          expect(read.settings).toMatchObject({ inference_library: 'Ergodic' });
        },
      ),
      { seed: 1, numRuns: 15 },
    );
  });

  it('cuts chains to the shortest, since arrays have no ragged edge', () => {
    const columns = [{ name: 'mu' }];
    const chains = [chainOf([new Float64Array(3)]), chainOf([new Float64Array(5)])];
    const read = readArvizFile(hdf5, writeArvizFile(hdf5, { columns, chains }, attributes));
    expect(read.chains.map((chain) => chain.draws[0].length)).toEqual([3, 3]);
  });

  it('keeps names through percent encoding', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
        expect(plainName(percentName(name))).toBe(name);
        if (plainName(name) === name) expect(plainName(netcdfName(name))).toBe(name);
        expect(netcdfName(name)).not.toContain('/');
      }),
      { seed: 2 },
    );
  });
});

describe('other programs', () => {
  itWith('readers', 'open what we write: values, dimensions, coordinates, attributes', async () => {
    const columns: ImportedColumn[] = [
      { name: 'mu' },
      { name: 'theta[1,1]' },
      { name: 'theta[1,2]' },
      { name: 'k', type: 'int' },
      { name: 'lp__', sampler: true },
      { name: 'divergent__', sampler: true, type: 'bool' },
    ];
    const values = (c: number, k: number, d: number) => (k === 5 ? d % 2 : 100 * c + 10 * k + d);
    const file = path.join(folder, 'ours.nc');
    writeFileSync(file, writeArvizFile(hdf5, sample(columns, [2, 3], values), attributes));
    const script = `
import sys, json, xarray, netCDF4, h5py
post = xarray.open_dataset(sys.argv[1], group='posterior')
stats = xarray.open_dataset(sys.argv[1], group='sample_stats')
nc = netCDF4.Dataset(sys.argv[1])
h5 = h5py.File(sys.argv[1])
print(json.dumps(dict(
  names=list(post.data_vars), dims={n: list(post[n].dims) for n in post.data_vars}, k=str(post.k.dtype),
  coords={c: post[c].values.tolist() for c in post.coords}, theta=post.theta.values.tolist(),
  stats={n: str(stats[n].dtype) for n in stats.data_vars}, attrs=sorted(post.attrs),
  nc=nc['posterior']['theta'][1, 2].tolist(), model=nc.data_model,
  h5=h5['posterior/theta'].dims[2].keys()[0], scale=bool(h5py.h5ds.is_scale(h5['posterior/chain'].id)))))`;
    expect(await python(script, file)).toEqual({
      names: ['mu', 'theta', 'k'],
      dims: {
        mu: ['chain', 'draw'],
        theta: ['chain', 'draw', 'theta_dim_0', 'theta_dim_1'],
        k: ['chain', 'draw'],
      },
      k: 'int64',
      coords: { chain: [0, 1], draw: [0, 1, 2], theta_dim_0: [0], theta_dim_1: [0, 1] },
      theta: [
        [[[10, 20]], [[11, 21]], [[12, 22]]],
        [[[110, 120]], [[111, 121]], [[112, 122]]],
      ],
      stats: { lp: 'float64', diverging: 'bool' },
      attrs: [
        'arviz_schema_version',
        'created_at',
        'creation_library',
        'creation_library_language',
        'creation_library_version',
        'inference_library',
        'inference_library_version',
      ],
      nc: [[112, 122]],
      model: 'NETCDF4',
      h5: 'theta_dim_0',
      scale: true,
    });
  });

  itWith('arviz', 'such as ArviZ compute our R-hat and ESS from what we write', async () => {
    const columns: ImportedColumn[] = [
      { name: 'mu' },
      { name: 'theta[1]' },
      { name: 'theta[2]' },
      { name: 'divergent__', sampler: true, type: 'bool' },
    ];
    const random = createRandom(11);
    // chains that differ a little, so that R-hat is not 1
    const drawn = sample(columns, [4, 200], (c, k, d) => (k === 3 ? d % 50 : c / 5 + random() * 3));
    const file = path.join(folder, 'arviz.nc');
    writeFileSync(file, writeArvizFile(hdf5, drawn, attributes));
    const script = `
import sys, json, arviz as az
data = az.from_netcdf(sys.argv[1])
table = az.summary(data, kind="diagnostics", round_to="none")
print(json.dumps(dict(groups=sorted(data.groups()), rows={n: list(table.loc[n, ["r_hat", "ess_bulk", "ess_tail"]]) for n in table.index})))`;
    const { groups, rows } = (await samplersPython(script, file)) as {
      groups: string[];
      rows: Record<string, number[]>;
    };
    expect(groups).toEqual(['posterior', 'sample_stats']);
    expect(Object.keys(rows)).toEqual(['mu', 'theta[0]', 'theta[1]']);
    ['mu', 'theta[0]', 'theta[1]'].forEach((name, k) => {
      const ours = summariseVariable(
        name,
        drawn.chains.map(({ draws }) => draws[k] ?? new Float64Array()),
      );
      expect(rows[name]?.[0]).toBeCloseTo(ours.rhat, 8);
      expect(rows[name]?.[1]).toBeCloseTo(ours.ess_bulk, 4);
      expect(rows[name]?.[2]).toBeCloseTo(ours.ess_tail, 4);
    });
  });

  itWith(
    'readers',
    'find log likelihoods and replications where ArviZ looks, and labels',
    async () => {
      const columns: ImportedColumn[] = [
        { name: 'mu' },
        { name: 'log_lik[1]' },
        { name: 'log_lik[2]' },
        { name: 'y_rep[1]' },
        { name: 'y_rep[2]' },
        { name: 'lp__', sampler: true },
      ];
      const values = (c: number, k: number, d: number) => 100 * c + 10 * k + d;
      const draws = sample(columns, [2, 3], values);
      const labels = {
        coords: { school: ['Choate', 'Deerfield'] },
        dims: { log_lik: ['school'], y_rep: ['school'] },
      };
      const bytes = writeArvizFile(hdf5, draws, attributes, { labels });
      const back = readArvizFile(hdf5, bytes);
      expect(back.columns.map(({ name }) => name)).toEqual(columns.map(({ name }) => name));
      expect(back.chains.map((chain) => chain.draws)).toEqual(
        draws.chains.map((chain) => chain.draws),
      );
      const file = path.join(folder, 'groups.nc');
      writeFileSync(file, bytes);
      const script = `
import sys, json, xarray
open = lambda group: xarray.open_dataset(sys.argv[1], group=group)
print(json.dumps({group: {name: [list(one.dims), one.school.values.tolist() if 'school' in one.dims else None, float(one.values.sum())]
  for name, one in open(group).data_vars.items()} for group in ['posterior', 'log_likelihood', 'posterior_predictive']}))`;
      const dims = ['chain', 'draw', 'school'];
      expect(await python(script, file)).toEqual({
        posterior: { mu: [['chain', 'draw'], null, 306] },
        log_likelihood: { log_lik: [dims, labels.coords.school, 792] },
        posterior_predictive: { y_rep: [dims, labels.coords.school, 1032] },
      });
    },
  );

  itWith('readers', 'find outcomes and other data in their groups, with labels', async () => {
    const columns = ['mu', 'y_rep[1]', 'y_rep[2]', 'y_rep[3]'].map((name) => ({ name }));
    const draws = sample(columns, [2, 3], (c, k, d) => c + k + d);
    const labels = {
      coords: { school: ['A', 'B', 'C'] },
      dims: { y: ['school'], y_rep: ['school'] },
    };
    const data = [
      { name: 'N', dims: [], values: Float64Array.of(3) },
      { name: 'y', dims: [3], values: Float64Array.of(1.5, -2, 0) },
      { name: 'x', dims: [2, 3], values: Float64Array.of(1, 2, 3, 4, 5, 6) },
      { name: 'none', dims: [0], values: new Float64Array(0) },
    ];
    const file = path.join(folder, 'data.nc');
    writeFileSync(file, writeArvizFile(hdf5, draws, attributes, { labels, data }));
    const script = `
import sys, json, xarray
open = lambda group: xarray.open_dataset(sys.argv[1], group=group)
print(json.dumps({group: {name: [list(one.dims), str(one.dtype), one.values.tolist()] for name, one in open(group).data_vars.items()}
  for group in ['observed_data', 'constant_data']} | dict(schools=open('observed_data').school.values.tolist())))`;
    expect(await python(script, file)).toEqual({
      observed_data: { y: [['school'], 'float64', [1.5, -2, 0]] },
      constant_data: {
        N: [[], 'int64', 3],
        x: [
          ['x_dim_0', 'x_dim_1'],
          'int64',
          [
            [1, 2, 3],
            [4, 5, 6],
          ],
        ],
      },
      schools: ['A', 'B', 'C'],
    });
    expect(readArvizFile(hdf5, writeArvizFile(hdf5, draws, attributes, { data })).columns).toEqual(
      columns,
    );
  });

  it('get y as the outcome, or the replicated data if there are any', () => {
    const one = (name: string, count: number) => ({
      name,
      dims: [count],
      values: new Float64Array(count),
    });
    const data = [one('y', 3), one('z', 2), one('x', 3)];
    const groups = (variables: readonly string[]) => data.map(dataGroups(variables, data));
    const [observed, constant] = ['observed_data', 'constant_data'];
    expect(groups(['mu'])).toEqual([observed, constant, constant]);
    expect(groups(['z_rep[1]', 'z_rep[2]'])).toEqual([constant, observed, constant]);
    // with another size, it matches none of these data
    expect(groups(['z_rep[1]', 'z_rep[2]', 'z_rep[3]'])).toEqual([observed, constant, constant]);
  });

  itWith('readers', 'write files that we read, old and new', async () => {
    const script = `
import sys, json, numpy as np, xarray as xr, h5py, netCDF4
out = sys.argv[1] + '/'
mu = np.arange(6.).reshape(2, 3)
theta = np.arange(12.).reshape(2, 3, 2)
schools = ['Choate', 'Ångström']
def save(name, posterior, stats=None, **options):
    posterior.to_netcdf(out + name, group='posterior', mode='w', **options)
    if stats is not None: stats.to_netcdf(out + name, group='sample_stats', mode='a', **options)
coords = dict(chain=[0, 1], draw=[0, 1, 2], school=schools)
data = dict(mu=(('chain', 'draw'), mu), theta=(('chain', 'draw', 'school'), theta))
stats = dict(lp=(('chain', 'draw'), -mu), diverging=(('chain', 'draw'), mu > 4), acceptance_rate=(('chain', 'draw'), mu / 10),
  tree_depth=(('chain', 'draw'), mu.astype('int64')), n_steps=(('chain', 'draw'), mu.astype('int32')),
  step_size=(('chain', 'draw'), mu * 0 + .5), energy=(('chain', 'draw'), mu + 1), process_time=(('chain', 'draw'), mu))
attrs = dict(created_at='2024-01-01', inference_library='pymc', tuning_steps=1000)
save('new.nc', xr.Dataset(data, coords, attrs), xr.Dataset(stats))
packed = {n: dict(zlib=True, complevel=5, shuffle=True, chunksizes=(1, 2) if n != 'theta' else (1, 2, 1)) for n in data}
save('compressed.nc', xr.Dataset(data, coords), encoding=packed)
old = dict(lp=(('chain', 'draw'), -mu), diverging=(('chain', 'draw'), mu > 4), mean_tree_accept=(('chain', 'draw'), mu / 10),
  depth=(('chain', 'draw'), mu.astype('int8')), tree_size=(('chain', 'draw'), mu), step_size_bar=(('chain', 'draw'), mu))
single = {n: (v[0], v[1].astype('float32')) for n, v in data.items()}
save('old.nc', xr.Dataset(single, coords, dict(arviz_version='0.4.1')), xr.Dataset(old))
ints = dict(n=(('chain', 'draw'), mu.astype('uint8')), b=(('chain', 'draw'), mu > 2), i=(('chain', 'draw'), mu.astype('int64')))
save('ints.nc', xr.Dataset(ints))
save('turned.nc', xr.Dataset(dict(theta=(('school', 'draw', 'chain'), theta.transpose(2, 1, 0)))))
save('chainless.nc', xr.Dataset(dict(mu=(('draw',), mu[0]))))
gaps = mu.copy(); gaps[1, 1] = -9999
save('filled.nc', xr.Dataset(dict(mu=(('chain', 'draw'), gaps, dict(missing_value=-9999.)))))
xr.Dataset(dict(mu=(('chain', 'draw'), mu))).to_netcdf(out + 'plain.nc')
xr.Dataset(dict(mu=(('chain', 'draw'), mu))).to_netcdf(out + 'classic.nc', format='NETCDF3_CLASSIC')
with h5py.File(out + 'bare.nc', 'w') as f:
    f['posterior/mu'] = mu.astype('>f8'); f['posterior/words'] = np.array([['a'] * 3] * 2, dtype='S1')
    f['posterior/half'] = (mu > 2)
with h5py.File(out + 'half.nc', 'w') as f: f['posterior/mu'] = mu.astype('float16')
with h5py.File(out + 'huge.nc', 'w') as f: f.create_dataset('posterior/mu', shape=(1000, 10**9), chunks=(1, 1000), dtype='f8')
with h5py.File(out + 'wide.nc', 'w') as f: f.create_dataset('posterior/mu', shape=(2, 3, 30000), chunks=(1, 1, 100), dtype='f8')
with h5py.File(out + 'elements.nc', 'w') as f: f.create_dataset('posterior/mu', shape=(2, 0, 10**9), dtype='f8', maxshape=(None, None, None), chunks=(1, 1, 100))
with h5py.File(out + 'empty.nc', 'w') as f: f.create_group('posterior')
with h5py.File(out + 'other.nc', 'w') as f: f['prior/mu'] = mu
with h5py.File(out + 'uneven.nc', 'w') as f: f['posterior/a'] = mu; f['posterior/b'] = mu[:, :2]
with netCDF4.Dataset(out + 'strings.nc', 'w') as f:
    g = f.createGroup('posterior'); g.createDimension('chain', 2); g.createDimension('draw', None)
    c = g.createVariable('chain', str, ('chain',)); c[0] = 'chain#3'; c[1] = 'chain#7'
    v = g.createVariable('mu', 'f8', ('chain', 'draw'), fill_value=-1.0); v[:, 0:3] = np.ma.masked_equal(mu, 2)
print('0')`;
    await python(script, folder);
    const read = (name: string) => readArvizFile(hdf5, readFileSync(path.join(folder, name)));
    const values = (name: string, column: string) => {
      const { columns, chains } = read(name);
      const index = columns.findIndex((one) => one.name === column);
      if (index === -1) throw new Error(`${name} has no ${column}`);
      return chains.map((chain) => [...chain.draws[index]]);
    };
    const mu = [
      [0, 1, 2],
      [3, 4, 5],
    ];

    expect(read('new.nc').columns.map((column) => column.name)).toEqual([
      'mu',
      'theta[1]',
      'theta[2]',
      'lp__',
      'divergent__',
      'accept_stat__',
      'treedepth__',
      'n_leapfrog__',
      'stepsize__',
      'energy__',
    ]);
    expect(values('new.nc', 'theta[2]')).toEqual([
      [1, 3, 5],
      [7, 9, 11],
    ]);
    expect(values('new.nc', 'divergent__')).toEqual([
      [0, 0, 0],
      [0, 0, 1],
    ]);
    expect(read('new.nc').settings).toMatchObject({ inference_library: 'pymc', num_warmup: 1000 });
    expect(read('new.nc').chains[0].stepSize).toBe(0.5);
    expect(values('compressed.nc', 'mu')).toEqual(mu);
    expect(values('old.nc', 'mu')).toEqual(mu);
    expect(values('old.nc', 'treedepth__')).toEqual(mu);
    expect(values('old.nc', 'accept_stat__')[0][1]).toBeCloseTo(0.1, 7);
    expect(read('ints.nc').columns).toEqual([
      { name: 'n', type: 'int' },
      { name: 'b', type: 'bool' },
      { name: 'i', type: 'int' },
    ]);
    expect(values('ints.nc', 'i')).toEqual(mu);
    expect(values('turned.nc', 'theta[2]')).toEqual(values('new.nc', 'theta[2]'));
    expect(values('chainless.nc', 'mu')).toEqual([[0, 1, 2]]);
    expect(values('filled.nc', 'mu')[1]).toEqual([3, NaN, 5]);
    expect(values('plain.nc', 'mu')).toEqual(mu);
    expect(values('bare.nc', 'mu')).toEqual(mu);
    expect(read('bare.nc').columns.map((column) => column.name)).toEqual(['half', 'mu']);
    expect(read('bare.nc').notes).toEqual(['/posterior/words has no numbers and was left out.']);
    expect(read('strings.nc').chains.map((chain) => chain.name)).toEqual(['chain#3', 'chain#7']);
    expect(values('strings.nc', 'mu')[0]).toEqual([0, 1, NaN]);

    const refused = (name: string) => {
      try {
        read(name);
        return 'taken';
      } catch (error) {
        expect(error).toBeInstanceOf(ImportError);
        return (error as Error).message;
      }
    };
    expect(refused('classic.nc')).toMatch(/^This is a netCDF 3 file\. Convert it to netCDF 4/);
    expect(refused('half.nc')).toMatch(/16 bits; write them as float32 or float64/);
    expect(refused('huge.nc')).toMatch(/^There are 1000000000000 values; at most 33554432/);
    expect(refused('wide.nc')).toMatch(/^There are 30000 columns; at most 20000/);
    expect(refused('elements.nc')).toMatch(/^There are 1000000000 columns; at most 20000/);
    expect(refused('empty.nc')).toMatch(/no group "posterior" with variables/);
    expect(refused('other.nc')).toMatch(/the file holds prior/);
    expect(refused('uneven.nc')).toMatch(/"b" has different chains or draws/);

    // Any bytes give draws or a message, and the library stays usable.
    const own = await ownHdf5();
    const good = readFileSync(path.join(folder, 'new.nc'));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 20 }),
        fc.integer({ min: 8, max: good.length }),
        (changes, cut) => {
          const bytes = new Uint8Array(good.subarray(0, cut));
          for (const [at, value] of changes) if (at < cut) bytes[at] = value;
          try {
            readArvizFile(own, bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(ImportError);
          }
        },
      ),
      { seed: 3, numRuns: 60 },
    );
    expect(readArvizFile(own, good)).toEqual(readArvizFile(hdf5, good));
  });
});

it.each([
  ['text', 'chain,mu\n'],
  ['nothing', ''],
])('refuses %s', (_, text) => {
  expect(() => readArvizFile(hdf5, new TextEncoder().encode(text))).toThrow(
    'This is not a netCDF file: it has no netCDF signature.',
  );
});
