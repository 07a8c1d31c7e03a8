/** Parameters: from the unconstrained vector to declared values, on the tape or as data, and back. */
import type { IrConstraint, IrExpression, IrVariable } from '../lower/ir.ts';
import { isActiveKind, isContainerKind, isScalar, type Kind, kindOf } from '../lower/kinds.ts';
import { type Code, emitExpression } from './emit-expression.ts';
import { freeSize, transformOf } from './emit-sizes.ts';
import { emitLocation, type Frame } from './frame.ts';
import { type ParameterLayout, sizesOf } from './parameter-layout.ts';
import { quote, type Writer } from './printer.ts';
import { variableName } from './unit.ts';

/** Constants of sizes and offsets; `size` counts the free values. */
export function emitLayout(frame: Frame, out: Writer, layout: ParameterLayout): void {
  const { declaration, offset, each, total, arraySizes, baseSizes } = layout;
  emitLocation(frame, out, declaration.location);
  const sizes = [...declaration.arraySizes, ...declaration.baseSizes];
  const label = quote(declaration.variable.name);
  sizesOf(layout).forEach((name, i) => {
    if (/^\d/.test(name)) return;
    const size = emitExpression(frame, sizes[i]).text;
    out.line(`const ${name} = ${frame.unit.use('$size')}(${size}, ${label});`);
  });
  const numFree = freeSize(declaration, baseSizes);
  if (each !== numFree) out.line(`const ${each} = ${numFree};`);
  const factors = [...arraySizes, each].filter((factor) => factor !== '1');
  if (total !== each) out.line(`const ${total} = ${factors.join(' * ') || '1'};`);
  out.line(`const ${offset} = size;`);
  out.line(`size += ${total};`);
}

/** The parameter's value as one expression: from slots when the frame has a tape, otherwise from `theta`. */
export function emitParameter(frame: Frame, layout: ParameterLayout): string {
  return layout.elementwise ? emitElementwise(frame, layout) : emitStructured(frame, layout);
}

function emitElementwise(frame: Frame, layout: ParameterLayout): string {
  const { type } = layout.declaration.variable;
  if (isScalar(type)) {
    const free = frame.hasTape ? `${layout.offset} + 1` : `theta[${layout.offset}]`;
    return constrainText(frame, layout, { text: free, kind: frame.hasTape ? 'v' : 'r' });
  }
  const free = inputs(frame, layout.total, layout.offset);
  const flat = constrainText(frame, layout, { text: free, kind: frame.hasTape ? 'V' : 'R' });
  const kind = kindOf(type, frame.hasTape);
  if (kind === 'V' || kind === 'R') return flat;
  return `${frame.unit.use('$reshape')}(${flat}, [${sizesOf(layout).join(', ')}], ${quote(kind)})`;
}

/** `n` free values from `first` on. */
function inputs(frame: Frame, n: string, first: string): string {
  return frame.hasTape
    ? `${frame.unit.use('$inputs')}(${n}, ${first} + 1)`
    : `theta.slice(${first}, ${first} + ${n})`;
}

const tapeAndSink = (frame: Frame) => (frame.hasTape ? 'tape, jacobians' : 'null, null');

function constrainText(frame: Frame, layout: ParameterLayout, free: Code): string {
  const { constraint } = layout.declaration;
  const transform = transformOf(constraint);
  if (transform === null) return free.text;
  const bounds = emitBounds(frame, layout);
  const kinds = quote([free, ...bounds].map((code) => code.kind).join(''));
  const texts = [kinds, free.text, ...bounds.map((code) => code.text)];
  return `${frame.unit.use(`$constrain_${transform}`)}(${tapeAndSink(frame)}, ${texts.join(', ')})`;
}

const zero: IrExpression = { op: 'int', value: 0, type: { base: 'int', arrayDepth: 0 } };
const one: IrExpression = { ...zero, value: 1 };

