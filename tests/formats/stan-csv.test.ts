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
import { StanCsvError } from '../../src/formats/stan-csv-parser.ts';
import { createStanCsvReader, readStanCsv } from '../../src/formats/stan-csv-reader.ts';

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
  it('CmdStan 2.35', () => {
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

  it('Stan 1.3, with other columns and settings', () => {
    const chain = readStanCsv(gunzipSync(fixture('blocker.1.csv.gz')).toString());
    expect(chain.variables.slice(3, 7)).toEqual(['treedepth__', 'd', 'sigmasq_delta', 'mu[1]']);
    expect(chain.draws[0].length).toBe(1000);
    expect(chain.inverseMetric.length).toBe(47);
    expect(chain.config.get('stan_version_major')).toBe('1');
  });

  it('gives the same for any cut of the text', () => {
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

  it('leaves out a last line that was cut, and says so', () => {
    const chain = readStanCsv('lp__,mu\n-1,2\n-1.5,3\n-1.2,');
    expect([chain.draws[1].length, chain.isCut]).toEqual([2, true]);
  });

  it('knows not-a-number and infinities in any spelling', () => {
    const chain = readStanCsv('lp__,mu\r\nnan,-inf\r\n-nan,Inf\r\n1e-310,+3\r\n');
    expect([...chain.draws[0]]).toEqual([NaN, NaN, 1e-310]);
    expect([...chain.draws[1]]).toEqual([-Infinity, Infinity, 3]);
  });

  it.each([
    ['nothing', '# model = x\n', 'line 1: there is no header row'],
    [
      'numbers where names belong',
      '1,2\n',
      'line 1: the header row contains "1" instead of a name',
    ],
    ['a column twice', 'a,a\n', 'line 1: the column "a" is there twice'],
    ['a short row', 'a,b\n1\n2,3\n', 'line 2: has 1 values where the header names 2'],
    ['a word', '# x\na,b\n1,x\n2,3\n', 'line 3: "x" is not a number'],
  ])('refuses %s, naming the line', (_, text, message) => {
    expect(() => readStanCsv(text)).toThrow(
      new StanCsvError(message.replace(/^line \d+: /, ''), Number(/\d+/.exec(message)?.[0])),
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

  it('keeps a name from outside on its line', () => {
    const text = stanCsvHead({ ...head, model: 'a\nlp__,mu\n1,2' });
    expect(text.split('\n').every((line) => line === '' || line.startsWith('#'))).toBe(true);
  });

  it('says fixed_param for a program without parameters', () => {
    const chain = readStanCsv(`${stanCsvHead({ ...head, usesHmc: false })}lp__,y\n0,1\n`);
    expect(chain.config.get('algorithm')).toBe('fixed_param');
  });
});

it.each([
  ['theta[1,2]', 'theta.1.2'],
  ['mu', 'mu'],
  ['x:1[3]', 'x:1.3'],
  ['x[2]:1', 'x.2:1'],
])('%s is %s in a file', (flat, dotted) => {
  expect(toDottedName(flat)).toBe(dotted);
  expect(fromDottedName(dotted)).toBe(flat);
});

it('leaves a part that is not an index as it is', () =>
  expect(fromDottedName('z.real')).toBe('z.real'));
