/** Data compared with the data block of a program, entry by entry, before anything runs. */

import { dataTextFault, readDataText } from '../../formats/data-text.ts';
import type { CheckResult } from '../../language/check.ts';
import { hasErrors } from '../../language/diagnostics.ts';
import type { Constraint, Declaration, Expression, SizedType } from '../../language/syntax/ast.ts';
import { isComplex } from '../../language/types/stan-type.ts';
import { columnsAsData } from '../../mapping/columns-as-data.ts';
import { itemAt } from '../../shared/items.ts';
import { evaluate, isMembers, type Known, numberAt } from './data-values.ts';

export interface DataRow {
  readonly name: string;
  /** "vector[8], at least 0", with the sizes from the data. */
  readonly wants: string;
  /** "8 numbers, −3 to 28", or what is wrong: "Entry 5 is −9: must be 0 or more". */
  readonly found: string;
  readonly isGood: boolean;
  /** What is wrong as part of a sentence: "`sigma[5]` is −9". */
  readonly fault?: string;
}

export type DataCheck =
  | { readonly state: 'no-program' }
  /** The program has errors, so its data block is not known for sure. */
  | { readonly state: 'broken-program' }
  | { readonly state: 'no-json'; readonly message: string }
  | {
      readonly state: 'checked';
      readonly rows: readonly DataRow[];
      /** Entries of the data that the program does not read. */
      readonly extra: readonly string[];
      /** Output columns, and how many are generated quantities; null when sizes are not known before the run. */
      readonly outputs: { readonly variables: number; readonly generated: number } | null;
    };

/** `fmt` of the data object: `csv` is read as runs read a table, anything else as JSON or an R dump. */
export function checkData(result: CheckResult | null, text: string, fmt = 'json'): DataCheck {
  if (result === null) return { state: 'no-program' };
  if (hasErrors(result.diagnostics)) return { state: 'broken-program' };
  if (fmt === 'csv') {
    const columns = columnsAsData(text);
    return columns.ok
      ? checkValues(result, columns.value)
      : { state: 'no-json', message: columns.error };
  }
  const read = readDataText(text);
  return read.ok
    ? checkValues(result, read.value.values)
    : { state: 'no-json', message: dataTextFault(read.error) };
}

function checkValues(result: CheckResult, data: Readonly<Record<string, unknown>>): DataCheck {
  const known: Known = new Map();
  const rows = result.program.data.map((declaration) => {
    const { name } = declaration.name;
    const row = Object.hasOwn(data, name)
      ? checkEntry(declaration, data[name], known)
      : missing(declaration, known);
    if (row.isGood && Object.hasOwn(data, name)) known.set(name, data[name]);
    return row;
  });
  const names = new Set(rows.map((row) => row.name));
  const extra = Object.keys(data).filter((name) => !names.has(name));
  return { state: 'checked', rows, extra, outputs: countOutputs(result, known) };
}

function missing(declaration: Declaration, known: Known): DataRow {
  const { name } = declaration.name;
  const wants = wantsOf(declaration, known);
  const isEmpty = !declaration.members && (sizesOf(declaration, known)?.includes(0) ?? false);
  if (isEmpty) return { name, wants, found: 'Empty, so it may be left out', isGood: true };
  return { name, wants, found: 'Missing', isGood: false, fault: `\`${name}\` is missing` };
}

/** Sizes of all dimensions, outermost first; null when one is not known yet. */
function sizesOf(declaration: SizedType, known: Known): number[] | null {
  const sizes = [...declaration.arraySizes, ...baseSizesOf(declaration)].map((size) =>
    evaluate(size, known),
  );
  return sizes.every((size) => typeof size === 'number') ? sizes : null;
}

/** `cov_matrix[n]` is n × n. */
function baseSizesOf({ type, baseSizes }: SizedType): readonly Expression[] {
  return type.base === 'matrix' && baseSizes.length === 1
    ? [...baseSizes, ...baseSizes]
    : baseSizes;
}

