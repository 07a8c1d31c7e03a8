/**
 * A tape that also stores second and third derivatives of what it records, for gradients of directional derivatives.
 *
 * Every row is linear in its operands, a function of one operand, a product of two, or one of several outputs of a function
 * that knows its own curvature. Along a direction v of the inputs each slot has a Taylor polynomial x + t x₁ + t² x₂/2; the
 * reverse sweep differentiates those (Margossian 2023, "General adjoint-differentiated Laplace approximation"). Functions
 * that record anything else must not be called with it.
 */
import { Tape } from '../autodiff/tape.ts';

const forms = { linear: 0, unary: 1, product: 2 } as const;

/** A function of one real and its first three derivatives, at a point. */
export type Derivatives = readonly [value: number, first: number, second: number, third: number];

/** Second and third derivatives of a function of several slots with several outputs, at a point. */
export interface Curvature {
  /** dᵏ/dtᵏ of the gradient of Σ weightⱼ × output j at x + t v, k = `order`. */
  along(v: Float64Array, weights: ArrayLike<number>, order: 1 | 2): Float64Array;
}

/** Its outputs are the slots `first … end − 1`. */
interface Several {
  readonly first: number;
  readonly end: number;
  readonly inputs: readonly number[];
  readonly curvature: Curvature;
}

export class TaylorTape extends Tape {
  /** Records functions that know only first derivatives, one at a time. */
  readonly inner = new Tape();
  private readonly byFirst = new Map<number, Several>();
  private readonly byLast = new Map<number, Several>();
  private form = new Uint8Array(0);
  private second = new Float64Array(0);
  private third = new Float64Array(0);

  override reset(theta: Float64Array): void {
    super.reset(theta);
    this.form.fill(forms.linear);
    this.byFirst.clear();
    this.byLast.clear();
  }

  override block(): never {
    throw new Error('a block has no second derivatives');
  }

  /** A slot with a function of slot `a`. */
  unary(a: number, [value, first, second, third]: Derivatives): number {
    const s = this.row1(value, a, first);
    this.mark(s, forms.unary);
    this.second[s] = second;
    this.third[s] = third;
    return s;
  }

  product(a: number, b: number): number {
    const [x, y] = [this.value[a], this.value[b]];
    const s = this.row2(x * y, a, y, b, x);
    this.mark(s, forms.product);
    return s;
  }

  /** Slots for the outputs of a function of `inputs`, with one row of the Jacobian each. Returns the first. */
  severalOutputs(
    values: readonly number[],
    inputs: readonly number[],
    jacobian: readonly Float64Array[],
    curvature: Curvature,
  ): number {
    const first = this.numSlots;
    for (const [k, value] of values.entries()) {
      this.reserveEdges(inputs.length);
      inputs.forEach((slot, i) => {
        this.edgeSlot[this.numEdges + i] = slot;
        this.edgePartial[this.numEdges + i] = jacobian[k][i];
      });
      this.endRow(value, inputs.length);
    }
    const end = this.numSlots;
    if (end > first) {
      const several = { first, end, inputs, curvature };
      this.byFirst.set(first, several);
      this.byLast.set(end - 1, several);
    }
    return first;
  }

  private mark(slot: number, form: number): void {
    if (slot >= this.form.length) {
      const length = this.value.length;
      this.form = grown(this.form, new Uint8Array(length));
      this.second = grown(this.second, new Float64Array(length));
      this.third = grown(this.third, new Float64Array(length));
    }
    this.form[slot] = form;
  }

  /** Writes the gradient of dᵏ/dtᵏ target(x + t v) at t = 0 for k = `order`: for order 1, the Hessian times v. */
  sweepAlong(target: number, v: Float64Array, order: 1 | 2, gradient: Float64Array): void {
    const n = this.numSlots;
    const x1 = new Float64Array(n);
    const x2 = new Float64Array(n);
    x1.set(v.subarray(0, this.countInputs), 1);
    for (let s = this.countInputs + 1; s < n; s++) {
      this.advance(s, x1, x2);
      const several = order === 2 ? this.byFirst.get(s) : undefined;
      if (several) advanceSeveral(several, x1, x2);
    }
    const adjoints = [new Float64Array(n), new Float64Array(n), new Float64Array(n)] as const;
    adjoints[order][target] = 1;
    for (let s = target; s > this.countInputs; s--) {
      const several = this.byLast.get(s);
      if (several) retreatSeveral(several, x1, x2, adjoints);
      this.retreat(s, x1, x2, adjoints);
    }
    for (let i = 0; i < gradient.length; i++) gradient[i] = adjoints[0][i + 1];
  }

