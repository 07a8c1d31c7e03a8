/**
 * Every emitted text is JavaScript that loads: for all sample programs, and for generated ones, whose values are also
 * compared with an interpreter of a few lines.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { gallery } from '../../../src/gallery/gallery.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import { modelOf, outputsAt } from '../../support/stan-program.ts';
import { goodPrograms } from '../sample-programs.ts';

const posteriordb = join(import.meta.dirname, '../../engine/posteriordb');

const programs: readonly (readonly [string, string])[] = [
  ...goodPrograms.map(({ name, text }) => [name, text] as const),
  ...gallery.flatMap(({ slug, files }) =>
    Object.entries(files)
      .filter(([path]) => path.endsWith('.stan'))
      .map(([path, text]) => [`gallery ${slug}: ${path}`, text] as const),
  ),
  ...readdirSync(posteriordb)
    .filter((file) => file.endsWith('.stan'))
    .map((file) => [file, readFileSync(join(posteriordb, file), 'utf8')] as const),
];

/** The JavaScript of a program, parsed by the engine that would run it. */
function load(text: string): void {
  const { program, diagnostics } = compileProgram(text, { libraryKeys });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(program).not.toBeNull();
  // oxlint-disable-next-line typescript/no-implied-eval
  expect(() => new Function('L', program?.javascript ?? '')).not.toThrow();
}

/** What a linter says of the JavaScript of the programs, with and without the adjoint phase. */
function lint(texts: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'ergodic-emitted-'));
  try {
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(rules));
    for (const [k, text] of texts.entries()) {
      for (const adjoint of [true, false]) {
        const { program } = compileProgram(text, { libraryKeys, adjoint });
        const body = `export default function (L) {\n${program?.javascript}\n}\n`;
        writeFileSync(join(folder, `${k}-${adjoint}.js`), body);
      }
    }
    return spawnSync(oxlint, ['-c', '.oxlintrc.json', '.'], { cwd: folder }).stdout.toString();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const oxlint = join(import.meta.dirname, '../../../node_modules/.bin/oxlint');
const rules = {
  categories: { correctness: 'off' },
  env: { es2022: true },
  rules: {
    'no-undef': 'error',
    'no-use-before-define': ['error', { functions: false }],
    'no-redeclare': 'error',
    'no-const-assign': 'error',
  },
};

describe('the emitted text', () => {
  it('names nothing that it has not declared before', () => {
    const texts = programs.map(([, text]) => text);
    const slices = `data { int N; } parameters { vector[N] v; real p; }
      model { for (n in 2:N) target += log_sum_exp(v[1:(n - 1)]) + prod(v[n:]) * p; }`;
    expect(lint([...texts, slices])).toContain('Found 0 warnings and 0 errors');
  });
});

describe('the emitted text loads', () => {
  it.each(programs)('of %s', (_, text) => load(text));

  it.each([
    'if (!a) target += p;',
    'if (!!a) target += p;',
    'if (!(a > 0)) target += p; else target += -p;',
    'while (!a) { target += p; break; }',
    'if (!(a || b) && !b) target += p;',
    'target += !a ? p : -p;',
    'target += !(p > 0) + p;',
    'if (-!a < 0) target += p;',
  ])('of a model with %s', (statement) => {
    load(`data { int a; int b; } parameters { real p; } model { ${statement} }`);
  });
});

/** A generated expression: its Stan text and its value, given the variables. */
interface Generated {
  readonly text: string;
  readonly value: (variables: Variables) => number;
}

interface Variables {
  readonly a: number;
  readonly b: number;
  readonly p: number;
}

const leaf = (text: string, value: Generated['value']): Generated => ({ text, value });
const fromBoolean = (x: boolean): number => (x ? 1 : 0);

