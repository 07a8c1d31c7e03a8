/** What a solver passes on to a user's function, which it evaluates on its own tape: the arguments there, and as data. */
import { ActiveMatrix, ActiveVector, Matrix, slotAt } from '../autodiff/containers.ts';
import type { Tape } from '../autodiff/tape.ts';

export const isActiveKind = (kind: string): boolean => /[vVW]$/.test(kind);

/** Slots of everything active in `x`, in the order of {@link rebuild}. */
export function flattenSlots(kind: string, x: unknown): number[] {
  if (kind.startsWith('['))
    return (x as readonly unknown[]).flatMap((e) => flattenSlots(kind.slice(1), e));
  if (kind === 'v') return [x as number];
  const container = x as ActiveVector | ActiveMatrix;
  const n = container instanceof ActiveVector ? container.n : container.rows * container.cols;
  return Array.from({ length: n }, (_, i) => slotAt(container, i));
}

/** The same shape on another tape, with slots from `next.slot` on. */
export function rebuild(kind: string, x: unknown, next: { slot: number }): unknown {
  if (kind.startsWith('['))
    return (x as readonly unknown[]).map((e) => rebuild(kind.slice(1), e, next));
  const base = next.slot;
  if (kind === 'v') {
    next.slot += 1;
    return base;
  }
  if (x instanceof ActiveMatrix) {
    next.slot += x.rows * x.cols;
    return new ActiveMatrix(x.rows, x.cols, base);
  }
  next.slot += (x as ActiveVector).n;
  return new ActiveVector((x as ActiveVector).n, base);
}

/** Values of an active argument as data. */
export function toData(tape: Tape, kind: string, x: unknown): unknown {
  if (kind.startsWith('['))
    return (x as readonly unknown[]).map((e) => toData(tape, kind.slice(1), e));
  const values = Float64Array.from(flattenSlots(kind, x), (slot) => tape.value[slot]);
  if (kind === 'v') return values[0];
  return x instanceof ActiveMatrix ? new Matrix(x.rows, x.cols, values) : values;
}

/** Where a function takes its options: nowhere, before what it passes on, or last if at all (the old form). */
export type OptionsPlace = 'none' | 'first' | 'last or none';

/** Separates three options, if there are any, from the `count` arguments that are passed on. */
export function splitOptions<T>(
  place: OptionsPlace,
  values: readonly T[],
  count: number,
): { readonly options: readonly T[] | null; readonly handed: readonly T[] } {
  if (place === 'first') return { options: values.slice(0, 3), handed: values.slice(3) };
  if (place === 'none' || values.length <= count) return { options: null, handed: values };
  return { options: values.slice(count), handed: values.slice(0, count) };
}

export class HandedArguments {
  /** Slots of the active arguments on the outer tape, in order; none without an outer tape. */
  readonly slots: readonly number[];
  /** The values there. */
  readonly values: Float64Array;
  /** The arguments as data. */
  readonly data: readonly unknown[];
  /** The arguments on the solver's own tape. */
  readonly active: readonly unknown[];

  /** `values` start at `firstSlot` on the solver's own tape. If `outer` is null, nothing is differentiated. */
  constructor(
    kinds: readonly string[],
    handed: readonly unknown[],
    outer: Tape | null,
    firstSlot: number,
  ) {
    const isActive = (k: number) => isActiveKind(kinds[k]);
    this.slots =
      outer === null
        ? []
        : handed.flatMap((x, k) => (isActive(k) ? flattenSlots(kinds[k], x) : []));
    this.values = Float64Array.from(this.slots, (slot) => (outer as Tape).value[slot]);
    this.data = handed.map((x, k) =>
      isActive(k) && outer !== null ? toData(outer, kinds[k], x) : x,
    );
    const next = { slot: firstSlot };
    this.active = handed.map((x, k) => (isActive(k) ? rebuild(kinds[k], x, next) : x));
  }
}
