/**
 * Functions of complex numbers as functions of the language: what calls of them are lowered to. Branch cuts and signed
 * zeros are those of C99, which Stan follows; inverse functions are those of Kahan (1987), "Branch cuts for complex
 * elementary functions".
 */
import { checkProgram } from '../check.ts';
import { hasErrors } from '../diagnostics.ts';
import type { FunctionDefinition } from '../syntax/ast.ts';
import { printType } from '../syntax/printer.ts';
import { isSameType, numDimensions, realPartOf, type StanType } from '../types/stan-type.ts';
import { InternalCompilerError } from './scope.ts';

/**
 * Bodies of functions of `z = a + bi`, and of `w = c + di` if they take two. They return only at their end, so that loops
 * that call them can be differentiated at compile time.
 */
const scalars: Readonly<Record<string, string>> = {
  // Smith (1962), "Algorithm 116: Complex division"
  divide: `
    real x = a / c;
    real y = b / c;
    if (abs(c) < abs(d)) {
      real r = c / d;
      real t = c * r + d;
      x = (a * r + b) / t;
      y = (b * r - a) / t;
    } else if (d != 0) {
      real r = d / c;
      real t = c + d * r;
      x = (a + b * r) / t;
      y = (b - a * r) / t;
    }
    return to_complex(x, y);`,
  pow: `
    complex v = c == 0 && d == 0 ? 1 : 0;
    if (a != 0 || b != 0) v = exp(w * log(z));
    return v;`,
  exp: `
    real r = exp(a);
    real y = r * sin(b);
    if (b == 0 && 1 / r == 0) y = b;
    return to_complex(r * cos(b), y);`,
  log: 'return to_complex(log(hypot(a, b)), atan2(b, a));',
  log10: 'return to_complex(log10(hypot(a, b)), atan2(b, a) / log(10));',
  sqrt: `
    real x = 0;
    real y = b;
    if (a != 0 || b != 0) {
      real t = sqrt(0.5 * (abs(a) + hypot(a, b)));
      x = t;
      y = b / (2 * t);
      if (a < 0) {
        x = y;
        y = t;
        if (b < 0 || (b == 0 && 1 / b < 0)) {
          x = -x;
          y = -t;
        }
      }
    }
    return to_complex(x, y);`,
  sin: 'return to_complex(sin(a) * cosh(b), cos(a) * sinh(b));',
  cos: 'return to_complex(cos(a) * cosh(b), -sin(a) * sinh(b));',
  tan: `
    real t = tan(a);
    real h = tanh(b);
    real n = 1 + square(t * h);
    return to_complex(t * inv_square(cosh(b)) / n, h * (1 + square(t)) / n);`,
  sinh: 'return to_complex(sinh(a) * cos(b), cosh(a) * sin(b));',
  cosh: 'return to_complex(cosh(a) * cos(b), sinh(a) * sin(b));',
  tanh: `
    real t = tan(b);
    real h = tanh(a);
    real n = 1 + square(t * h);
    return to_complex(h * (1 + square(t)) / n, t * inv_square(cosh(a)) / n);`,
  asin: `
    complex p = sqrt(1 - z);
    complex q = sqrt(1 + z);
    return to_complex(atan2(a, get_real(p * q)), asinh(get_imag(conj(p) * q)));`,
  acos: `
    complex p = sqrt(1 - z);
    complex q = sqrt(1 + z);
    return to_complex(2 * atan2(get_real(p), get_real(q)), asinh(get_imag(conj(q) * p)));`,
  atan: `
    complex w = atanh(to_complex(-b, a));
    return to_complex(get_imag(w), -get_real(w));`,
  asinh: `
    complex w = asin(to_complex(-b, a));
    return to_complex(get_imag(w), -get_real(w));`,
  acosh: `
    complex p = sqrt(z - 1);
    complex q = sqrt(z + 1);
    return to_complex(asinh(get_real(conj(p) * q)), 2 * atan2(get_imag(p), get_real(q)));`,
  atanh: `
    real x = a;
    real y = b;
    if (a < 0) {
      x = -a;
      y = -b;
    }
    real p = 0.25 * log1p(4 * x / (square(1 - x) + square(y)));
    real q = 0.5 * atan2(2 * y, (1 - x) * (1 + x) - square(y));
    if (a < 0) {
      p = -p;
      q = -q;
    }
    return to_complex(p, q);`,
  proj: `
    real x = a;
    real y = b;
    if (is_inf(a) || is_inf(b)) {
      x = positive_infinity();
      y = b > 0 || 1 / b > 0 ? 0.0 : -0.0;
    }
    return to_complex(x, y);`,
};

const withTwo: ReadonlySet<string> = new Set(['divide', 'pow']);

