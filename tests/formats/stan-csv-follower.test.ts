/** CmdStan's files while they grow: wherever they are cut, they give the same as the finished file. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type StanCsvHead,
  stanCsvAdaptation,
  stanCsvColumns,
  stanCsvHead,
  stanCsvRow,
  stanCsvTimes,
} from '../../src/formats/stan-csv.ts';
import { createStanCsvFollower } from '../../src/formats/stan-csv-follower.ts';
import { StanCsvError } from '../../src/formats/stan-csv-parser.ts';
import { readStanCsv } from '../support/read-csv.ts';

const bernoulli = readFileSync(
  new URL('../fixtures/posterior/bern1.csv', import.meta.url),
).toString();

interface FileParts {
  readonly warmup: number;
  readonly samples: number;
  readonly thin: number;
  readonly saveWarmup: boolean;
  readonly isAdapted: boolean;
}

function fileOf({ warmup, samples, thin, saveWarmup, isAdapted }: FileParts): string {
  const head: StanCsvHead = {
    model: 'normal',
    chainId: 2,
    numSamples: samples,
    numWarmup: warmup,
    saveWarmup,
    thin,
    seed: 7,
    initRadius: 2,
    adaptDelta: 0.8,
    maxTreeDepth: 10,
    metric: 'diag',
  };
  const rows = (count: number, from: number) =>
    Array.from({ length: Math.ceil(count / thin) }, (_, i) =>
      stanCsvRow([-1, i % 3 === 0 ? 1 : 0, from + i]),
    );
  return [
    stanCsvHead(head),
    stanCsvColumns(['lp__', 'divergent__', 'theta[1]']),
    ...(saveWarmup ? rows(warmup, 1000) : []),
    ...(isAdapted
      ? [stanCsvAdaptation({ stepSize: 0.5, metric: 'diag', inverseMetric: [1] })]
      : []),
    ...rows(samples, 0),
    stanCsvTimes(0.25, 0.5),
  ].join('');
}

/** Pushes the text, cut at these positions, taking draws now and then. */
function follow(text: string, cuts: readonly number[], most: number) {
  const follower = createStanCsvFollower();
  const taken: (readonly number[])[] = [];
  let from = 0;
  for (const cut of [...cuts.toSorted((a, b) => a - b), text.length]) {
    follower.push(text.slice(from, cut));
    from = cut;
    taken.push(...follower.take(most));
  }
  while (follower.waiting() > 0) taken.push(...follower.take(most));
  return { follower, taken };
}

const columnsOf = (rows: readonly (readonly number[])[], count: number) =>
  Array.from({ length: count }, (_, c) => Float64Array.from(rows, (row) => row[c] as number));