function boundsOf(constraint: IrConstraint): IrExpression[] {
  if (constraint.kind === 'bounds') {
    return [constraint.lower, constraint.upper].filter((bound) => bound !== null);
  }
  if (constraint.kind !== 'offset-multiplier') return [];
  return [constraint.offset ?? zero, constraint.multiplier ?? one];
}

/** Bounds as scalars or as vectors with one entry for each free value. */
function emitBounds(frame: Frame, layout: ParameterLayout): Code[] {
  const { variable, constraint } = layout.declaration;
  const { unit } = frame;
  return boundsOf(constraint).map((bound) => {
    const code = emitExpression(frame, bound);
    if (!isContainerKind(code.kind)) return code;
    const kind: Kind = isActiveKind(code.kind) ? 'V' : 'R';
    const flat = code.kind === kind ? code.text : `${unit.use(`$leaves_${kind}`)}(${code.text})`;
    if (bound.type.arrayDepth === variable.type.arrayDepth) return { text: flat, kind };
    // The number of copies for the dimensions that the bound lacks.
    const outer = variable.type.arrayDepth - bound.type.arrayDepth;
    const count = layout.arraySizes.slice(0, outer).join(' * ');
    return { text: `${unit.use('$tile')}(${flat}, ${count})`, kind };
  });
}

function emitStructured(frame: Frame, layout: ParameterLayout): string {
  if (layout.arraySizes.length === 0) return structuredElement(frame, layout, layout.offset);
  const k = frame.unit.temporary();
  const first = `${layout.offset} + ${k} * ${layout.each}`;
  const element = structuredElement(frame, layout, first);
  return `${frame.unit.use('$array')}([${layout.arraySizes.join(', ')}], (${k}) => ${element})`;
}

/** One constrained vector or matrix whose free values start at `first`. */
function structuredElement(frame: Frame, layout: ParameterLayout, first: string): string {
  const { constraint } = layout.declaration;
  const [rows, cols] = layout.baseSizes;
  if (constraint.kind === 'column_stochastic_matrix') {
    return stochasticColumns(frame, first, rows, cols);
  }
  if (constraint.kind === 'row_stochastic_matrix') {
    const transposed = stochasticColumns(frame, first, cols, rows);
    return frame.hasTape
      ? `${frame.unit.use('transpose__W')}(tape, ${transposed})`
      : `${frame.unit.use('transpose__M')}(${transposed})`;
  }
  if (constraint.kind === 'sum_to_zero_matrix') {
    const kind = quote(frame.hasTape ? 'W' : 'M');
    const flat = inputs(frame, layout.each, first);
    const shape = `[Math.max(0, ${rows} - 1), Math.max(0, ${cols} - 1)]`;
    const free = `${frame.unit.use('$reshape')}(${flat}, ${shape}, ${kind})`;
    return `${frame.unit.use('sum_to_zero_constrain')}(${tapeAndSink(frame)}, [${kind}], ${free})`;
  }
  const sizes = constraint.kind === 'cholesky_factor_cov' ? [rows, cols] : [rows];
  const kinds = quote(`${frame.hasTape ? 'V' : 'R'}${'i'.repeat(sizes.length)}`);
  const free = inputs(frame, layout.each, first);
  const transform = frame.unit.use(`$constrain_${transformOf(constraint)}`);
  return `${transform}(${[tapeAndSink(frame), kinds, free, ...sizes].join(', ')})`;
}

function stochasticColumns(frame: Frame, first: string, rows: string, cols: string): string {
  const { unit } = frame;
  const j = unit.temporary();
  const free = inputs(frame, `(${rows} - 1)`, `${first} + ${j} * (${rows} - 1)`);
  const kinds = quote(frame.hasTape ? 'Vi' : 'Ri');
  const column = `${unit.use('$constrain_simplex')}(${[tapeAndSink(frame), kinds, free, rows].join(', ')})`;
  return `${unit.use('$matrix_of_columns')}(${rows}, ${cols}, (${j}) => ${column})`;
}

// ---------------------------------------------------------------- back to unconstrained values

