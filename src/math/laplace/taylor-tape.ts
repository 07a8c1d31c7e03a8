/**
 * A tape that also keeps second and third derivatives of what it records, for gradients of directional derivatives.
 *
 * Every row is linear in its operands, a function of one operand, or a product of two. Along a direction v of the inputs each
 * slot has a Taylor polynomial x + t x₁ + t² x₂/2; the reverse sweep differentiates those (Margossian 2023, "General
 * adjoint-differentiated Laplace approximation"). Functions that would record something else must not be called with it.
 */
import { Tape } from '../autodiff/tape.ts';

const forms = { linear: 0, unary: 1, product: 2 } as const;

/** A function of one real and its first three derivatives, at a point. */
export type Derivatives = readonly [value: number, first: number, second: number, third: number];

export class TaylorTape extends Tape {
  private form = new Uint8Array(0);
  private second = new Float64Array(0);
  private third = new Float64Array(0);

  override reset(theta: Float64Array): void {
    super.reset(theta);
    this.form.fill(forms.linear);
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

  private mark(slot: number, form: number): void {
    if (slot >= this.form.length) {
      const length = this.value.length;
      this.form = grown(this.form, new Uint8Array(length));
      this.second = grown(this.second, new Float64Array(length));
      this.third = grown(this.third, new Float64Array(length));
    }
    this.form[slot] = form;
  }

  /** Writes the gradient of dᵏ/dtᵏ target(x + t v) at t = 0 for k = `order`: of order 1 it is the Hessian times v. */
  sweepAlong(target: number, v: Float64Array, order: 1 | 2, gradient: Float64Array): void {
    const n = this.numSlots;
    const x1 = new Float64Array(n);
    const x2 = new Float64Array(n);
    x1.set(v.subarray(0, this.countInputs), 1);
    for (let s = this.countInputs + 1; s < n; s++) this.advance(s, x1, x2);
    const adjoints = [new Float64Array(n), new Float64Array(n), new Float64Array(n)] as const;
    adjoints[order][target] = 1;
    for (let s = target; s > this.countInputs; s--) this.retreat(s, x1, x2, adjoints);
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

  private retreat(
    s: number,
    x1: Float64Array,
    x2: Float64Array,
    [g0, g1, g2]: readonly [Float64Array, Float64Array, Float64Array],
  ): void {
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

function grown<T extends Float64Array | Uint8Array>(from: T, to: T): T {
  to.set(from as never);
  return to;
}