describe('a growing file', () => {
  it('with any settings, cut anywhere, yields the draws of the finished file', () => {
    const parts = fc.record({
      warmup: fc.integer({ min: 0, max: 12 }),
      samples: fc.integer({ min: 1, max: 12 }),
      thin: fc.integer({ min: 1, max: 3 }),
      saveWarmup: fc.boolean(),
      isAdapted: fc.boolean(),
    });
    fc.assert(
      fc.property(
        parts,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        (given, shares, most) => {
          const text = fileOf(given);
          const cuts = shares.map((share) => Math.floor(share * text.length));
          const { follower, taken } = follow(text, cuts, most);
          const whole = readStanCsv(text);
          expect(columnsOf(taken, 3)).toEqual(whole.draws);
          const progress = follower.progress();
          expect(progress).toMatchObject({
            phase: 'done',
            draws: Math.ceil(given.samples / given.thin),
            expected: Math.ceil(given.samples / given.thin),
            warmupRows: whole.warmup[0]?.length,
            stepSize: given.isAdapted ? 0.5 : null,
            warmupSeconds: 0.25,
            samplingSeconds: 0.5,
          });
          expect(progress.divergences).toBe(
            taken.reduce((sum, row) => sum + (row[1] as number), 0),
          );
        },
      ),
      { seed: 12, numRuns: 300 },
    );
  });

  it('of CmdStan 2.35 yields nothing of a line before its end', () => {
    const start = bernoulli.indexOf('\n-6.80778') + 1;
    const follower = createStanCsvFollower();
    follower.push(bernoulli.slice(0, start));
    expect(follower.head()).toMatchObject({ chainId: 1 });
    expect(follower.head()?.variables.at(-1)).toBe('theta');
    expect(follower.progress()).toMatchObject({ phase: 'sampling', draws: 0, expected: 1000 });
    for (let at = start; bernoulli[at] !== '\n'; at++) {
      follower.push(bernoulli.charAt(at));
      expect(follower.waiting()).toBe(0);
    }
    follower.push('\n');
    expect(follower.take(10)).toEqual([[-6.80778, 0.991604, 0.883328, 2, 3, 0, 6.81551, 0.208532]]);
    expect(follower.firstDraw()?.[0]).toBe(-6.80778);
    expect(follower.take(10)).toEqual([]);
  });

  it('is in warmup until CmdStan reports the end of adaptation', () => {
    const text = fileOf({ warmup: 4, samples: 4, thin: 1, saveWarmup: true, isAdapted: true });
    const follower = createStanCsvFollower();
    expect(follower.progress().phase).toBe('head');
    const marker = text.indexOf('# Adaptation');
    follower.push(text.slice(0, marker));
    expect(follower.progress()).toMatchObject({ phase: 'warmup', warmupRows: 4, draws: 0 });
    follower.push(text.slice(marker));
    expect(follower.progress()).toMatchObject({ phase: 'done', warmupRows: 4, draws: 4 });
  });

  it('is in sampling after the end of adaptation or the first sampling draw', () => {
    const follower = createStanCsvFollower();
    follower.push('# num_samples = 3\nlp__\n');
    expect(follower.progress().phase).toBe('warmup');
    follower.push('# Adaptation terminated\n');
    expect(follower.progress()).toMatchObject({ phase: 'sampling', draws: 0, expected: 3 });
    follower.push('1\n2\n');
    expect(follower.progress()).toMatchObject({ phase: 'sampling', draws: 2 });
    follower.push('3\n');
    expect(follower.progress()).toMatchObject({ phase: 'done', draws: 3, samplingSeconds: null });
    const silent = createStanCsvFollower();
    silent.push('lp__\n1\n');
    expect(silent.progress()).toMatchObject({ phase: 'sampling', draws: 1, expected: null });
    silent.push('# 2 seconds (Sampling)\n');
    expect(silent.progress().phase).toBe('done');
  });

  it('has a head with the comments up to the header row, and a first draw', () => {
    const follower = createStanCsvFollower();
    follower.push('# model = m\n# id = 2\n');
    expect([follower.head(), follower.firstDraw()]).toEqual([null, null]);
    follower.push('lp__,mu\n# thin = 2\n1,2\n3,4\n');
    expect(follower.head()).toEqual({
      config: new Map([
        ['model', 'm'],
        ['id', '2'],
      ]),
      variables: ['lp__', 'mu'],
      comments: ' model = m\n id = 2\n',
      chainId: 2,
    });
    expect([follower.firstDraw(), follower.waiting()]).toEqual([[1, 2], 2]);
    expect([follower.take(1), follower.waiting(), follower.firstDraw()]).toEqual([
      [[1, 2]],
      1,
      [1, 2],
    ]);
  });

  it('counts divergences wherever their column is, and none without one', () => {
    const divergencesOf = (text: string) => {
      const follower = createStanCsvFollower();
      follower.push(text);
      return follower.progress().divergences;
    };
    expect(divergencesOf('divergent__,mu\n1,2\n0,1\n')).toBe(1);
    expect(divergencesOf('mu,divergent__\n1,0\n1,1\n2,1\n')).toBe(2);
    expect(divergencesOf('mu\n1\n2\n')).toBe(0);
  });

  it('of a program without parameters has no warmup, whatever its settings say', () => {
    const text = fileOf({ warmup: 4, samples: 4, thin: 1, saveWarmup: true, isAdapted: false })
      .replace('algorithm = hmc', 'algorithm = fixed_param')
      .replace(/(1000|1001|1002|1003)\n/g, '$1\n');
    expect(readStanCsv(text).draws[0]).toHaveLength(8);
    expect(follow(text, [], 100).taken).toHaveLength(8);
  });

  it('is refused if two processes wrote into the same line', () => {
    const follower = createStanCsvFollower();
    const text = fileOf({ warmup: 0, samples: 2, thin: 1, saveWarmup: false, isAdapted: false });
    expect(() => follower.push(`${text}-1,0-1,0,3\n`)).toThrow(StanCsvError);
  });
});
