/**
 * Tuples: programs give the same results with and without them, and their data are checked by name. Long because
 * the random programs, their twins without tuples and the comparisons share one vocabulary.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileModel } from '../../src/engine/compile-model.ts';
import { unconstrainedNames } from '../../src/engine/log-density.ts';
import { addInit } from '../../src/engine/tuple-inits.ts';
import { sampleModel } from '../support/run-model.ts';
import {
  gradientError,
  modelOf,
  outputsAt,
  pointOf,
  refusalOf,
  testRng,
} from '../support/stan-program.ts';

const schools = {
  J: 8,
  y: [28, 8, -3, 7, -1, 1, 18, 12],
  sigma: [15, 10, 16, 11, 9, 11, 10, 18],
};

const withoutTuples = `
functions {
  vector effects(real mu, real tau, vector eta) { return mu + tau * eta; }
}
data { int J; vector[J] y; vector<lower=0>[J] sigma; }
parameters { real mu; real<lower=0> tau; vector[J] eta; }
transformed parameters { vector[J] theta = effects(mu, tau, eta); }
model {
  mu ~ normal(0, 5);
  tau ~ cauchy(0, 5);
  eta ~ std_normal();
  y ~ normal(theta, sigma);
}
generated quantities { real next = normal_rng(mu, tau); }`;

const withTuples = `
functions {
  vector effects(tuple(real, real) p, vector eta) { return p.1 + p.2 * eta; }
}
data { int J; tuple(vector[J], vector<lower=0>[J]) schools; }
parameters { tuple(tuple(real, real<lower=0>), vector[J]) p; }
transformed parameters { vector[J] theta = effects(p.1, p.2); }
model {
  p.1.1 ~ normal(0, 5);
  p.1.2 ~ cauchy(0, 5);
  p.2 ~ std_normal();
  schools.1 ~ normal(theta, schools.2);
}
generated quantities { tuple(real,) next = (normal_rng(p.1.1, p.1.2),); }`;

function bothAt(a: ReturnType<typeof modelOf>, b: ReturnType<typeof modelOf>, seed: number) {
  const theta = pointOf(a, seed);
  return [a, b].map((model) => {
    const gradient = new Float64Array(theta.length);
    const output = new Float64Array(model.columns.length);
    const value = model.logDensityGradient(theta, gradient);
    model.constrain(theta, testRng(seed), output);
    return { value, gradient, output };
  });
}

describe('a program with tuples', () => {
  const plain = () => modelOf(withoutTuples, schools);
  const tuples = () => modelOf(withTuples, { J: 8, schools: { 1: schools.y, 2: schools.sigma } });

  it('has the density, gradient and output of the same program without tuples', () => {
    for (const seed of [1, 2, 3]) {
      const [a, b] = bothAt(plain(), tuples(), seed);
      expect(b).toEqual(a);
    }
  });

  it('draws the same as the program without tuples', () => {
    const settings = { numWarmup: 150, numSamples: 50 };
    const a = sampleModel(plain(), settings);
    const b = sampleModel(tuples(), settings);
    expect(b.get('p:1:2')).toEqual(a.get('tau'));
    expect(b.get('p:2[8]')).toEqual(a.get('eta[8]'));
    expect(b.get('next:1')).toEqual(a.get('next'));
  });

  it('names its columns and free values as CmdStan does', () => {
    const model = modelOf(
      'parameters { tuple(real, vector[2]) x; array[2] tuple(real, array[2] tuple(vector[2], real)) y; }',
    );
    expect(model.columns.slice(0, 7)).toEqual(
      'x:1 x:2[1] x:2[2] y[1]:1 y[2]:1 y[1]:2[1]:1[1] y[2]:2[1]:1[1]'.split(' '),
    );
    expect(model.columns.slice(-4)).toEqual(
      'y[1]:2[1]:2 y[2]:2[1]:2 y[1]:2[2]:2 y[2]:2[2]:2'.split(' '),
    );
    const names = unconstrainedNames(model);
    expect(names.slice(0, 6)).toEqual('x:1 x:2.1 x:2.2 y.1:1 y.2:1 y.1:2.1:1.1'.split(' '));
    expect(names.at(-1)).toBe('y.2:2.2:2');
  });
});

// ---------------------------------------------------------------- any program

/** A member type of a tuple, and how a program adds a value of it to its target. */
interface Part {
  readonly declare: (sizes: string, name: string) => string;
  readonly add: (place: string) => string;
}

