/** CmdStan's CSV: real files of several versions, and our own writing read back. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromDottedName, toDottedName } from '../../src/formats/flat-name.ts';
import {
  type StanCsvHead,
  stanCsvAdaptation,
  stanCsvColumns,
  stanCsvHead,
  stanCsvRow,
  stanCsvTimes,
} from '../../src/formats/stan-csv.ts';
import {
  createStanCsvParser,
  expectedDraws,
  StanCsvError,
  savedWarmup,
} from '../../src/formats/stan-csv-parser.ts';
import { createStanCsvReader } from '../../src/formats/stan-csv-reader.ts';
import { readStanCsv } from '../support/read-csv.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/posterior/${name}`, import.meta.url));

const head: StanCsvHead = {
  model: 'eight schools',
  chainId: 3,
  numSamples: 2,
  numWarmup: 4,
  saveWarmup: false,
  thin: 1,
  seed: 4294967295,
  initRadius: 2,
  adaptDelta: 0.95,
  maxTreeDepth: 12,
  metric: 'diag',
};

describe('reading', () => {
  it('supports CmdStan 2.35', () => {
    const chain = readStanCsv(fixture('bern1.csv').toString());
    expect(chain.variables).toEqual([
      'lp__',
      'accept_stat__',
      'stepsize__',
      'treedepth__',
      'n_leapfrog__',
      'divergent__',
      'energy__',
      'theta',
    ]);
    expect(chain.draws.map((column) => column.length)).toEqual(
      Array.from({ length: 8 }, () => 1000),
    );
    expect(chain.draws[7][0]).toBe(0.208532);
    expect(chain).toMatchObject({
      chainId: 1,
      stepSize: 0.883328,
      warmupSeconds: 0.003,
      samplingSeconds: 0.009,
      isCut: false,
    });
    expect(chain.inverseMetric).toEqual(Float64Array.of(0.512256));
    expect([
      chain.config.get('delta'),
      chain.config.get('seed'),
      chain.config.get('model'),
    ]).toEqual(['0.8', '86520', 'bernoulli_model']);
    expect(chain.warmup[0].length).toBe(0);
  });

  it('supports Stan 1.3, with different columns and settings', () => {
    const chain = readStanCsv(gunzipSync(fixture('blocker.1.csv.gz')).toString());
    expect(chain.variables.slice(3, 7)).toEqual(['treedepth__', 'd', 'sigmasq_delta', 'mu[1]']);
    expect(chain.draws[0].length).toBe(1000);
    expect(chain.inverseMetric.length).toBe(47);
    expect(chain.config.get('stan_version_major')).toBe('1');
  });

  it('has the same result however the text is split', () => {
    const text = fixture('bern1.csv').toString().slice(0, 6000);
    const whole = readStanCsv(text);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 }), (sizes) => {
        const reader = createStanCsvReader();
        for (let at = 0, i = 0; at < text.length; i++) {
          const size = sizes[i % sizes.length];
          reader.push(text.slice(at, at + size));
          at += size;
        }
        expect(reader.end()).toEqual(whole);
      }),
      { seed: 1, numRuns: 30 },
    );
  });

  it('needs no callbacks for comments and for the end', () => {
    const rows: number[][] = [];
    const parser = createStanCsvParser({ onHeader: () => {}, onRow: (row) => rows.push(row) });
    parser.push('# Adaptation terminated\na,b\n1,2\n3,');
    parser.end();
    expect([rows, parser.lineNumber()]).toEqual([[[1, 2]], 4]);
  });

  it('leaves out an incomplete last line, and reports it', () => {
    // the last could be the beginning of -1.2,34
    for (const cut of ['-1.2,', '-1.2', '-1.2,3,4', '-1.2,-', '-1.2,3']) {
      const chain = readStanCsv(`lp__,mu\n-1,2\n-1.5,3\n${cut}`);
      expect([chain.draws[1].length, chain.isCut]).toEqual([2, true]);
    }
    for (const end of ['-1,4\n', '-1,4\r\n', '-1,4\n# ', '-1,4\n\n  \n']) {
      const chain = readStanCsv(`lp__,mu\n-1,2\n-1.5,3\n${end}`);
      expect([chain.draws[1].length, chain.isCut]).toEqual([3, false]);
    }
  });

  it.each([
    ['lp__, mu ,theta.1.2', ['lp__', 'mu', 'theta[1,2]']],
    ['"lp__","theta.1"', ['lp__', 'theta[1]']],
    ['a","b,"c,"', ['a"', '"b', '"c', '"']],
    ['x.1:2.3,z.1.real', ['x[1]:2[3]', 'z[1].real']],
    ['lp__,inf,nan,NaN,Infinity,na.1', ['lp__', 'inf', 'nan', 'NaN', 'Infinity', 'na[1]']],
  ])('reads the names of %s', (header, names) => {
    const row = names.map((_, i) => i).join(',');
    expect(readStanCsv(`${header}\n${row}\n`).variables).toEqual(names);
  });

  it.each([
    ['# id = 3', 'id', '3'],
    ['#   delta = 0.8 (Default)', 'delta', '0.8'],
    ['#   delta = 0.8 (Default) \t', 'delta', '0.8'],
    ['#model = x (Default) y', 'model', 'x (Default) y'],
    ['# model = a = b', 'model', 'a = b'],
    ['# file =', 'file', ''],
    ['#     file =  (Default)', 'file', ''],
    ['# a b c = 1', 'a b c', '1'],
    ['# init_radius2 = 1', 'init_radius2', '1'],
    ['# x= 1', 'x', undefined],
    ['# 2x = 1', '2x', undefined],
    ['# a-b = 1', 'b', undefined],
    ['# Step size = 0.5', 'Step size', undefined],
  ])('understands the comment %s', (line, key, value) => {
    expect(readStanCsv(`${line}\na\n1\n`).config.get(key)).toBe(value);
  });

  it('keeps the first of several settings with the same name', () => {
    const text = '# data\n#   file = d.json\n# output\n#   file = out.csv\na\n1\n';
    expect(readStanCsv(text).config.get('file')).toBe('d.json');
  });

  it('finds the chain number under either of its names', () => {
    const idOf = (comments: string) => readStanCsv(`${comments}\na\n1\n`).chainId;
    expect([idOf('# id = 3'), idOf('# chain_id = 4'), idOf('# id = x'), idOf('#')]).toEqual([
      3,
      4,
      null,
      null,
    ]);
  });

  it('reads times in any notation, and only those of the two phases', () => {
    const text =
      'a\n1\n#  Elapsed Time: 1.5e-05 seconds (Warm-up)\n#   12.25 seconds (Sampling)\n#   13 seconds (Total)\n';
    expect(readStanCsv(text)).toMatchObject({ warmupSeconds: 1.5e-5, samplingSeconds: 12.25 });
    expect(readStanCsv('a\n1\n# 3 seconds (Total)\n# 4 minutes (Sampling)\n')).toMatchObject({
      warmupSeconds: null,
      samplingSeconds: null,
    });
  });

  it('reads the metric from the rows right after its title', () => {
    const metricOf = (text: string) => [...readStanCsv(text).inverseMetric];
    const title = '# Diagonal elements of inverse mass matrix:\n';
    expect(metricOf(`a\n${title}# 1, 2.5\n1\n# 3, 4\n2\n`)).toEqual([1, 2.5]);
    expect(metricOf(`a\n${title}# 1, 2.5\n# Elapsed\n# 3, 4\n2\n`)).toEqual([1, 2.5]);
    expect(metricOf(`a\n# Elements of inverse mass matrix:\n# 1, 0\n# 0, 2\n2\n`)).toEqual([
      1, 0, 0, 2,
    ]);
    expect(metricOf('a\n# 1, 2\n1\n')).toEqual([]);
    expect(metricOf('# 1, 2\na\n1\n')).toEqual([]);
    expect(metricOf(`a\n${title}# 1, x\n# 2, 3\n1\n`)).toEqual([]);
    // that line may also be an ordinary setting
    expect(readStanCsv(`${title}# id = 5\na\n1\n`).chainId).toBe(5);
  });

  it('ends warmup at the end of adaptation, or after the rows that were to be saved', () => {
    const warmupOf = (head: string, marker: string, rows = 4) => {
      const row = (_: unknown, i: number) => `${i}\n`;
      const all = Array.from({ length: rows }, row);
      const chain = readStanCsv(
        `${head}a\n${[...all.slice(0, 3), marker, ...all.slice(3)].join('')}`,
      );
      return [chain.warmup[0]?.length, chain.draws[0]?.length];
    };
    const settings = '# num_warmup = 2\n# save_warmup = 1\n';
    expect(warmupOf('', '# Adaptation terminated\n')).toEqual([3, 1]);
    expect(warmupOf('', '#Adaptation terminated\n')).toEqual([3, 1]);
    expect(warmupOf(settings, '#   Adaptation terminated\n')).toEqual([3, 1]);
    expect(warmupOf(settings, '')).toEqual([2, 2]);
    expect(warmupOf(settings, '', 1)).toEqual([1, 0]);
    expect(warmupOf('', '# no Adaptation terminated\n')).toEqual([0, 4]);
  });

  it.each<[Record<string, string>, number, number | null]>([
    [{}, 0, null],
    [{ num_samples: '10' }, 0, 10],
    [{ num_samples: '0' }, 0, 0],
    [{ num_samples: '-1' }, 0, null],
    [{ num_samples: 'x' }, 0, null],
    [{ num_samples: '10', thin: '3' }, 0, 4],
    [{ num_samples: '10', thin: '0' }, 0, 10],
    [{ num_samples: '10', thin: 'x' }, 0, 10],
    [{ num_warmup: '10', thin: '3', save_warmup: '1' }, 4, null],
    [{ num_warmup: '10', save_warmup: 'true' }, 10, null],
    [{ num_warmup: '10', save_warmup: '0' }, 0, null],
    [{ num_warmup: '10', save_warmup: 'false' }, 0, null],
    [{ num_warmup: '10' }, 0, null],
    [{ save_warmup: '1' }, 0, null],
    [{ num_warmup: '10', save_warmup: '1', algorithm: 'hmc' }, 10, null],
    [{ num_warmup: '10', save_warmup: '1', algorithm: 'fixed_param' }, 0, null],
  ])('expects for the settings %j %i rows of warmup and %s draws', (settings, warmup, draws) => {
    const config = new Map(Object.entries(settings));
    expect([savedWarmup(config), expectedDraws(config)]).toEqual([warmup, draws]);
  });

  it('reads NaN and infinities in any spelling', () => {
    const chain = readStanCsv('lp__,mu\r\nnan,-inf\r\n-nan,Inf\r\n1e-310,+3\r\n');
    expect([...chain.draws[0]]).toEqual([NaN, NaN, 1e-310]);
    expect([...chain.draws[1]]).toEqual([-Infinity, Infinity, 3]);
  });

  it.each([
    ['a file without a header', '# model = x\n', 'line 1: there is no header row'],
    ['numbers instead of names', '1,2\n', 'line 1: the header row contains "1" instead of a name'],
    [
      'a value instead of a name',
      'a,-inf\n',
      'line 1: the header row contains "-inf" instead of a name',
    ],
    ['a duplicate column', 'a,a\n', 'line 1: the column "a" occurs twice'],
    ['a short row', 'a,b\n1\n2,3\n', 'line 2: has 1 values where the header names 2'],
    ['a word', '# x\na,b\n1,x\n2,3\n', 'line 3: "x" is not a number'],
    ['a long word', `a\n${'x'.repeat(50)}\n1\n`, `line 2: "${'x'.repeat(40)}" is not a number`],
    ['a missing name', 'a,,b\n', 'line 1: the header row contains "" instead of a name'],
    ['a long row', '\na\n1,2\n3\n', 'line 3: has 2 values where the header names 1'],
  ])('refuses %s, naming the line', (_, text, message) => {
    const line = Number(/\d+/.exec(message)?.[0]);
    expect(() => readStanCsv(text)).toThrow(StanCsvError);
    expect(() => readStanCsv(text)).toThrow(
      expect.objectContaining({ name: 'StanCsvError', message, line }),
    );
  });
});

describe('writing', () => {
  const double = fc.oneof(fc.double(), fc.constantFrom(-0, NaN, Infinity, -Infinity, 1e21, 5e-324));
  it('is read back to the last bit, settings, warmup and metric included', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(double, double, double), { maxLength: 20 }),
        fc.nat(20),
        fc.constantFrom<'diag' | 'dense' | 'unit'>('diag', 'dense', 'unit'),
        (rows, numWarmup, metric) => {
          const names = ['lp__', 'theta[1,2]', 'x:1[3]'];
          const warmup = rows.slice(0, numWarmup);
          const inverseMetric = metric === 'dense' ? [1, 0.5, 0.5, 2] : [1, 2];
          const text = [
            stanCsvHead({ ...head, metric, saveWarmup: true }),
            stanCsvColumns(names),
            ...warmup.map(stanCsvRow),
            stanCsvAdaptation({ stepSize: 0.125, metric, inverseMetric }),
            ...rows.slice(numWarmup).map(stanCsvRow),
            stanCsvTimes(1.25, 2.5),
          ].join('');
          const chain = readStanCsv(text);
          expect(chain.variables).toEqual(names);
          const columns = (some: typeof rows) =>
            names.map((_, i) => Float64Array.from(some, (row) => row[i]));
          expect(chain.draws.map((column) => column.slice())).toEqual(
            columns(rows.slice(numWarmup)),
          );
          expect(chain.warmup.map((column) => column.slice())).toEqual(columns(warmup));
          expect([...chain.inverseMetric]).toEqual(metric === 'unit' ? [] : inverseMetric);
          expect(chain).toMatchObject({
            stepSize: 0.125,
            chainId: 3,
            warmupSeconds: 1.25,
            samplingSeconds: 2.5,
          });
          expect(
            ['seed', 'delta', 'max_depth', 'metric', 'model'].map((key) => chain.config.get(key)),
          ).toEqual(['4294967295', '0.95', '12', `${metric}_e`, 'eight schools']);
        },
      ),
      { seed: 2 },
    );
  });

  it('follows the layout of CmdStan 2.35, line by line', () => {
    expect(stanCsvHead(head)).toBe(`# stan_version_major = 2
# stan_version_minor = 35
# stan_version_patch = 0
# model = eight schools
# method = sample
#   sample
#     num_samples = 2
#     num_warmup = 4
#     save_warmup = false
#     thin = 1
#     adapt
#       engaged = true
#       gamma = 0.05
#       delta = 0.95
#       kappa = 0.75
#       t0 = 10
#       init_buffer = 75
#       term_buffer = 50
#       window = 25
#     algorithm = hmc
#       hmc
#         engine = nuts
#           nuts
#             max_depth = 12
#         metric = diag_e
#         stepsize = 1
#         stepsize_jitter = 0
# id = 3
# data
#   file =${' '}
# init = 2
# random
#   seed = 4294967295
# output
#   sig_figs = -1
# writer = Ergodic
`);
    expect(stanCsvColumns(['lp__', 'theta[1,2]'])).toBe('lp__,theta.1.2\n');
    expect(stanCsvRow([-1.5, NaN, -Infinity])).toBe('-1.5,nan,-inf\n');
    const inverseMetric = [1, 0.5, 0.5, 2];
    const adaptation = (metric: 'diag' | 'dense' | 'unit') =>
      stanCsvAdaptation({ stepSize: 0.25, metric, inverseMetric });
    const start = '# Adaptation terminated\n# Step size = 0.25\n';
    expect(adaptation('unit')).toBe(`${start}# No free parameters for unit metric\n`);
    expect(adaptation('diag')).toBe(
      `${start}# Diagonal elements of inverse mass matrix:\n# 1, 0.5, 0.5, 2\n`,
    );
    expect(adaptation('dense')).toBe(
      `${start}# Elements of inverse mass matrix:\n# 1, 0.5\n# 0.5, 2\n`,
    );
    expect(stanCsvTimes(1.23456, 2)).toBe(
      [
        '# ',
        '#  Elapsed Time: 1.235 seconds (Warm-up)',
        '#                2 seconds (Sampling)',
        '#                3.235 seconds (Total)',
        '# ',
        '',
      ].join('\n'),
    );
  });

  it('names data, writer and other methods where they are given', () => {
    const given = { dataFile: 'a\nb.json', writer: 'Ergodic 0.1.0', method: ['method = optimize'] };
    const lines = stanCsvHead({ ...head, ...given }).split('\n');
    expect(lines).toContain('#   file = a b.json');
    expect(lines).toContain('# writer = Ergodic 0.1.0');
    expect(lines.slice(3, 6)).toEqual([
      '# model = eight schools',
      '# method = optimize',
      '# id = 3',
    ]);
  });

  it('records that nothing is adapted without warmup', () => {
    const engaged = (more: Partial<StanCsvHead>) =>
      readStanCsv(`${stanCsvHead({ ...head, ...more })}a\n1\n`).config.get('engaged');
    expect([engaged({}), engaged({ usesHmc: true }), engaged({ numWarmup: 1 })]).toEqual([
      'true',
      'true',
      'true',
    ]);
    expect([engaged({ numWarmup: 0 }), engaged({ usesHmc: false })]).toEqual(['false', 'false']);
  });

  it('keeps a name with line ends on one line', () => {
    const text = stanCsvHead({ ...head, model: 'a\nlp__,mu\n1,2' });
    expect(text.split('\n').every((line) => line === '' || line.startsWith('#'))).toBe(true);
    expect(text).toContain('# model = a lp__,mu 1,2\n');
  });

  it('records fixed_param for a program without parameters', () => {
    const chain = readStanCsv(`${stanCsvHead({ ...head, usesHmc: false })}lp__,y\n0,1\n`);
    expect(chain.config.get('algorithm')).toBe('fixed_param');
    expect(chain.config.has('max_depth')).toBe(false);
  });
});

it.each([
  ['theta[1,2]', 'theta.1.2'],
  ['theta[12,345]', 'theta.12.345'],
  ['mu', 'mu'],
  ['x:1[3]', 'x:1.3'],
  ['x[2]:1', 'x.2:1'],
])('%s is %s in a file', (flat, dotted) => {
  expect(toDottedName(flat)).toBe(dotted);
  expect(fromDottedName(dotted)).toBe(flat);
});

it.each(['z.real', '.1', 'a.1b', 'a.b.1'])('%s is not an element of an array in a file', (name) =>
  expect(fromDottedName(name)).toBe(name),
);

it('only indices in brackets become dots', () => {
  const others = ['a[x]', 'a[]', 'a[1,]', 'a.b'];
  expect(others.map(toDottedName)).toEqual(others);
  expect(fromDottedName('z.12.3.real')).toBe('z[12,3].real');
});
