/**
 * The adjoint phase against its oracle, the tape: all reference posteriors, the models of the gallery, the sample
 * programs that have statements to reverse; what it costs to compile; what is thrown.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { libraryKeys, type ModelLimits } from '../../../src/engine/compile-model.ts';
import { gallery } from '../../../src/gallery/gallery.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import type { DataJson } from '../../../src/language/program.ts';
import { backEndsOf, countRegions, evaluate, worstDifference } from '../../support/back-ends.ts';
import { readData, readProgram, referencePosteriors } from '../../support/posteriordb.ts';
import { modelOf } from '../../support/stan-program.ts';
import { goodPrograms } from '../sample-programs.ts';
import { sampleData } from './sample-data.ts';

/** Relative to the largest derivative: the sums of a region are added in another order than those of the tape. */
const tolerance = 1e-12;

/** Solvers stop at another place for a difference in the last digit of what they are given. */
const solverTolerance = 1e-9;

function javascriptOf(source: string): string {
  const { program } = compileProgram(source, { libraryKeys });
  if (program === null) throw new Error('the program does not compile');
  return program.javascript;
}

const posteriors = Object.entries(referencePosteriors).filter(([, { data }]) => readData(data));

describe('the adjoint phase agrees with the tape', () => {
  it.each(posteriors)('for the posterior %s', (_, { model, data }) => {
    const source = readProgram(model);
    const both = backEndsOf(source, readData(data) ?? {});
    const allowed = /ode_|integrate_/.test(source) ? solverTolerance : tolerance;
    expect(worstDifference(both, 4, 0.3)).toBeLessThan(allowed);
  });

  it.each(gallery.map((model) => [model.slug, model] as const))(
    'for the gallery model %s',
    (_, { files, entranceFile, data }) => {
      const both = backEndsOf(files[entranceFile], JSON.parse(data.json) as DataJson, {
        files: new Map(Object.entries(files)),
      });
      expect(worstDifference(both, 4)).toBeLessThan(tolerance);
    },
  );

  it.each(Object.entries(sampleData))('for the sample program %s', (name, data) => {
    const source = goodPrograms.find((program) => program.name === name)?.text ?? '';
    const both = backEndsOf(source, data);
    expect(worstDifference(both, 8)).toBeLessThan(tolerance);
  });

  it('and these include every sample program that has a region', () => {
    const withRegions = goodPrograms.filter(({ text }) => countRegions(javascriptOf(text)) > 0);
    expect(withRegions.length).toBeGreaterThan(5);
    expect(Object.keys(sampleData)).toEqual(
      expect.arrayContaining(withRegions.map(({ name }) => name)),
    );
  });
});

describe('programs whose loops are all reversed', () => {
  it.each(['garch11', 'arma11', 'hmm_example', 'hmm_drive_0', 'low_dim_gauss_mix', 'arK'])(
    '%s has one region',
    (model) => {
      const source = readFileSync(
        join(import.meta.dirname, `../../engine/posteriordb/${model}.stan`),
        'utf8',
      );
      expect(countRegions(javascriptOf(source))).toBe(1);
    },
  );
});

type NamedProgram = readonly [string, string];

const models: readonly NamedProgram[] = [
  ...posteriors.map(([, { model }]) => [model, readProgram(model)] as const),
  ...gallery.map(({ slug, files, entranceFile }) => [slug, files[entranceFile]] as const),
];

const everyProgram: readonly NamedProgram[] = [
  ...goodPrograms.map(({ name, text }) => [name, text] as const),
  ...models,
];

/** What the text of a program of one line holds: links, verbs, places. Without regions some need more. */
const fixedSize = 5000;

describe('bounds and tests', () => {
  it.each([
    'for (i in c:3) { c = i; a = sin(a * i); }',
    'for (i in 1:d) { d = 1; a = sin(a * i); }',
    'for (i in 1:3) { if (c == 1) { c = 2; a = sin(a * q); } else { c = 1; a = exp(-a); } }',
    'while (c < 4) { c += 1; a = sin(a * c); if (a > 0) a = -a * q; }',
  ])('have their values from before %s', (loop) => {
    const source = `parameters { real p; real q; }
model { real a = p; int c = 1; int d = 3; ${loop} target += a * q; }`;
    expect(countRegions(javascriptOf(source))).toBe(1);
    expect(worstDifference(backEndsOf(source), 6)).toBeLessThan(tolerance);
  });
});

describe('the cost of regions', () => {
  it.each(models)('the model %s emits no more than 20 times its own size', (_, source) => {
    expect(javascriptOf(source).length).toBeLessThanOrEqual(20 * source.length);
  });

  it.each(everyProgram)('%s emits no more than a multiple of its size', (_, source) => {
    const { program } = compileProgram(source, { libraryKeys, adjoint: false });
    // An operation on complex numbers is several on their parts.
    const perCharacter = /\bcomplex/.test(source) ? 40 : 20;
    const own = perCharacter * source.length + fixedSize;
    const most = Math.max(own, program?.javascript.length ?? 0);
    expect(javascriptOf(source).length).toBeLessThanOrEqual(most);
  });

  it('every program compiles within 100 ms of processor time', () => {
    const slowest = everyProgram.map(([name, source]) => {
      // The best of five: the first runs code that is not compiled itself yet, and other tests run beside it.
      const times = [1, 2, 3, 4, 5].map(() => {
        const start = process.cpuUsage();
        javascriptOf(source);
        const { user, system } = process.cpuUsage(start);
        return (user + system) / 1000;
      });
      return { name, ms: Math.min(...times) };
    });
    expect(slowest.filter(({ ms }) => ms > 100)).toEqual([]);
  });
});

describe('a loop that is too long', () => {
  const program = (body: string) =>
    `data { int n; } parameters { real p; } model { for (i in 1:n) ${body} }`;
  const evaluated = (body: string, n: number, limits: ModelLimits) =>
    evaluate(modelOf(program(body), { n }, { limits }), Float64Array.of(0.1)).error;

  it('fails before it starts', () => {
    expect(evaluated('target += p * i;', 2e9, {})).toContain(
      'LoopBudgetError: the program takes more than 50000000 loop steps',
    );
    expect(evaluated('target += p * i;', 1000, { ticks: 999 })).toContain('LoopBudgetError');
    expect(evaluated('target += p * i;', 1000, { ticks: 1000 })).toBeNull();
  });

  it('uses no more than the memory budget', () => {
    const limits = { tapeBytes: 2 ** 22 };
    expect(evaluated('target += exp(p * i * 1e-6);', 1e6, limits)).toContain('MemoryBudgetError');
    expect(evaluated('target += p * i;', 1e6, limits)).toBeNull();
  });

  it('checks the clock', () => {
    let looks = 0;
    const checkTime = () => {
      looks++;
    };
    expect(evaluated('target += p * i;', 1e6, { checkTime })).toBeNull();
    expect(looks).toBeGreaterThan(0);
  });
});