const intBinaries: Readonly<Record<string, (x: number, y: number) => number>> = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '*': (x, y) => x * y,
  '&&': (x, y) => fromBoolean(x !== 0 && y !== 0),
  '||': (x, y) => fromBoolean(x !== 0 || y !== 0),
};
const comparisons: typeof intBinaries = {
  '<': (x, y) => fromBoolean(x < y),
  '<=': (x, y) => fromBoolean(x <= y),
  '>': (x, y) => fromBoolean(x > y),
  '>=': (x, y) => fromBoolean(x >= y),
  '==': (x, y) => fromBoolean(x === y),
  '!=': (x, y) => fromBoolean(x !== y),
};
const realBinaries: typeof intBinaries = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '*': (x, y) => x * y,
};
const unaries: Readonly<Record<string, (x: number) => number>> = {
  '!': (x) => fromBoolean(x === 0),
  '-': (x) => 0 - x,
  '+': (x) => x,
};

function unary(operator: string, operand: Generated): Generated {
  return leaf(`${operator}(${operand.text})`, (v) => unaries[operator](operand.value(v)));
}

function binary(table: typeof intBinaries, left: fc.Arbitrary<Generated>, right = left) {
  return fc
    .tuple(fc.constantFrom(...Object.keys(table)), left, right)
    .map(([operator, x, y]) =>
      leaf(`(${x.text} ${operator} ${y.text})`, (v) => table[operator](x.value(v), y.value(v))),
    );
}

function conditional(test: fc.Arbitrary<Generated>, branch: fc.Arbitrary<Generated>) {
  return fc
    .tuple(test, branch, branch)
    .map(([c, x, y]) =>
      leaf(`(${c.text} ? ${x.text} : ${y.text})`, (v) => (c.value(v) !== 0 ? x : y).value(v)),
    );
}

const { int, real } = fc.letrec<{ int: Generated; real: Generated }>((tie) => ({
  int: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'expression' },
    fc.integer({ min: 0, max: 3 }).map((n) => leaf(String(n), () => n)),
    fc.constant(leaf('a', (v) => v.a)),
    fc.constant(leaf('b', (v) => v.b)),
    fc
      .tuple(fc.constantFrom(...Object.keys(unaries)), tie('int'))
      .map(([operator, operand]) => unary(operator, operand)),
    tie('int').map((x) => leaf(`!${x.text}`, (v) => fromBoolean(x.value(v) === 0))),
    binary(intBinaries, tie('int')),
    binary(comparisons, tie('int')),
    binary(comparisons, tie('real'), tie('int')),
    conditional(tie('int'), tie('int')),
  ),
  real: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'expression' },
    fc.constant(leaf('p', (v) => v.p)),
    fc.constant(leaf('0.25', () => 0.25)),
    binary(realBinaries, tie('real')),
    binary(realBinaries, tie('real'), tie('int')),
    conditional(tie('int'), tie('real')),
    tie('real').map((x) => unary('-', x)),
  ),
}));

function programOf([test, again, number, yes, no]: readonly Generated[]): string {
  return `data { int a; int b; }
parameters { real p; }
transformed parameters {
  real density;
  if (${test.text}) density = ${yes.text}; else density = ${no.text};
  { int turns = 0; while ((${again.text}) && turns < 3) { turns += 1; density += ${yes.text}; } }
}
model { target += density; }
generated quantities {
  int number = ${number.text};
  int branch = 2;
  if (${test.text}) branch = 1;
}
`;
}

describe('a generated program', () => {
  it('loads, and computes the values of its source', () => {
    const variables = fc.record({
      a: fc.integer({ min: -1, max: 2 }),
      b: fc.integer({ min: 0, max: 1 }),
      p: fc.constantFrom(-1.5, 0.25, 2),
    });
    fc.assert(
      fc.property(fc.tuple(int, int, int, real, real), variables, (parts, values) => {
        const [test, again, number, yes, no] = parts;
        const { a, b, p } = values;
        const outputs = outputsAt(modelOf(programOf(parts), { a, b }), Float64Array.of(p));
        const isTrue = test.value(values) !== 0;
        const turns = again.value(values) !== 0 ? 3 : 0;
        const density = (isTrue ? yes : no).value(values) + turns * yes.value(values);
        expect(outputs.density).toBeCloseTo(density, 9);
        // `+ 0` makes both zeros equal: an int has one.
        expect(outputs.number + 0).toBe(number.value(values) + 0);
        expect(outputs.branch).toBe(isTrue ? 1 : 2);
      }),
      { numRuns: 400, seed: 20_261_122 },
    );
  });
});
