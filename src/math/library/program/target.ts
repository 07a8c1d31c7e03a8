/** The log density while a program runs: a list of terms that becomes one row of the tape. */
import { ActiveMatrix, ActiveVector, Matrix } from '../../autodiff/containers.ts';
import { Tape } from '../../autodiff/tape.ts';
import { SettledOutcomes } from '../../distributions/settled-outcomes.ts';
import { SettledRegression } from '../../distributions/settled-regression.ts';
import { leavesOf } from '../families/conversion.ts';
import type { LibraryPart } from '../machinery/implementation.ts';
import type { Container } from '../machinery/memory.ts';

/** Constraining transforms also add log |Jacobian| here. */
class Target {
  private slots = new Int32Array(16);
  private count = 0;
  private constant = 0;
  private tape: Tape | null = null;

  /** Forgets all terms; without a tape there are only numbers. */
  start(tape: Tape | null): this {
    this.tape = tape;
    this.count = 0;
    this.constant = 0;
    return this;
  }

  add(slot: number): void {
    if (this.count === this.slots.length) {
      const grown = new Int32Array(this.count * 2);
      grown.set(this.slots);
      this.slots = grown;
    }
    this.slots[this.count++] = slot;
  }

  addNumber(x: number): void {
    this.constant += x;
  }

  addActive(x: Container): void {
    for (const slot of leavesOf(x)) this.add(slot);
  }

  addNumbers(x: Container): void {
    for (const value of leavesOf(x)) this.constant += value;
  }

  /** The sum so far, as a number. */
  value(): number {
    let sum = this.constant;
    if (this.tape !== null) {
      for (let i = 0; i < this.count; i++) sum += this.tape.value[this.slots[i]];
    }
    return sum;
  }

  /** The sum so far, as a slot. */
  total(): number {
    const { tape, count } = this;
    if (tape === null) throw new Error('the target has no tape');
    tape.reserveEdges(count);
    const { edgeSlot, edgePartial, numEdges } = tape;
    for (let i = 0; i < count; i++) {
      edgeSlot[numEdges + i] = this.slots[i];
      edgePartial[numEdges + i] = 1;
    }
    return tape.endRow(this.value(), count);
  }
}

/** The slot of element k (0-based) of an active container. */
function slot(x: ActiveVector | ActiveMatrix, k: number): number {
  return x.slots === null ? x.base + k : x.slots[k];
}

/** `outer_product(v, w)` is v w', one row per element. */
function outerProduct(a: Float64Array, b: Float64Array): Matrix {
  const out = new Float64Array(a.length * b.length);
  for (let j = 0, k = 0; j < b.length; j++) {
    for (let i = 0; i < a.length; i++) out[k++] = a[i] * b[j];
  }
  return new Matrix(a.length, b.length, out);
}

function outerProductActive(tape: Tape, a: ActiveVector, b: ActiveVector): ActiveMatrix {
  tape.reserveSlots(a.n * b.n);
  tape.reserveEdges(2 * a.n * b.n);
  const first = tape.numSlots;
  for (let j = 0; j < b.n; j++) {
    const sb = slot(b, j);
    for (let i = 0; i < a.n; i++) {
      const sa = slot(a, i);
      tape.row2(tape.value[sa] * tape.value[sb], sa, tape.value[sb], sb, tape.value[sa]);
    }
  }
  return new ActiveMatrix(a.n, b.n, first);
}

/** For densities of data, which record nothing. */
const idleTape = new Tape();

/** Functions that emitted programs call as `$…`. */
export const targetPart: LibraryPart = {
  $idleTape: () => idleTape,
  $target: () => new Target(),
  $slot: slot,
  $value: (tape: Tape, x: number) => tape.value[x],
  // regressions of data, see emit/linear-predictor.ts
  $settled_regression: (y: Float64Array, x: Matrix) => new SettledRegression(y, x),
  $regression_on_columns: (y: Float64Array, x: Matrix) => new SettledRegression(y, x, true),
  $settled_regression_density: (
    tape: Tape,
    propto: boolean,
    kinds: string,
    regression: SettledRegression,
    ...[alpha, weights, sigma]: [number, ActiveVector, number]
  ) => regression.density(tape, propto, kinds, alpha, weights, sigma),
  // outcomes that are data, see emit/settled-outcomes.ts
  $settled_outcomes: (y: Float64Array[], name: string) => new SettledOutcomes(y, name),
  $settled_outcomes_density: (
    tape: Tape,
    propto: boolean,
    kinds: string,
    outcomes: SettledOutcomes,
    ...[mu, scale]: [Float64Array | ActiveVector, Matrix | ActiveMatrix]
  ) => outcomes.density(tape, propto, kinds, mu, scale),
  $outer_product__RR: outerProduct,
  $outer_product__VV: outerProductActive,
};