  private formOf(s: number): number {
    return s < this.form.length ? this.form[s] : forms.linear;
  }

  private advance(s: number, x1: Float64Array, x2: Float64Array): void {
    const { edgeEnd, edgeSlot, edgePartial } = this;
    const end = edgeEnd[s];
    for (let e = edgeEnd[s - 1]; e < end; e++) {
      const a = edgeSlot[e];
      const p = edgePartial[e];
      x1[s] += p * x1[a];
      x2[s] += p * x2[a];
    }
    const form = this.formOf(s);
    if (form === forms.unary) x2[s] += this.second[s] * x1[edgeSlot[end - 1]] ** 2;
    if (form === forms.product) x2[s] += 2 * x1[edgeSlot[end - 1]] * x1[edgeSlot[end - 2]];
  }

  private retreat(s: number, x1: Float64Array, x2: Float64Array, [g0, g1, g2]: Adjoints): void {
    const z0 = g0[s];
    const z1 = g1[s];
    const z2 = g2[s];
    if (z0 === 0 && z1 === 0 && z2 === 0) return;
    const { edgeEnd, edgeSlot, edgePartial } = this;
    const end = edgeEnd[s];
    for (let e = edgeEnd[s - 1]; e < end; e++) {
      const a = edgeSlot[e];
      const p = edgePartial[e];
      g0[a] += p * z0;
      g1[a] += p * z1;
      g2[a] += p * z2;
    }
    const form = this.formOf(s);
    if (form === forms.unary) {
      const a = edgeSlot[end - 1];
      const second = this.second[s];
      g1[a] += 2 * second * x1[a] * z2;
      g0[a] += second * x1[a] * z1 + (this.third[s] * x1[a] ** 2 + second * x2[a]) * z2;
    }
    if (form === forms.product) {
      const a = edgeSlot[end - 2];
      const b = edgeSlot[end - 1];
      g1[a] += 2 * x1[b] * z2;
      g1[b] += 2 * x1[a] * z2;
      g0[a] += x1[b] * z1 + x2[b] * z2;
      g0[b] += x1[a] * z1 + x2[a] * z2;
    }
  }
}

/** Of x, x₁ and x₂. */
type Adjoints = readonly [Float64Array, Float64Array, Float64Array];

const gather = (x: Float64Array, slots: readonly number[]) =>
  Float64Array.from(slots, (slot) => x[slot]);

/** Adds to x₂ of each output what its second derivatives along x₁ of the inputs contribute. */
function advanceSeveral(
  { first, end, inputs, curvature }: Several,
  x1: Float64Array,
  x2: Float64Array,
): void {
  const v = gather(x1, inputs);
  for (let s = first; s < end; s++) {
    const weights = Array.from({ length: end - first }, (_, k) => Number(k === s - first));
    const slope = curvature.along(v, weights, 1);
    for (let i = 0; i < v.length; i++) x2[s] += slope[i] * v[i];
  }
}

/** Adds what the outputs' adjoints contribute to those of the inputs through second and third derivatives. */
function retreatSeveral(
  { first, end, inputs, curvature }: Several,
  x1: Float64Array,
  x2: Float64Array,
  [g0, g1, g2]: Adjoints,
): void {
  const v1 = gather(x1, inputs);
  const add = (to: Float64Array, from: Float64Array, factor: number) => {
    inputs.forEach((slot, i) => {
      to[slot] += factor * from[i];
    });
  };
  const z1 = g1.subarray(first, end);
  if (z1.some((z) => z !== 0)) add(g0, curvature.along(v1, z1, 1), 1);
  const z2 = g2.subarray(first, end);
  if (z2.every((z) => z === 0)) return;
  add(g1, curvature.along(v1, z2, 1), 2);
  add(g0, curvature.along(gather(x2, inputs), z2, 1), 1);
  add(g0, curvature.along(v1, z2, 2), 1);
}

function grown<T extends Float64Array | Uint8Array>(from: T, to: T): T {
  to.set(from as never);
  return to;
}
