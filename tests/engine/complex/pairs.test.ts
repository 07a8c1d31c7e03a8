/** Random programs of complex numbers are the same programs written with pairs of reals: density, gradient and draws. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleModel } from '../../support/run-model.ts';
import { modelOf, pointOf } from '../../support/stan-program.ts';

/** An expression with its real and its imaginary part, as someone without complex numbers would write them. */
interface Both {
  readonly complex: string;
  readonly re: string;
  readonly im: string;
}

const leaf = (complex: string, re: string, im: string): Both => ({ complex, re, im });

const leaves = fc.constantFrom(
  leaf('p', 'p[1]', 'p[2]'),
  leaf('q[1]', 'q_re[1]', 'q_im[1]'),
  leaf('q[k]', 'q_re[k]', 'q_im[k]'),
  leaf('z', 'z_re', 'z_im'),
  leaf('x', 'x', '0'),
  leaf('2', '2', '0'),
  leaf('1.5i', '0', '1.5'),
  leaf('d', 'd[1]', 'd[2]'),
);

const operators: readonly ((a: Both, b: Both) => Both)[] = [
  (a, b) => leaf(`(${a.complex} + ${b.complex})`, `(${a.re} + ${b.re})`, `(${a.im} + ${b.im})`),
  (a, b) => leaf(`(${a.complex} - ${b.complex})`, `(${a.re} - ${b.re})`, `(${a.im} - ${b.im})`),
  (a, b) =>
    leaf(
      `(${a.complex} * ${b.complex})`,
      `(${a.re} * ${b.re} - ${a.im} * ${b.im})`,
      `(${a.re} * ${b.im} + ${a.im} * ${b.re})`,
    ),
  (a, b) => {
    const n = `(square(${b.re}) + square(${b.im}) + 1)`;
    return leaf(
      `(${a.complex} * conj(${b.complex}) / (norm(${b.complex}) + 1))`,
      `((${a.re} * ${b.re} + ${a.im} * ${b.im}) / ${n})`,
      `((${a.im} * ${b.re} - ${a.re} * ${b.im}) / ${n})`,
    );
  },
  (a, b) =>
    leaf(
      `(k > 1 || ${b.complex} == ${a.complex} ? ${a.complex} : exp(1i * get_real(${b.complex})))`,
      `(k > 1 || (${b.re} == ${a.re} && ${b.im} == ${a.im}) ? ${a.re} : cos(${b.re}))`,
      `(k > 1 || (${b.re} == ${a.re} && ${b.im} == ${a.im}) ? ${a.im} : sin(${b.re}))`,
    ),
  (a, b) =>
    leaf(`f(${a.complex}, ${b.complex})`, `f_re(${a.re}, ${b.im})`, `f_im(${a.im}, ${b.re})`),
];

const expressions: fc.Arbitrary<Both> = fc.letrec<{ e: Both }>((tie) => ({
  e: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaves,
    fc.tuple(fc.constantFrom(...operators), tie('e'), tie('e')).map(([f, a, b]) => f(a, b)),
  ),
})).e;

const functions = `
  real f_re(real a, real d) { return a - sin(d); }
  real f_im(real b, real c) { return b + cos(c); }`;

const withComplex = (steps: readonly Both[]) => `functions { ${functions}
    complex f(complex z, complex w) {
      return to_complex(f_re(get_real(z), get_imag(w)), f_im(get_imag(z), get_real(w)));
    }
  }
  data { complex d; }
  parameters { complex p; complex_vector[3] q; real x; }
  transformed parameters {
    complex z = 0.5 + 1i;
    for (k in 1:3) { ${steps.map(({ complex }) => `z = ${complex}; target += -0.1 * norm(z) - log1p(norm(z));`).join('\n')} z /= 1 + norm(z); }
  }
  model {
    get_real(q) ~ std_normal(); get_imag(q) ~ std_normal(); x ~ std_normal();
    target += -norm(p);
  }`;

const withPairs = (steps: readonly Both[]) => {
  const step = ({ re, im }: Both) =>
    `{ real re = ${re}; real im = ${im}; z_re = re; z_im = im;
       target += -0.1 * (square(z_re) + square(z_im)) - log1p(square(z_re) + square(z_im)); }`;
  return `functions { ${functions} }
  data { vector[2] d; }
  parameters { vector[2] p; vector[3] q_re; vector[3] q_im; real x; }
  transformed parameters {
    real z_re = 0.5; real z_im = 1;
    for (k in 1:3) {
      ${steps.map(step).join('\n')}
      { real n = 1 + square(z_re) + square(z_im); z_re /= n; z_im /= n; }
    }
  }
  model {
    q_re ~ std_normal(); q_im ~ std_normal(); x ~ std_normal();
    target += -square(p[1]) - square(p[2]);
  }`;
};