/** Declares the parameter from `inits` if it is named there (writing `theta`), otherwise from `theta`. */
export function emitUnconstrain(frame: Frame, out: Writer, layout: ParameterLayout): void {
  const { variable, location } = layout.declaration;
  const { unit } = frame;
  const name = variableName(variable);
  const label = quote(variable.name);
  emitLocation(frame, out, location);
  out.line(`let ${name};`);
  const root = quote(variable.tuple?.name ?? variable.name);
  out.block(`if (${unit.use('$has')}(inits, ${root}))`, () => {
    const declared = readText(variable, sizesOf(layout));
    out.line(`${name} = ${unit.use('$read')}(inits, ${declared});`);
    out.line(`${unit.use('$freeing')}(${label}, () => ${emitFree(frame, layout, name)});`);
  });
  out.block('else', () => out.line(`${name} = ${emitParameter(frame, layout)};`));
}

/** What `$read` needs to find and check a variable, or a leaf of a tuple: the object `Declared` of data-check.ts. */
export function readText(variable: IrVariable, sizes: readonly string[]): string {
  const { name, type, tuple } = variable;
  const kind = quote(kindOf(type, false));
  const steps = tuple
    ? `, label: ${quote(name)}, steps: [${tuple.steps.map(({ dims, position, count }) => `[${dims}, ${position}, ${count}]`).join(', ')}]`
    : '';
  const part = tuple?.part ? `, part: ${quote(tuple.part)}` : '';
  return `{ name: ${quote(tuple?.name ?? name)}, kind: ${kind}, sizes: [${sizes.join(', ')}]${steps}${part} }`;
}

/** Writes the free values of `value` into `theta`. */
function emitFree(frame: Frame, layout: ParameterLayout, value: string): string {
  const { unit } = frame;
  const { constraint, variable } = layout.declaration;
  const transform = transformOf(constraint);
  if (layout.elementwise) {
    const scalar = isScalar(variable.type);
    const flat = scalar ? value : `${unit.use('$leaves_R')}(${value})`;
    const bounds = emitBounds(frame, layout).map((code) => code.text);
    const free = transform
      ? `${unit.use(`$free_${transform}`)}(${[flat, ...bounds].join(', ')})`
      : flat;
    return scalar
      ? `{ theta[${layout.offset}] = ${free}; }`
      : `theta.set(${free}, ${layout.offset})`;
  }
  const element = unit.temporary();
  const first = unit.temporary();
  const free = freeElement(frame, layout, element, first);
  const depth = layout.arraySizes.length;
  const k = unit.temporary();
  return `{ let ${k} = 0; ${unit.use('$each')}(${value}, ${depth}, (${element}) => { const ${first} = ${layout.offset} + ${k}++ * ${layout.each}; ${free} }); }`;
}

function freeElement(
  frame: Frame,
  layout: ParameterLayout,
  element: string,
  first: string,
): string {
  const { unit } = frame;
  const { constraint } = layout.declaration;
  const [rows, cols] = layout.baseSizes;
  const columns = (matrix: string, n: string, count: string) => {
    const j = unit.temporary();
    const column = `${unit.use('$column_M')}(${matrix}, ${j} + 1, "")`;
    const free = `${unit.use('$free_simplex')}(${column})`;
    return `for (let ${j} = 0; ${j} < ${count}; ${j}++) theta.set(${free}, ${first} + ${j} * (${n} - 1));`;
  };
  if (constraint.kind === 'column_stochastic_matrix') return columns(element, rows, cols);
  if (constraint.kind === 'row_stochastic_matrix') {
    return columns(`${unit.use('transpose__M')}(${element})`, cols, rows);
  }
  if (constraint.kind === 'sum_to_zero_matrix') {
    const free = `${unit.use('sum_to_zero_unconstrain')}(null, null, ["M"], ${element})`;
    return `theta.set(${free}.data, ${first});`;
  }
  return `theta.set(${unit.use(`$free_${transformOf(constraint)}`)}(${element}), ${first});`;
}
