/** Generated programs of loops, branches, assignments and densities: the adjoint phase agrees with the tape. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backEndsOf, countRegions, worstDifference } from '../../support/back-ends.ts';
import { countRuns, seedOfRuns } from '../../support/fuzz-runs.ts';
import { emittedText } from '../../support/stan-program.ts';

const declarations = `
  real a = 0.4;
  real b = p;
  vector[4] x = v;
  vector[4] z;
  vector[5] w5;
  array[2] row_vector[4] w4;
  matrix[2, 3] l;
  matrix[4, 4] h;
  array[2, 3] real g;
  int c = 1;
  for (i in 1:2) {
    for (j in 1:3) {
      l[i, j] = w[i, j] * 0.5;
      g[i, j] = u[i][j] + l[i, j];
    }
  }
  for (i in 1:4) {
    z[i] = v[i] - p;
    w5[i + 1] = z[i] * v[1];
    w4[1][i] = z[i] + 0.1;
    w4[2][i] = sin(v[i]);
    for (j in 1:4) h[i, j] = 0.3 * v[i] - 0.1 * j;
  }
  w5[1] = p;`;

const head = `
functions {
  real half(real x) { return x / 2; }
  real longest(vector x, real y) {
    real most = y;
    for (n in 1:num_elements(x)) most = fmax(most, half(x[n]) + 0.1 * n);
    return most;
  }
  real shape_lpdf(real y, real m, array[] real row) {
    real density = normal_lupdf(y | m, 1.5);
    for (n in 1:2) density += std_normal_lpdf(row[n]);
    return density;
  }
}
data { int n; vector[4] y; array[4] int k; matrix[3, 4] m; array[4] int o; }
parameters { real p; real<lower=0> q; vector[4] v; matrix[2, 3] w; array[2] vector[3] u; }`;

const data = {
  n: 3,
  y: [0.3, -1.1, 2, 0.7],
  k: [2, 1, 3, 1],
  m: [
    [1, 0.2, -0.3, 0.5],
    [0.1, -0.7, 0.4, 1.1],
    [0.9, 0.6, -0.2, 0.8],
  ],
  o: [1, 0, 0, 1],
};

/** Loop variables in scope, by depth; the expression generator may name any, so a scope without loops declares them. */
const index2 = fc.constantFrom('1', '2', '1 + k[2] % 2', 'i1', 'min(c, 2)');
const index3 = fc.constantFrom('1', '3', 'k[1]', 'i1', '1 + i1 % 3', 'min(c, 3)');
const index4 = fc.constantFrom('1', '4', 'k[3]', 'i1', 'i1 + 1', 'k[i1]', 'min(c, 4)');

const expression = fc.letrec<{ e: string }>((tie) => ({
  e: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'expression' },
    fc.constantFrom('a', 'b', 'p', 'q', '0.5', '2', 't1', 'i1 * 0.1'),
    index4.map((i) => `x[${i}]`),
    index4.map((i) => `z[${i}]`),
    index4.map((i) => `v[${i}]`),
    index4.map((i) => `y[${i}]`),
    fc.tuple(index2, index3).map(([i, j]) => `l[${i}, ${j}]`),
    fc.tuple(index2, index3).map(([i, j]) => `g[${i}, ${j}]`),
    fc.tuple(index2, index3).map(([i, j]) => `u[${i}][${j}]`),
    fc.tuple(index3, index4).map(([i, j]) => `m[${i}, ${j}]`),
    index2.map((i) => `log_sum_exp(g[${i}])`),
    index2.map((i) => `sum(l[${i}])`),
    // slices, whose derivatives take room that differs from turn to turn
    fc
      .tuple(fc.constantFrom('log_sum_exp', 'sum', 'mean'), fc.constantFrom('x', 'v'), index4)
      .map(([f, x, i]) => `${f}(${x}[${i} : ])`),
    fc.tuple(fc.constantFrom('prod', 'max'), index4).map(([f, i]) => `${f}(tanh(z)[ : ${i}])`),
    fc.tuple(index4, index4).map(([i, j]) => `prod(v[min(${i}, ${j}) : max(${i}, ${j})])`),
    fc.tuple(index2, index3).map(([i, j]) => `sd(w[${i}, ${j} : ]) `),
    fc.constantFrom('log_sum_exp(x)', 'dot_product(x, v)', 'dot_self(z)', 'sum(l[ : , 2])'),
    fc
      .tuple(tie('e'), fc.constantFrom('+', '-', '*'), tie('e'))
      .map(([l, op, r]) => `(${l} ${op} ${r})`),
    fc.tuple(tie('e'), tie('e')).map(([l, r]) => `(${l} / (1.5 + square(${r})))`),
    fc
      .tuple(
        fc.constantFrom('square', 'tanh', 'inv_logit', 'sin', 'log1p_exp', 'abs', '-'),
        tie('e'),
      )
      .map(([f, x]) => `${f}(${x})`),
    fc
      .tuple(fc.constantFrom('sqrt', 'log', 'lgamma', 'inv_sqrt'), tie('e'))
      .map(([f, x]) => `${f}(1.2 + square(tanh(${x})))`),
    fc.tuple(tie('e'), tie('e')).map(([l, r]) => `log_sum_exp(${l}, ${r})`),
    fc.tuple(tie('e'), tie('e')).map(([l, r]) => `fmax(${l}, ${r})`),
    fc.tuple(fc.constantFrom('x', 'z', 'v', 'y'), tie('e')).map(([x, e]) => `longest(${x}, ${e})`),
    fc.tuple(tie('e'), index2).map(([e, i]) => `shape_lpdf(${e} | p, g[${i}])`),
    tie('e').map((e) => `half(half(${e}) + a)`),
    fc.tuple(tie('e'), tie('e')).map(([l, r]) => `(${l} > 0.1 ? ${r} : ${l})`),
    fc
      .tuple(tie('e'), tie('e'), tie('e'))
      .map(([t, l, r]) => `log_mix(inv_logit(${t}), tanh(${l}), ${r})`),
    fc
      .tuple(tie('e'), tie('e'))
      .map(([l, r]) => `normal_lpdf(${l} | ${r}, 1 + square(tanh(${l})))`),
  ),
})).e;