function wantsOf(declaration: SizedType, known: Known): string {
  const { type, constraint, arraySizes, baseSizes, members } = declaration;
  const shown = (sizes: readonly Expression[]) =>
    sizes.map((size) => plain(evaluate(size, known)) ?? '?').join(', ');
  const array = arraySizes.length > 0 ? `array[${shown(arraySizes)}] ` : '';
  const isNamed =
    constraint.kind !== 'none' &&
    constraint.kind !== 'bounds' &&
    constraint.kind !== 'offset-multiplier';
  const base = isNamed ? constraint.kind : type.base;
  if (members) return `${array}tuple(${members.map((one) => memberText(one, known)).join(', ')})`;
  const sizes = baseSizes.length > 0 ? `[${shown(baseSizes)}]` : '';
  const { lower, upper } = boundsOf(constraint);
  const bounds = [
    ...(lower ? [`at least ${boundText(lower, known)}`] : []),
    ...(upper ? [`at most ${boundText(upper, known)}`] : []),
  ];
  return [`${array}${base}${sizes}`, ...bounds].join(', ');
}

/** Null when there is none. */
function boundsOf(constraint: Constraint): {
  readonly lower: Expression | null;
  readonly upper: Expression | null;
} {
  return constraint.kind === 'bounds' ? constraint : { lower: null, upper: null };
}

/** "real (at least 0)": members are separated by commas. */
function memberText(member: SizedType, known: Known): string {
  if (member.members) return wantsOf(member, known);
  const [type = '', ...bounds] = wantsOf(member, known).split(/, (?=at )/);
  return bounds.length === 0 ? type : `${type} (${bounds.join(', ')})`;
}

function boundText(bound: Expression, known: Known): string {
  return plain(evaluate(bound, known)) ?? 'a bound of the program';
}

function plain(value: unknown): string | null {
  return typeof value === 'number' ? numberText(value) : null;
}

/** Digits unchanged, with a true minus. */
function numberText(value: number): string {
  return String(value).replace('-', '\u2212').replace('Infinity', '∞');
}

/** What is wrong at a place: indexes from 1, after the path to a member of a tuple, "[2].1". */
class Misfit {
  constructor(
    readonly indexes: readonly number[],
    readonly is: string,
    readonly mustBe: string,
    readonly path = '',
  ) {}

  /** The same, seen from the tuple that contains it. */
  within(path: string): Misfit {
    return new Misfit(this.indexes, this.is, this.mustBe, `${path}${this.path}`);
  }
}

function checkEntry(declaration: Declaration, value: unknown, known: Known): DataRow {
  const { name } = declaration.name;
  const wants = wantsOf(declaration, known);
  const leaves: Leaf[] = [];
  const misfit = misfitOf(declaration, value, { known, leaves });
  const numDims = dimsOf(declaration, known).length;
  if (misfit === null) {
    const isTuple = declaration.members !== undefined;
    return { name, wants, found: foundText(isTuple ? 1 : numDims, leaves), isGood: true };
  }
  const { indexes, is, mustBe, path } = misfit;
  const label = `${name}${path}${indexes.length === 0 ? '' : `[${indexes.join(',')}]`}`;
  const place = path === '' ? entryText(indexes) : label;
  const found = `${place === '' ? capital(is) : `${place} ${is}`}: must be ${mustBe}`;
  const fault = `\`${label}\` ${is}, the program expects ${mustBe}`;
  return { name, wants, found, isGood: false, fault };
}

function entryText(indexes: readonly number[]): string {
  if (indexes.length === 0) return '';
  return indexes.length === 1 ? `Entry ${indexes[0]}` : `Entry [${indexes.join(', ')}]`;
}

interface Checked {
  readonly known: Known;
  /** The numbers found so far; more are appended. */
  readonly leaves: Leaf[];
}

function misfitOf(declared: SizedType, value: unknown, checked: Checked): Misfit | null {
  if (declared.members) return tupleMisfit(declared, value, checked);
  const { known, leaves } = checked;
  const own: Leaf[] = [];
  const misfit =
    collect(value, dimsOf(declared, known), [], own) ??
    checkLeaves(declared, own, known) ??
    checkShapes(declared, value);
  leaves.push(...own);
  return misfit;
}

function dimsOf(declared: SizedType, known: Known): Dim[] {
  const dims = [...declared.arraySizes, ...baseSizesOf(declared)].map((size) => ({
    size: evaluate(size, known),
    name: size.kind === 'variable' ? size.name : null,
  }));
  // A complex number is its real and its imaginary part.
  return isComplex(declared.type) ? [...dims, { size: 2, name: null }] : dims;
}

