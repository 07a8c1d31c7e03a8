/** Arguments of any kind (see autodiff/containers.ts) as terms, and terms as results. */
import { ActiveMatrix, ActiveVector, Matrix, slotAt } from '../autodiff/containers.ts';
import { ShapeError } from '../errors.ts';
import { type Algebra, number, type Term } from './algebra.ts';

/** Elements in column-major order; a scalar has one. */
export interface TermContainer {
  readonly shape: 'scalar' | 'vector' | 'matrix';
  readonly rows: number;
  readonly cols: number;
  readonly terms: readonly Term[];
  /** The elements of an array of containers; `terms` are those of all of them. */
  readonly items?: readonly TermContainer[];
}

/** The elements of an array; otherwise the one container. */
export const itemsOf = (x: TermContainer): readonly TermContainer[] => x.items ?? [x];

export function openOperand(m: Algebra, kind: string, x: unknown): TermContainer {
  if (kind.startsWith('[')) {
    const items = (x as unknown[]).map((item) => openOperand(m, kind.slice(1), item));
    return { ...vectorOf(items.flatMap(({ terms }) => terms)), items };
  }
  if (kind === 'i' || kind === 'r') return scalarOf(number(x as number));
  if (kind === 'v') return scalarOf(m.at(x as number));
  if (x instanceof Matrix)
    return { shape: 'matrix', rows: x.rows, cols: x.cols, terms: Array.from(x.data, number) };
  if (x instanceof ActiveMatrix)
    return { shape: 'matrix', rows: x.rows, cols: x.cols, terms: read(m, x, x.rows * x.cols) };
  if (x instanceof ActiveVector) return vectorOf(read(m, x, x.n));
  return vectorOf(Array.from(x as Float64Array, number));
}

const read = (m: Algebra, x: ActiveVector | ActiveMatrix, n: number): Term[] =>
  Array.from({ length: n }, (_, i) => m.at(slotAt(x, i)));

export const scalarOf = (term: Term): TermContainer => ({
  shape: 'scalar',
  rows: 1,
  cols: 1,
  terms: [term],
});

export const vectorOf = (terms: readonly Term[]): TermContainer => ({
  shape: 'vector',
  rows: terms.length,
  cols: 1,
  terms,
});

export const matrixOf = (rows: number, cols: number, terms: readonly Term[]): TermContainer => ({
  shape: 'matrix',
  rows,
  cols,
  terms,
});

/** A slot, an active vector, an active matrix, or an array of these. */
export type Closed = number | ActiveVector | ActiveMatrix | Closed[];

export function close(m: Algebra, x: TermContainer): Closed {
  if (x.items !== undefined) return closeItems(m, x.items, x.terms);
  if (x.shape === 'scalar') return m.slotOf(x.terms[0]);
  const slots = Int32Array.from(x.terms, (term) => m.slotOf(term));
  if (x.shape === 'vector') return new ActiveVector(slots.length, 0, slots);
  return new ActiveMatrix(x.rows, x.cols, 0, slots);
}

/** Terms in the shapes of the items. */
function closeItems(m: Algebra, items: readonly TermContainer[], terms: readonly Term[]): Closed[] {
  let at = 0;
  return items.map((item) => {
    at += item.terms.length;
    return close(m, { ...item, terms: terms.slice(at - item.terms.length, at) });
  });
}

/** The container whose shape they all share; a scalar is repeated for each of its elements. */
export function commonShape(name: string, operands: readonly TermContainer[]): TermContainer {
  const first = operands.find(({ shape }) => shape !== 'scalar') ?? operands[0];
  for (const { shape, terms } of operands) {
    if (shape !== 'scalar' && terms.length !== first.terms.length)
      throw new ShapeError(
        `${name}: containers of ${first.terms.length} and ${terms.length} elements do not fit together`,
      );
  }
  return first;
}

export const elementOf = ({ shape, terms }: TermContainer, i: number): Term =>
  shape === 'scalar' ? terms[0] : terms[i];