/** Vectors of four elements: variables, parts of others, and computed from these. */
const vector = fc.letrec<{ v: string }>((tie) => ({
  v: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'vector' },
    fc.constantFrom('x', 'z', 'v', 'y', 'v[k]', 'x[{4, 1, 1, 2}]', '(q * v)', 'to_vector(o)'),
    fc.constantFrom("m[i1 % 3 + 1]'", 'w5[c : ]', 'w5[min(c, 2) : min(c, 2) + 3]', "w4[2]'"),
    fc
      .tuple(tie('v'), fc.constantFrom('+', '-', '.*'), tie('v'))
      .map(([l, op, r]) => `(${l} ${op} ${r})`),
    fc.tuple(tie('v'), tie('v')).map(([l, r]) => `(${l} ./ (1.5 + square(${r})))`),
    fc
      .tuple(expression, fc.constantFrom('+', '-', '*'), tie('v'))
      .map(([l, op, r]) => `(tanh(${l}) ${op} ${r})`),
    fc
      .tuple(fc.constantFrom('square', 'tanh', 'inv_logit', 'sin', '-', 'log1p_exp'), tie('v'))
      .map(([f, x]) => `${f}(${x})`),
    tie('v').map((x) => `exp(tanh(${x}))`),
  ),
})).v;

const ofVectors = fc.oneof(
  fc
    .tuple(fc.constantFrom('sum', 'mean', 'log_sum_exp', 'dot_self'), vector)
    .map(([f, x]) => `${f}(${x})`),
  fc.tuple(vector, vector).map(([a, b]) => `dot_product(${a}, ${b})`),
  fc.tuple(vector, expression).map(([x, e]) => `longest(${x}, ${e})`),
  fc.constantFrom('sum(x[min(c, 2) : ])', 'dot_product(v[ : 2], z[3 : 4])', 'log_sum_exp(w4[c])'),
);

