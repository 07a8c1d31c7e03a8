/** Chooses what a call or operator means: sizes, densities, random draws, and functions that depend on orientation. */
import { isMixed } from '../types/signatures/mixed.ts';
import type { StanType } from '../types/stan-type.ts';
import type { IrExpression } from './ir.ts';
import { intType, isScalar, realType } from './kinds.ts';

const densitySuffix = /_(lpdf|lpmf|lupdf|lupmf|lcdf|lccdf|cdf)(_unnorm)?$/;
const droppingSuffix = /_lup(df|mf)$/;

/** The library's name for a density: `_lupdf` is `_lpdf` that may drop constants. */
export function densityName(name: string): { name: string; propto: boolean } {
  return { name: name.replace(/_lup(df|mf)$/, '_lp$1'), propto: droppingSuffix.test(name) };
}

/** A library function or operator on lowered arguments; for `<kind>_jacobian`, the Jacobian flag is the first. */
export function lowerOperation(
  name: string,
  args: readonly IrExpression[],
  type: StanType,
): IrExpression {
  if (name.endsWith('_rng')) return { op: 'random', name, arguments: args, type };
  if (isMixed(name)) return { op: 'mixed', name, arguments: args, type };
  if (densitySuffix.test(name)) {
    return { op: 'density', ...densityName(name), arguments: args, type };
  }
  if (args.length === 0 && Object.hasOwn(constants, name))
    return { op: 'real', value: constants[name], type };
  const meant = lowerMeasure(name, args, type) ?? lowerByShape(name, args, type);
  if (meant !== null) return meant;
  if (name === 'plus' || isTransposeOfVector(name, args)) return { ...args[0], type };
  return { op: 'call', name: orientedName(name, args), arguments: args, type };
}

/** Functions without arguments. */
const constants: Readonly<Record<string, number>> = {
  pi: Math.PI,
  e: Math.E,
  sqrt2: Math.SQRT2,
  log2: Math.LN2,
  log10: Math.LN10,
  not_a_number: Number.NaN,
  positive_infinity: Number.POSITIVE_INFINITY,
  negative_infinity: Number.NEGATIVE_INFINITY,
  machine_precision: Number.EPSILON,
};

function isTransposeOfVector(name: string, args: readonly IrExpression[]): boolean {
  return name === 'transpose' && args[0].type.base !== 'matrix';
}

function lowerMeasure(
  name: string,
  args: readonly IrExpression[],
  type: StanType,
): IrExpression | null {
  const [operand] = args;
  const one: IrExpression = { op: 'int', value: 1, type: intType };
  const measure = (what: 'length' | 'rows' | 'cols' | 'elements' | 'dims'): IrExpression => ({
    op: 'measure',
    what,
    operand,
    type,
  });
  const plain = operand.type.arrayDepth === 0 ? operand.type.base : 'array';
  switch (name) {
    case 'dims':
      if (plain === 'int' || plain === 'real') return { op: 'list', elements: [], type };
      return measure('dims');
    case 'size':
      if (plain === 'int' || plain === 'real') return one;
      return measure(plain === 'matrix' ? 'elements' : 'length');
    case 'num_elements':
      return measure('elements');
    case 'rows':
      return plain === 'row_vector' ? one : measure(plain === 'matrix' ? 'rows' : 'length');
    case 'cols':
      return plain === 'vector' ? one : measure(plain === 'matrix' ? 'cols' : 'length');
    default:
      return null;
  }
}

/** Functions of vectors that are the same as other functions. */
function lowerByShape(
  name: string,
  args: readonly IrExpression[],
  type: StanType,
): IrExpression | null {
  const [first] = args;
  if (name === 'fma' && args.some((argument) => !isScalar(argument.type))) {
    const product = lowerOperation('elt_multiply', args.slice(0, 2), productType(args));
    return lowerOperation('add', [product, args[2]], type);
  }
  const dots = /^(rows|columns)_dot_(product|self)$/.exec(name);
  if (!dots || first.type.base === 'matrix') return null;
  const along = dots[1] === 'rows' ? 'vector' : 'row_vector';
  if (first.type.base === along) {
    const square = dots[2] === 'self';
    return lowerOperation(square ? 'square' : 'elt_multiply', args, type);
  }
  const whole = lowerOperation(`dot_${dots[2]}`, args, realType);
  const one: IrExpression = { op: 'int', value: 1, type: intType };
  return lowerOperation(`rep_${along}`, [whole, one], type);
}

function productType([a, b]: readonly IrExpression[]): StanType {
  return isScalar(a.type) ? (isScalar(b.type) ? realType : b.type) : a.type;
}

/** Vectors and row vectors are one kind at run time; where they differ, the name says which. */
function orientedName(name: string, args: readonly IrExpression[]): string {
  const shapes = args.map(({ type }) => (type.arrayDepth > 0 ? 'array' : type.base)).join(' ');
  switch (`${name} ${shapes}`) {
    case 'multiply row_vector vector':
      return 'dot_product';
    case 'multiply vector row_vector':
      return '$outer_product';
    case 'append_row row_vector row_vector':
      return '$stack_rows';
    case 'append_col vector vector':
      return '$stack_columns';
    case 'rep_matrix row_vector int':
      return '$rep_rows';
    case 'to_matrix vector':
      return '$column_matrix';
    case 'to_matrix row_vector':
      return '$row_matrix';
    default:
      return divisionName(name, args);
  }
}

/** `a / M` solves. */
function divisionName(name: string, args: readonly IrExpression[]): string {
  const solves = name === 'divide' && args[1].type.base === 'matrix' && !isScalar(args[0].type);
  return solves ? 'mdivide_right' : name;
}
