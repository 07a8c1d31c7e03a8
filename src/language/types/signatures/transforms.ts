/**
 * Constraining transforms as functions: `<kind>_constrain` and its inverse `<kind>_unconstrain`, and `<kind>_jacobian`, which
 * is `<kind>_constrain` and adds the log Jacobian determinant to the target.
 */

/** `T` and arrays of it with up to three dimensions. */
const nested = (type: string): string[] =>
  type.endsWith('[]')
    ? [type, 'real[,]', 'real[,,]', 'real[,,,]']
    : [type, `${type}[]`, `${type}[,]`, `${type}[,,]`];

const containers = ['vector', 'row_vector', 'matrix', 'real[]'].flatMap(nested);

/** All three functions of each kind. */
const allOf = (...kinds: readonly string[]): string =>
  kinds
    .flatMap((kind) => ['constrain', 'unconstrain', 'jacobian'].map((name) => `${kind}_${name}`))
    .join(' ');

/** Bounds are scalars or like the value. */
const ofElements = ['real', ...containers].flatMap((type) => {
  const bound = type === 'real' ? type : `real|${type}`;
  return [
    `${allOf('lower_bound', 'upper_bound')}(${type}, ${bound}) -> ${type}`,
    `${allOf('lower_upper_bound', 'offset_multiplier')}(${type}, ${bound}, ${bound}) -> ${type}`,
  ];
});

const inPlace = (kinds: readonly string[], type: string): string[] =>
  nested(type).map((one) => `${allOf(...kinds)}(${one}) -> ${one}`);

/** `vector` and `matrix`, and arrays of both. */
const matrixPairs = nested('vector').map((vector, i) => [vector, nested('matrix')[i]] as const);

const ofMatrices = matrixPairs.flatMap(([vector, matrix]) => [
  ...['cholesky_factor_corr', 'corr_matrix', 'cov_matrix'].flatMap((kind) => [
    `${kind}_constrain ${kind}_jacobian(${vector}, int) -> ${matrix}`,
    `${kind}_unconstrain(${matrix}) -> ${vector}`,
  ]),
  `cholesky_factor_cov_constrain cholesky_factor_cov_jacobian(${vector}, int, int) -> ${matrix}`,
  `cholesky_factor_cov_unconstrain(${matrix}) -> ${vector}`,
]);

export const transforms = [
  ...ofElements,
  ...inPlace(['ordered', 'positive_ordered', 'simplex', 'unit_vector', 'sum_to_zero'], 'vector'),
  ...inPlace(['sum_to_zero', 'stochastic_column', 'stochastic_row'], 'matrix'),
  ...ofMatrices,
].join('\n');