const leafParts: readonly Part[] = [
  { declare: (s, x) => `${s}real ${x};`, add: (x) => `normal_lpdf(${x} | 1, 2)` },
  { declare: (s, x) => `${s}real<lower=0, upper=3> ${x};`, add: (x) => `log(${x})` },
  { declare: (s, x) => `${s}vector[2] ${x};`, add: (x) => `normal_lpdf(${x} | w, 2)` },
  { declare: (s, x) => `${s}simplex[3] ${x};`, add: (x) => `dirichlet_lpdf(${x} | [2, 3, 4]')` },
  { declare: (s, x) => `${s}matrix[2, 3] ${x};`, add: (x) => `sum(exp(-square(${x})))` },
  {
    declare: (s, x) => `${s}row_vector<offset=1, multiplier=2>[2] ${x};`,
    add: (x) => `${x}[1] * ${x}[2]`,
  },
];

type Tree = number | readonly Tree[];

const trees: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.nat(leafParts.length - 1),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
  ),
})).tree;

const typeText = (tree: Tree): string =>
  typeof tree === 'number'
    ? leafParts[tree].declare('', 'x').replace(' x;', '')
    : `tuple(${tree.map(typeText).join(', ')}${tree.length === 1 ? ',' : ''})`;

/** The leaves with the path to each: `.2.1`. */
const leavesOf = (tree: Tree, path = ''): { part: Part; path: string }[] =>
  typeof tree === 'number'
    ? [{ part: leafParts[tree], path }]
    : tree.flatMap((member, i) => leavesOf(member, `${path}.${i + 1}`));

const program = (parameters: string, model: string) =>
  `data { vector[2] w; } parameters { ${parameters} } model { ${model} }`;