/** A tuple is an object whose keys are the positions of its members: `{"1": 0.5, "2": [1, 2]}`. */
function tupleMisfit(declared: SizedType, value: unknown, checked: Checked): Misfit | null {
  const members = declared.members ?? [];
  const keys = members.map((_, i) => String(i + 1));
  const wanted = `an object with the keys ${keys.map((key) => `"${key}"`).join(', ')}`;
  const visit = (
    item: unknown,
    dims: readonly Dim[],
    indexes: readonly number[],
  ): Misfit | null => {
    const [dim, ...inner] = dims;
    if (dim !== undefined) {
      const misfit = listMisfit(item, dim, indexes);
      if (misfit !== null) return misfit;
      for (const [i, element] of (item as readonly unknown[]).entries()) {
        const inside = visit(element, inner, [...indexes, i + 1]);
        if (inside !== null) return inside;
      }
      return null;
    }
    if (!isMembers(item)) return new Misfit(indexes, isText(item), wanted);
    const missing = keys.find((key) => !Object.hasOwn(item, key));
    if (missing !== undefined) return new Misfit(indexes, `lacks member "${missing}"`, wanted);
    const extra = Object.keys(item).find((key) => !keys.includes(key));
    if (extra !== undefined) return new Misfit(indexes, `has a member "${extra}"`, wanted);
    const place = indexes.length === 0 ? '' : `[${indexes.join(',')}]`;
    for (const [i, member] of members.entries()) {
      const misfit = misfitOf(member, item[String(i + 1)], checked);
      if (misfit !== null) return misfit.within(`${place}.${i + 1}`);
    }
    return null;
  };
  return visit(value, dimsOf({ ...declared, baseSizes: [] }, checked.known), []);
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

interface Leaf {
  readonly value: number;
  readonly indexes: readonly number[];
}

const numberTexts: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '+inf': Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  '-infinity': Number.NEGATIVE_INFINITY,
};

/** A computed size, and the variable that it comes from. */
interface Dim {
  readonly size: unknown;
  readonly name: string | null;
}

/** Walks down the dimensions; `undefined` sizes are not known and match any. */
function collect(
  value: unknown,
  dims: readonly Dim[],
  indexes: readonly number[],
  leaves: Leaf[],
): Misfit | null {
  const [dim, ...inner] = dims;
  if (dim === undefined) {
    const number = typeof value === 'string' ? (numberTexts[value.toLowerCase()] ?? value) : value;
    if (typeof number !== 'number') return new Misfit(indexes, isText(value), 'a number');
    leaves.push({ value: number, indexes });
    return null;
  }
  const isEmpty = Array.isArray(value) && value.length === 0 && dims.some((one) => one.size === 0);
  const list = isEmpty ? null : listMisfit(value, dim, indexes);
  if (list !== null) return list;
  for (const [i, item] of (value as readonly unknown[]).entries()) {
    const misfit = collect(item, inner, [...indexes, i + 1], leaves);
    if (misfit !== null) return misfit;
  }
  return null;
}

/** Whether the value is a list of a dimension's size; unknown sizes match any. */
function listMisfit(value: unknown, dim: Dim, indexes: readonly number[]): Misfit | null {
  const { size, name } = dim;
  const wanted =
    typeof size === 'number' ? numberText(size) + (name === null ? '' : ` (${name})`) : null;
  if (!Array.isArray(value))
    return new Misfit(indexes, isText(value), wanted === null ? 'a list' : `a list of ${wanted}`);
  if (wanted === null || value.length === size) return null;
  const has = `has ${value.length} ${value.length === 1 ? 'entry' : 'entries'}`;
  return new Misfit(indexes, has, wanted);
}

function isText(value: unknown): string {
  if (Array.isArray(value)) return `is a list of ${value.length}`;
  if (value === null) return 'is null';
  if (typeof value === 'object') return 'is an object';
  if (typeof value === 'number') return `is ${numberText(value)}`;
  const text = JSON.stringify(value);
  return `is ${text.length > 30 ? `${text.slice(0, 29)}…` : text}`;
}