const vectorStatement = fc
  .tuple(
    fc.constantFrom(
      'x = tanh(A);',
      'z = tanh(A);',
      'x = tanh(x .* A) + q;',
      'x[2 : 3] = tanh(A)[1 : 2];',
      'x[2 : 3] = z[1 : 2] * 0.5;',
      "w4[i1 % 2 + 1] = tanh(A)';",
      '{ vector[4] own = A + x; target += sum(own); own = own .* own; target += own; }',
      'target += A;',
      'a = tanh(E);',
      'tanh(A) ~ normal(B, 1 + q);',
      'y ~ normal(A, exp(tanh(B)));',
      'y ~ student_t(3 + square(tanh(E)), A, 1 + q);',
      'o ~ bernoulli_logit(A);',
      'k ~ poisson_log(tanh(A));',
      'o ~ bernoulli(inv_logit(A));',
      'exp(tanh(A)) ~ lognormal(B, 0.7);',
      'target += cauchy_lpdf(y | A, 1.5);',
      // containers assigned as a whole
      'x = rep_vector(tanh(E), 4);',
      'z[2 : 3] = rep_vector(tanh(E), 2);',
      'l = rep_matrix(tanh(E), 2, 3);',
      'l[ : , 2] = rep_vector(tanh(E) * l[1, 2], 2);',
      'g = rep_array(tanh(E), 2, 3);',
      'l = w;',
      'x[1 : 3] = m * tanh(A);',
      'x[2 : 4] = m * z;',
      'z = tanh(0.1 * cumulative_sum(A) + B);',
      'x[1 : 3] = tanh(z[2 : ] - m * tanh(A));',
      "z[2 : ] = cumulative_sum(w[1 + o[2]][ : ])';",
      'target += dot_product(head(x, c), tail(v, c)) + sum(segment(z, min(c, 2), 2));',
      'target += dot_product(sub_col(w, 1, min(c, 3), 2), x[2 : 3]) * tanh(E);',
      // matrix algebra
      'x = tanh(h * A);',
      "x = tanh(0.1 * h' * A + B);",
      "z = tanh((A' * h)');",
      'h = tanh(0.1 * h * h);',
      "h = tanh(0.1 * h * (m' * m) * h');",
      "h = tanh(diag_pre_multiply(A, h) - h');",
      'h = tanh(diag_post_multiply(h, A) .* h);',
      "h = tanh(A * B');",
      "h = tanh(rep_matrix(A, 4) + 0.1 * rep_matrix(B', 4));",
      'h = 0.5 * h + diag_matrix(tanh(A));',
      "h[i1 % 4 + 1] = tanh(A)';",
      'h[ : , i1] = tanh(h * A);',
      'l = tanh(w .* l + (h[ : 2, 2 : ]));',
      'z = softmax(A);',
      'x = tanh(log_softmax(A + B));',
      "x = [tanh(E), p, x[1], tanh(q)]';",
      'x[2 : ] = x[ : 3] * tanh(E);',
      'target += multi_normal_cholesky_lpdf(tanh(A) | x, diag_matrix(exp(tanh(z))));',
      "target += multi_normal_lpdf(x | B, diag_matrix(rep_vector(2, 4)) + h * h');",
      'y ~ multi_normal_cholesky(x, diag_pre_multiply(exp(tanh(z)), diag_matrix(rep_vector(1, 4))));',
    ),
    vector,
    vector,
    ofVectors,
  )
  .map(([text, a, b, e]) => text.replace('A', a).replace('B', b).replace('E', e));

/** Keeps recurrences from growing without bound. */
const bounded = expression.map((e) => `tanh(${e})`);

const density = fc
  .tuple(
    fc.constantFrom(
      'tanh(E) ~ normal(F, 0.5 + q)',
      'y[1] ~ student_t(3 + square(tanh(E)), F, 1 + q)',
      'tanh(E) ~ cauchy(F, 1.5)',
      'o[2] ~ bernoulli_logit(F)',
      'o[i1] ~ bernoulli(inv_logit(E))',
      'k[2] ~ poisson_log(tanh(F))',
      'square(tanh(E)) ~ exponential(1 + square(tanh(F)))',
      '(1 + square(tanh(E))) ~ lognormal(F, 0.7)',
      'tanh(E) ~ std_normal()',
      'target += E',
      'x ~ normal(tanh(F), 1 + q)',
      'y ~ normal(x, 1.5)',
      'g[i1 % 2 + 1] ~ student_t(3, E, 2)',
      'target += normal_lpdf(z | v, q)',
      'o ~ bernoulli_logit(x)',
      'tanh(E) ~ shape(F, g[2])',
      'target += normal_lpdf(E | F, 2)',
      'target += weibull_lccdf(square(tanh(E)) + 0.1 | 1.5, exp(tanh(F)))',
      'target += normal_lcdf(y[i1 % 3 + 1] | tanh(E), 1 + q)',
      'tanh(E) ~ logistic(F, 1.5)',
      '(k[2] + o[1]) ~ categorical_logit(x)',
      'k[i1 % 3 + 1] ~ categorical_logit(u[1])',
      'k[2] ~ ordered_logistic(E, cumulative_sum(exp(0.1 * v)))',
    ),
    bounded,
    bounded,
  )
  .map(([text, e, f]) => `${text.replace('E', e).replace('E', e).replace('F', f)};`);