function bothOf(steps: readonly Both[]) {
  // `target +=` belongs in the model block
  const inModel = (source: string) =>
    source.replace(/transformed parameters \{([\s\S]*)\}\s*model \{/, 'model { $1');
  const data = { d: [0.3, -0.8] };
  return [withComplex(steps), withPairs(steps)].map((source) => modelOf(inModel(source), data));
}

describe('any program of complex numbers', () => {
  it('is equivalent to the program of its real and imaginary parts', () => {
    fc.assert(
      fc.property(fc.array(expressions, { minLength: 1, maxLength: 4 }), (steps) => {
        const [a, b] = bothOf(steps).map((model) => {
          const theta = pointOf(model, 1);
          const gradient = new Float64Array(theta.length);
          return { value: model.logDensityGradient(theta, gradient), gradient };
        });
        expect(Math.abs(a.value - b.value)).toBeLessThan(1e-11 * Math.max(1, Math.abs(b.value)));
        b.gradient.forEach((g, i) => {
          expect(Math.abs(a.gradient[i] - g)).toBeLessThan(1e-9 * Math.max(1, Math.abs(g)));
        });
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('has the same draws as the program of its parts', () => {
    const data = { N: 20, y: Array.from({ length: 20 }, (_, n) => [Math.sin(n), Math.cos(3 * n)]) };
    const complex = modelOf(
      `data { int N; array[N] complex y; } parameters { complex mu; real<lower=0> sigma; }
       model { for (n in 1:N) target += -norm(y[n] - mu) / square(sigma) - 2 * log(sigma); sigma ~ exponential(1); }
       generated quantities { complex turned = mu * 1i; }`,
      data,
    );
    const pairs = modelOf(
      `data { int N; array[N, 2] real y; } parameters { real a; real b; real<lower=0> sigma; }
       model {
         for (n in 1:N) target += -(square(y[n, 1] - a) + square(y[n, 2] - b)) / square(sigma) - 2 * log(sigma);
         sigma ~ exponential(1);
       }`,
      data,
    );
    const settings = { numWarmup: 100, numSamples: 50 };
    const [mine, theirs] = [sampleModel(complex, settings), sampleModel(pairs, settings)];
    expect(mine.get('mu.real')).toEqual(theirs.get('a'));
    expect(mine.get('mu.imag')).toEqual(theirs.get('b'));
    expect(mine.get('turned.imag')).toEqual(theirs.get('a'));
    expect(mine.get('sigma')).toEqual(theirs.get('sigma'));
  });

  it('can print, loop over, unpack and slice complex values', () => {
    const lines: string[] = [];
    modelOf(
      `functions {
        tuple(complex, complex_vector) turn(complex z, complex_vector v) { return (z * 1i, reverse(v)); }
        complex sum_of(array[] complex x, int from, int to, complex by) { complex s = 0; for (e in x) s += e * by; return s; }
        real partial(array[] real x, int from, int to, complex by) { return get_imag(sum_of(x, from, to, by)); }
      }
      transformed data {
        complex z = 1 + 2i;
        complex_vector[3] v = [1, 2i, 3 - 1i]';
        complex_matrix[2, 2] m = [[1, 2], [3i, 4]];
        array[2] tuple(complex, int) t = {(1, 2), (3i, 4)};
        complex w;
        print(z, v, m, t, {z, 1}, w);
        (z, v) = turn(z, v);
        print(z, v[1:2], m[ : , 1], m[2]);
        for (e in m) w = e;
        for (e in v) z += e;
        for (e in t) z *= e.1;
        print(w, z);
        (z, w) = (w, z);
        v[2] = z;
        m[1] = v[1:2]';
        m[ : , 2] /= 2;
        print(z, w, v, m);
        print(reduce_sum(partial, {1, 2.5, 1}, 1, w / 3), 1 + 1i == z, size(v));
      }`,
      {},
      { print: (text) => lines.push(text) },
    );
    expect(lines).toEqual([
      '(1,2)[(1,0),(0,2),(3,-1)][[(1,0),(2,0)],[(0,3),(4,0)]][((1,0),2),((0,3),4)][(1,2),(1,0)](nan,nan)',
      '(-2,1)[(3,-1),(0,2)][(1,0),(0,3)][(0,3),(4,0)]',
      '(4,0)(-6,6)',
      '(4,0)(-6,6)[(3,-1),(4,0),(1,0)][[(3,-1),(2,0)],[(0,3),(2,0)]]',
      '903',
    ]);
  });
});