/** Whole numbers if `int` is declared, and bounds. */
function checkLeaves(
  { type, constraint }: SizedType,
  leaves: readonly Leaf[],
  known: Known,
): Misfit | null {
  const { lower, upper } = boundsOf(constraint);
  const lowest = lower && evaluate(lower, known);
  const highest = upper && evaluate(upper, known);
  for (const { value, indexes } of leaves) {
    const is = `is ${numberText(value)}`;
    if (type.base === 'int' && !Number.isInteger(value))
      return new Misfit(indexes, is, 'a whole number');
    if (type.base === 'int' && Math.abs(value) > 2147483647)
      return new Misfit(indexes, is, 'between −2147483647 and 2147483647');
    const low = numberAt(lowest, indexes);
    if (low !== null && !(value >= low))
      return new Misfit(indexes, is, `${numberText(low)} or more`);
    const high = numberAt(highest, indexes);
    if (high !== null && !(value <= high))
      return new Misfit(indexes, is, `${numberText(high)} or less`);
  }
  return null;
}

/** Constraints of named vector types, at the tolerance that runs use. */
const tolerance = 1e-8;
const vectorRules: Readonly<Record<string, (v: readonly number[]) => string | null>> = {
  simplex: (v) =>
    v.some((x) => !(x >= 0))
      ? '0 or more in each entry'
      : Math.abs(sum(v) - 1) <= tolerance
        ? null
        : 'entries that sum to 1',
  unit_vector: (v) => (Math.abs(sum(v.map((x) => x * x)) - 1) <= tolerance ? null : 'of length 1'),
  sum_to_zero_vector: (v) => (Math.abs(sum(v)) <= tolerance ? null : 'entries that sum to 0'),
  ordered: (v) =>
    v.every((x, i) => i === 0 || x > itemAt(v, i - 1)) ? null : 'in ascending order',
  positive_ordered: (v) =>
    v.every((x, i) => x > (v[i - 1] ?? 0)) ? null : 'positive and in ascending order',
};

/** The name of the violated rule in a message: "is not ordered". */
const shapeNames: Readonly<Record<string, string>> = {
  simplex: 'a simplex',
  unit_vector: 'a unit vector',
  sum_to_zero_vector: 'a sum-to-zero vector',
  ordered: 'ordered',
  positive_ordered: 'positive and ordered',
};

const sum = (v: readonly number[]) => v.reduce((total, x) => total + x, 0);

function checkShapes({ constraint, arraySizes }: SizedType, value: unknown): Misfit | null {
  const rule = vectorRules[constraint.kind];
  if (rule === undefined) return null;
  const visit = (item: unknown, depth: number, indexes: readonly number[]): Misfit | null => {
    if (depth === 0) {
      const mustBe = rule(item as number[]);
      return mustBe === null
        ? null
        : new Misfit(indexes, `is not ${shapeNames[constraint.kind]}`, mustBe);
    }
    for (const [i, inner] of (item as unknown[]).entries()) {
      const misfit = visit(inner, depth - 1, [...indexes, i + 1]);
      if (misfit !== null) return misfit;
    }
    return null;
  };
  return visit(value, arraySizes.length, []);
}

function foundText(numDims: number, leaves: readonly Leaf[]): string {
  if (numDims === 0) return numberText(itemAt(leaves, 0).value);
  const count = leaves.length === 1 ? '1 number' : `${leaves.length} numbers`;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { value } of leaves) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min > max) return count;
  return min === max
    ? `${count}, all ${numberText(min)}`
    : `${count}, ${shortText(min)} to ${shortText(max)}`;
}

/** Whole numbers as they are, others to six digits: enough to recognise a range. */
function shortText(value: number): string {
  return numberText(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
}

/** How many numbers a declared variable contains; null when a size is not known. */
function countOf(declared: SizedType, known: Known): number | null {
  const sizes = sizesOf(declared, known);
  if (sizes === null) return null;
  const own = sizes.reduce((n, size) => n * size, 1);
  if (isComplex(declared.type)) return 2 * own;
  if (!declared.members) return own;
  const members = declared.members.map((member) => countOf(member, known));
  return members.includes(null) ? null : own * sum(members.map(Number));
}

function countOutputs(
  { program }: CheckResult,
  known: Known,
): { variables: number; generated: number } | null {
  const count = (statements: readonly { readonly kind: string }[]): number | null => {
    const sizes = statements
      .filter(({ kind }) => kind === 'declaration')
      .map((declaration) => countOf(declaration as Declaration, known));
    return sizes.includes(null) ? null : sum(sizes.map(Number));
  };
  const model = [count(program.parameters), count(program.transformedParameters)];
  const generated = count(program.generatedQuantities);
  if (generated === null || model.some((n) => n === null)) return null;
  return { variables: sum(model as number[]), generated };
}