const statement = fc.letrec<{ s: string; list: string }>((tie) => ({
  list: fc
    .array(tie('s'), { minLength: 1, maxLength: 3, depthIdentifier: 'statement' })
    .map((s) => s.join('\n')),
  s: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'statement' },
    fc.tuple(fc.constantFrom('a', 'b'), bounded).map(([v, e]) => `${v} = ${e};`),
    fc.tuple(fc.constantFrom('a', 'b'), bounded).map(([v, e]) => `${v} += ${e};`),
    fc.tuple(index4, bounded).map(([i, e]) => `x[${i}] = ${e};`),
    fc.tuple(index4, bounded).map(([i, e]) => `z[${i}] = ${e};`),
    fc.tuple(index2, index3, bounded).map(([i, j, e]) => `l[${i}, ${j}] = ${e};`),
    fc.tuple(index2, index3, bounded).map(([i, j, e]) => `g[${i}, ${j}] = ${e};`),
    fc.constantFrom(
      'x = z;',
      'z = x;',
      'z = v;',
      'c = 1 + c % 3;',
      'c = i1;',
      'x = w[ : , 1][{1, 2, 1, 2}];',
    ),
    density,
    vectorStatement,
    tie('list').map((s) => `for (i1 in 1:n) {\n${s}\n}`),
    tie('list').map((s) => `for (i1 in c:3) {\n${s}\n}`),
    tie('list').map((s) => `for (i1 in k[1]:3) { real t1 = b * 0.3;\n${s}\n}`),
    tie('list').map((s) => `{ vector[4] z2 = x; real t1; t1 = z2[1];\n${s}\n}`),
    tie('list').map((s) => `{ int turns = 0; while (turns < 2) { turns += 1;\n${s}\n} }`),
    fc
      .tuple(
        fc.constantFrom('a > 0', 'k[i1] > 1', 'c == 2', 'o[1] && x[2] < 0.3'),
        tie('list'),
        tie('list'),
      )
      .map(([t, yes, no]) => `if (${t}) {\n${yes}\n} else {\n${no}\n}`),
  ),
}));

/** The generator declares the same names again in inner scopes: each declaration gets a unique name. */
function rename(program: string): string {
  const scopes: Map<string, string>[] = [new Map()];
  const tokens =
    /[{}]|\bfor \(i1|\b(?:real|vector\[4\]|int) (?:t1|z2|turns)\b|\b(?:i1|t1|z2|turns)\b/g;
  let loopVariable: string | null = null;
  let count = 0;
  return program.replace(tokens, (token) => {
    if (token === '{') {
      const scope = new Map(scopes.at(-1));
      if (loopVariable !== null) scope.set('i1', loopVariable);
      loopVariable = null;
      scopes.push(scope);
    }
    if (token === '}') scopes.pop();
    if (token === '{' || token === '}') return token;
    const name = /\w+$/.exec(token)?.[0] ?? '';
    if (token === name) return scopes.at(-1)?.get(name) ?? name;
    const unique = `${name}_${++count}`;
    if (name === 'i1') loopVariable = unique;
    else scopes.at(-1)?.set(name, unique);
    return token.replace(name, unique);
  });
}

function programOf(statements: string): string {
  const body = `for (i1 in 1:1) { real t1 = 0.2;\n${statements}\n}`;
  return `${head}
model {${rename(`${declarations}\n${body}`)}
  target += a + b + sum(x) + dot_self(z) + sum(to_vector(l)) + sum(g[1]) + dot_self(w4[2]) + sum(square(h[2]));
  v ~ std_normal(); p ~ std_normal(); to_vector(w) ~ std_normal(); q ~ exponential(1);
}`;
}

describe('a generated program', () => {
  it('matches the density and gradient of the tape', () => {
    const numRuns = countRuns(80);
    let numRegions = 0;
    fc.assert(
      fc.property(statement.list, (statements) => {
        const source = programOf(statements);
        numRegions += countRegions(emittedText(source.replace(/data \{.*\}\n/, transformedData)));
        // Sums in a different order: the last digits of terms that cancel.
        expect(worstDifference(backEndsOf(source, data), 2)).toBeLessThan(1e-11);
      }),
      { numRuns, seed: seedOfRuns(20_261_122) },
    );
    // Most programs have a region: each has the loops of the declarations.
    expect(numRegions).toBeGreaterThan(0.9 * numRuns);
  });
});

const transformedData = `transformed data { int n = 3; vector[4] y = rep_vector(0.1, 4); array[4] int k = {2, 1, 3, 1}; matrix[3, 4] m = rep_matrix(0.1, 3, 4); array[4] int o = {1, 0, 0, 1}; }
`;