/** Functions of entire containers. */
const containers: Readonly<Record<string, string>> = {
  prod: `complex complex_prod(array[] complex x) {
    complex y = 1;
    for (i in 1:size(x)) y *= x[i];
    return y;
  }`,
  symmetrize_from_lower_tri: `complex_matrix complex_symmetrize_from_lower_tri(complex_matrix x) {
    complex_matrix[rows(x), cols(x)] y = x;
    for (j in 2:cols(x)) {
      for (i in 1:j - 1) y[i, j] = conj(x[j, i]);
    }
    return y;
  }`,
  // x b = a as a system of twice the size, with real parts next to imaginary ones
  mdivide_right: `complex_matrix complex_mdivide_right(complex_matrix a, complex_matrix b) {
    int n = rows(b);
    matrix[2 * n, 2 * n] whole = append_row(
      append_col(get_real(b), get_imag(b)),
      append_col(-get_imag(b), get_real(b))
    );
    matrix[rows(a), 2 * n] x = append_col(get_real(a), get_imag(a)) / whole;
    return to_complex(x[ : , 1 : n], x[ : , n + 1 : 2 * n]);
  }`,
  'mdivide_right complex_row_vector': `complex_row_vector complex_mdivide_right(complex_row_vector a, complex_matrix b) {
    return (to_matrix(a) / b)[1];
  }`,
};

/** What the function does to each element of containers. */
const ofElements: Readonly<Record<string, (x: string, y: string) => string>> = {
  divide: (x, y) => `${x} / ${y}`,
  elt_divide: (x, y) => `${x} / ${y}`,
  pow: (x, y) => `pow(${x}, ${y})`,
  to_complex: (x, y) => `to_complex(${x}, ${y})`,
};

const read = new Map<string, FunctionDefinition>();

/** The checked function for arguments of these types; the same one for the same types. */
export function complexFunction(
  name: string,
  types: readonly StanType[],
  result: StanType,
): FunctionDefinition {
  const text = textOf(name, types, result);
  const known = read.get(text);
  if (known) return known;
  const { program, diagnostics } = checkProgram(`functions {\n${text}\n}`);
  if (hasErrors(diagnostics)) throw new InternalCompilerError(`${name} of complex numbers`);
  const [definition] = program.functions;
  read.set(text, definition);
  return definition;
}

function textOf(name: string, types: readonly StanType[], result: StanType): string {
  if (types.some((type) => numDimensions(type) > 0)) {
    const own = containers[`${name} ${types[0].base}`] ?? containers[name];
    return own ?? elementwiseText(name, types, result);
  }
  const second = withTwo.has(name);
  return `complex complex_${name}(complex z${second ? ', complex w' : ''}) {
    real a = get_real(z);
    real b = get_imag(z);
    ${second ? 'real c = get_real(w); real d = get_imag(w);' : ''}
    ${scalars[name]}
  }`;
}

/** Loops over all dimensions of the result. */
function elementwiseText(name: string, types: readonly StanType[], result: StanType): string {
  const names = ['x', 'y'];
  const rank = numDimensions(result);
  const isWhole = types.map((type) => numDimensions(type) === rank);
  const indexes = Array.from({ length: rank }, (_, k) => `i${k + 1}`);
  const sizes = indexes.map((_, k) => `n[${k + 1}]`);
  const place = `[${indexes.join(', ')}]`;
  const [x, y] = names.map((operand, k) => (isWhole[k] ? `${operand}${place}` : operand));
  const inner = sizes.slice(result.arrayDepth);
  const array =
    result.arrayDepth > 0 ? `array[${sizes.slice(0, result.arrayDepth).join(', ')}] ` : '';
  const declared = `${array}${result.base}${inner.length > 0 ? `[${inner.join(', ')}]` : ''}`;
  const loops = indexes.map((i, k) => `for (${i} in 1:${sizes[k]})`).join(' ');
  const parameters = types.map((type, k) => `${printType(type)} ${names[k]}`).join(', ');
  const check = isWhole.every(Boolean)
    ? `for (k in 1:${rank}) {
        if (dims(y)[k] != n[k]) reject("${name}: sizes are ", n, " and ", dims(y), ", but must match");
      }`
    : '';
  return `${printType(result)} complex_${name}(${parameters}) {
    array[${rank}] int n = dims(${names[isWhole.indexOf(true)]});
    ${check}
    ${declared} out;
    ${loops} out${place} = ${ofElements[name](x, y)};
    return out;
  }`;
}

/** Whether the types have one shape, so that nothing is repeated. */
export function areAlike([first, ...rest]: readonly StanType[]): boolean {
  return rest.every((type) => isSameType(realPartOf(type), realPartOf(first)));
}