describe('any tuple', () => {
  it('is equivalent to its members as separate variables', () => {
    fc.assert(
      fc.property(fc.array(trees, { minLength: 1, maxLength: 3 }), (tree) => {
        const leaves = leavesOf(tree);
        const tuples = program(
          `${typeText(tree)} x;`,
          leaves.map(({ part, path }) => `target += ${part.add(`x${path}`)};`).join('\n'),
        );
        const plain = program(
          leaves.map(({ part }, i) => part.declare('', `x${i}`)).join('\n'),
          leaves.map(({ part }, i) => `target += ${part.add(`x${i}`)};`).join('\n'),
        );
        const data = { w: [0.5, -0.5] };
        const [a, b] = bothAt(modelOf(plain, data), modelOf(tuples, data), 1);
        expect(b).toEqual(a);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('in an array is equivalent to the arrays of its members', () => {
    fc.assert(
      fc.property(fc.array(trees, { minLength: 1, maxLength: 3 }), (tree) => {
        const leaves = leavesOf(tree);
        const loop = (body: string) => `for (i in 1:2) for (j in 1:3) { ${body} }`;
        const tuples = program(
          `array[2, 3] ${typeText(tree)} x;`,
          loop(
            leaves.map(({ part, path }) => `target += ${part.add(`x[i, j]${path}`)};`).join(' '),
          ),
        );
        const plain = program(
          leaves.map(({ part }, i) => part.declare('array[2, 3] ', `x${i}`)).join('\n'),
          loop(leaves.map(({ part }, i) => `target += ${part.add(`x${i}[i, j]`)};`).join(' ')),
        );
        const data = { w: [0.5, -0.5] };
        const [a, b] = bothAt(modelOf(plain, data), modelOf(tuples, data), 1);
        expect(b).toEqual(a);
      }),
      { numRuns: 40, seed: 2 },
    );
  });

  it('passes through functions, literals and assignments unchanged', () => {
    fc.assert(
      fc.property(fc.array(trees, { minLength: 1, maxLength: 3 }), (tree) => {
        const withoutBounds = typeText(tree)
          .replace(/<[^>]*>/g, '')
          .replaceAll('simplex', 'vector');
        const unsized = withoutBounds.replace(/\[[^\]]*\]/g, '');
        const leaves = leavesOf(tree);
        const adds = (name: string) =>
          leaves.map(({ part, path }) => `target += ${part.add(`${name}${path}`)};`).join('\n');
        const direct = program(`${typeText(tree)} x;`, adds('x'));
        const passed = `functions { ${unsized} same(${unsized} t) { return t; } }
          ${program(
            `${typeText(tree)} x;`,
            `${withoutBounds} y = same(x);
            array[2] ${withoutBounds} list = {x, y};
            ${withoutBounds} z = list[2];
            z = w[1] > 0 ? same(z) : x;
            ${adds('z')}`,
          )}`;
        const data = { w: [0.5, -0.5] };
        const [a, b] = bothAt(modelOf(direct, data), modelOf(passed, data), 1);
        expect(b.value).toBeCloseTo(a.value, 12);
        a.gradient.forEach((g, i) => {
          expect(b.gradient[i]).toBeCloseTo(g, 12);
        });
      }),
      { numRuns: 60, seed: 3 },
    );
  });
});

// ---------------------------------------------------------------- meaning

/** What a program prints. */
function printed(source: string, data = {}): string[] {
  const lines: string[] = [];
  modelOf(source, data, { print: (text) => lines.push(text) });
  return lines;
}

describe('tuples in a running program', () => {
  it('are printed as Stan prints them', () => {
    const source = `transformed data {
      array[2] tuple(int, array[2] tuple(real, vector[2])) x;
      for (i in 1:2) x[i] = (i, {(0.5, [i, 2]'), (1.5, [3, 4]')});
      print(x, (1,), ((1, 2.5), {3, 4}));
    }`;
    expect(printed(source)).toEqual([
      '[(1,[(0.5,[1,2]),(1.5,[3,4])]),(2,[(0.5,[2,2]),(1.5,[3,4])])](1)((1,2.5),[3,4])',
    ]);
  });

  it('are copied when they are assigned', () => {
    const source = `transformed data {
      tuple(int, vector[2]) x = (1, [1, 2]');
      tuple(int, vector[2]) y = x;
      array[2] tuple(int, vector[2]) list = {x, y};
      y.1 += 1;
      y.2[1] = 9;
      list[1].2[2] = 7;
      print(x, y, list);
    }`;
    expect(printed(source)).toEqual(['(1,[1,2])(2,[9,2])[(1,[1,7]),(1,[1,2])]']);
  });

  it('are unpacked simultaneously', () => {
    const source = `transformed data {
      int a = 1; int b = 2; vector[2] v = [1, 2]'; vector[2] u = [3, 4]';
      tuple(int, tuple(int, vector[2])) t = (5, (6, u));
      (a, b) = (b, a);
      (v, u) = (u, v + 1);
      print(a, b, v, u);
      (a, (b, v)) = t;
      t = (t.2.1, (t.1, v));
      print(a, b, v, t);
      v[1] = 0;
      (t.1, v[2]) = (7, t.1);
      print(t, v, u);
    }`;
    expect(printed(source)).toEqual([
      '21[3,4][2,3]',
      '56[3,4](6,(5,[3,4]))',
      '(7,(5,[3,4]))[0,6][2,3]',
    ]);
  });

  it('call the function that returns them once, and only when it is reached', () => {
    const source = `functions {
      tuple(int, real) loud(int n) { print("called ", n); return (n, n + 0.5); }
    }
    transformed data {
      tuple(int, real) x = loud(1);
      int y = loud(2).1;
      x = y > 5 ? loud(3) : (4, 4);
      if (y < 5 || loud(5).1 > 1) print("short");
      tuple(real, real) z = y == 2 && loud(6).1 == 6 ? loud(7) : loud(8);
      int n = 0;
      while (loud(n).1 < 2) n += 1;
      array[2] tuple(int, real) list;
      list[loud(1).1] = loud(2);
      print(x, z, n);
    }`;
    expect(printed(source)).toEqual([
      'called 1',
      'called 2',
      'short',
      'called 6',
      'called 7',
      'called 0',
      'called 1',
      'called 2',
      'called 1',
      'called 2',
      '(4,4)(7,7.5)2',
    ]);
  });

  it('may be read in their own declaration, before they have a value', () => {
    const source = `functions { tuple(int, real) f(real x) { return (1, x); } }
    transformed data {
      real x = x;
      real y = 2 + y;
      tuple(int, real) t = f(t.2);
      array[2] real v = v;
      print(x, y, t, v);
    }`;
    expect(printed(source)).toEqual(['nannan(1,nan)[nan,nan]']);
    const read = modelOf(
      'parameters { real p; } transformed parameters { real q = q; real so_far = target(); } model { target += 2 * p - so_far; }',
    );
    expect(read.logDensityGradient(Float64Array.of(3), new Float64Array(1))).toBe(6);
  });

  it('can be looped over in an array', () => {
    const source = `data { int N; } transformed data {
      array[N, 2] tuple(int, vector[2]) x;
      for (i in 1:N) for (j in 1:2) x[i, j] = (10 * i + j, [i, j]');
      for (row in x) for (t in row) { int k = t.1; print(k, t.2); }
      for (t in x[1:1, 2]) print(t);
    }`;
    expect(printed(source, { N: 2 })).toEqual([
      '11[1,1]',
      '12[1,2]',
      '21[2,1]',
      '22[2,2]',
      '(12,[1,2])',
    ]);
    expect(() => printed(source, { N: 0 })).toThrow(/accessing `x`/);
  });

  it('carry derivatives through functions that return them', () => {
    const source = `functions {
      tuple(real, vector) moments(vector x, real s) {
        real m = mean(x);
        if (m > 100) return (m, x);
        return (m * s, (x - m) / s);
      }
      tuple(real, tuple(real, real)) step(tuple(real, tuple(real, real)) at, real by) {
        return (at.1 + by, (at.2.1 * at.1, at.2.2 + square(by)));
      }
    }
    parameters { vector[3] x; tuple(real<lower=0>, real) p; array[3] real z; }
    model {
      tuple(real, vector[3]) m = moments(x, p.1);
      m.2 ~ normal(m.1, 2);
      tuple(real, tuple(real, real)) at = (p.2, (1, 0));
      for (i in 1:3) at = step(at, z[i]);
      target += -square(at.1) - square(at.2.1) - at.2.2;
      for (i in 1:3) {
        real a = 1;
        real b;
        (a, b) = (x[i] * z[i], p.1 * a);
        target += sin(a) - 0.5 * b;
      }
      matrix[3, 3] S = x * x' + diag_matrix([1, 3 + p.1, 7]');
      tuple(matrix[3, 3], vector[3]) eigen = eigendecompose_sym(S);
      target += -sum(square(eigen.2)) * 0.01 + log_determinant(svd(S).1 * qr_thin(S).2 + S * 0.1);
    }`;
    for (const adjoint of [true, false]) {
      expect(gradientError(modelOf(source, {}, { adjoint }), 3)).toBeLessThan(1e-6);
    }
  });

  it('are differentiated when the program is compiled, also in loops', () => {
    const source = `functions {
        tuple(real, real) step(tuple(real, real) s, real x, real a) {
          real m = a * s.1 + (1 - a) * x;
          return (m, s.2 + square(x - m));
        }
        tuple(vector, real) vstep(vector v, real x) {
          vector[size(v)] w = v * 0.5 + x;
          return (w, x * 2);
        }
      }
      data { int N; vector[N] y; }
      parameters { real<lower=0,upper=1> a; real<lower=0> s; vector[3] v0; }
      model {
        tuple(real, real) st = (0, 1);
        vector[3] v = v0;
        real q;
        real f1 = a; real f2 = s;
        for (n in 1:N) {
          st = step(st, y[n], a);
          y[n] ~ normal(st.1, s * sqrt(st.2));
          (f1, f2) = (f2 * 0.9, f1 + f2 * 0.1);
          target += -f1;
          (v, q) = vstep(v, y[n] * s);
          target += -0.1 * v[2] + 0.01 * q;
        }
        v ~ normal(0, 1);
      }`;
    const data = { N: 5, y: [1, 2, 3, 2, 1] };
    const compiled = compileModel({ source, data, rng: testRng() });
    expect(compiled.ok && compiled.program.onTape).toEqual([]);
    const [a, b] = bothAt(modelOf(source, data), modelOf(source, data, { adjoint: false }), 5);
    a.gradient.forEach((g, i) => {
      expect(g).toBeCloseTo(b.gradient[i], 10);
    });
    expect(gradientError(modelOf(source, data), 5)).toBeLessThan(1e-7);
  });

  it('are returned by decompositions', () => {
    const model = modelOf(`generated quantities {
      matrix[3, 2] A = [[1, 2], [3, 4], [5, 7]];
      matrix[3, 2] byQr = qr_thin(A).1 * qr_thin(A).2;
      tuple(matrix[3, 2], vector[2], matrix[2, 2]) usv = svd(A);
      matrix[3, 2] bySvd = diag_post_multiply(usv.1, usv.2) * usv.3';
      tuple(vector[2], array[2] int, array[3] int) w = csr_extract([[0, 4], [6, 0]]);
    }`);
    const out = outputsAt(model);
    for (const name of model.columns.filter((column) => column.startsWith('A['))) {
      for (const by of ['byQr', 'bySvd']) {
        expect(out[name.replace('A', by)]).toBeCloseTo(out[name], 12);
      }
    }
    const packed = 'w:1[1] w:1[2] w:2[1] w:2[2] w:3[1] w:3[2] w:3[3]'.split(' ');
    expect(packed.map((name) => out[name])).toEqual([4, 6, 2, 1, 1, 2, 3]);
  });
});

// ---------------------------------------------------------------- data and initial values

describe('tuples in data', () => {
  const source = `data {
    int N;
    tuple(int, array[2] real<lower=0>) x;
    array[N] tuple(real, tuple(vector[2], int)) y;
  }
  generated quantities { real last = y[N].2.1[2] + x.2[1]; }`;
  const x = { 1: 3, 2: [0.5, 1] };
  const y = [
    { 1: 1, 2: { 1: [1, 2], 2: 3 } },
    { 1: 1, 2: { 1: [1, 'Inf'], 2: 3 } },
  ];

  it('are objects by position, and arrays of these', () => {
    expect(outputsAt(modelOf(source, { N: 1, x, y: [y[0]] }))).toEqual({ last: 2.5 });
    expect(outputsAt(modelOf(source, { N: 2, x, y }))).toEqual({ last: Infinity });
  });

  it.each([
    [{ N: 1 }, '`x` is missing from the data: must be a tuple'],
    [{ x: 3 }, '`x` is 3: must be a tuple, an object with the keys "1", "2"'],
    [{ x: [3, [1, 2]] }, '`x` is an array of 2: must be a tuple'],
    [{ x: { 1: 3 } }, '`x` has no member "2": must be an object with the keys "1", "2"'],
    [{ x: { ...x, 3: 1 } }, '`x` has a member "3": must be'],
    [{ x: { ...x, a: 1 } }, '`x` has a member "a": must be'],
    [{ x: { ...x, '01': 1 } }, '`x` has a member "01": must be'],
    [{ x: { ...x, 1: 1.5 } }, '`x.1` is 1.5: must be a whole number'],
    [{ x: { ...x, 2: [1] } }, '`x.2` has size 1: must be 2'],
    [{ x: { ...x, 2: [1, -1] } }, '`x.2[2]` is -1: must be at least 0'],
    [{ x, y: y[0] }, '`y` is an object: must be an array of 2 tuples'],
    [{ x, y: [y[0]] }, '`y` has size 1: must be 2'],
    [{ x, y: [y[0], 3] }, '`y[2]` is 3: must be a tuple'],
    [{ x, y: [y[0], { 1: 1 }] }, '`y[2]` has no member "2"'],
    [{ x, y: [y[0], { 1: 1, 2: 4 }] }, '`y[2].2` is 4: must be a tuple'],
    [{ x, y: [y[0], { 1: 1, 2: { 1: [1], 2: 3 } }] }, '`y[2].2.1` has size 1: must be 2'],
    [{ x, y: [y[0], { 1: 1, 2: { 1: [1, 'a'], 2: 3 } }] }, '`y[2].2.1[2]` is "a"'],
    [{ x, y: [y[0], { 1: 1, 2: { 1: [1, 2], 2: 3.5 } }] }, '`y[2].2.2` is 3.5'],
  ])('%j: %s', (data, message) => {
    expect(refusalOf(source, { N: 2, ...data })).toContain(message);
  });
});

describe('tuples in initial values', () => {
  const source = `parameters {
    tuple(real<lower=0>, simplex[3]) p;
    array[2, 2] tuple(real, array[1] tuple(vector[2], real<lower=1>)) q;
  }`;
  const model = () => modelOf(source);

  it('are read back as they were written', () => {
    const from = model();
    const theta = pointOf(from, 4);
    const out = new Float64Array(from.columns.length);
    from.constrain(theta, testRng(), out);
    const inits: Record<string, unknown> = {};
    let at = 0;
    for (const variable of from.variables) {
      const size = variable.dims.reduce((n, length) => n * length, 1);
      const nested = (first: number, step: number, [n, ...rest]: readonly number[]): unknown =>
        n === undefined
          ? out[first]
          : Array.from({ length: n }, (_, i) => nested(first + i * step, step * n, rest));
      addInit(inits, variable, nested(at, 1, variable.dims));
      at += size;
    }
    expect(Object.keys(inits)).toEqual(['p', 'q']);
    const back = new Float64Array(theta.length);
    from.unconstrain(inits, back);
    back.forEach((value, i) => {
      expect(value).toBeCloseTo(theta[i], 10);
    });
  });

  it('are refused with the name of the member', () => {
    const refuse = (inits: Readonly<Record<string, unknown>>) => () =>
      model().unconstrain(inits, new Float64Array(model().numUnconstrained));
    expect(refuse({ p: { 1: -1, 2: [0.2, 0.3, 0.5] } })).toThrow(/initial value of `p\.1`/);
    expect(refuse({ p: { 1: 1 } })).toThrow(/`p` has no member "2"/);
    expect(refuse({ p: { 1: 1, 2: [0.2, 0.3, 0.6] } })).toThrow(/`p\.2`/);
  });
});
