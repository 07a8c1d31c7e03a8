/**
 * The reverse-mode tape: one row of local partial derivatives per slot, stored as a compressed sparse matrix.
 *
 * A *slot* is an index into `value` and `adjoint`. Slot 0 is a constant NaN (what an unassigned variable reads), slots
 * 1…D are the inputs, every later slot is the result of an operation. The *edges* of a slot are its operands with
 * d(slot)/d(operand), so the reverse sweep is one loop without dispatch. Operations whose derivative is cheaper to
 * compute in one go (matrix products, Cholesky) make a block of slots without edges and register one reverse callback.
 *
 * Slots are immutable once written: containers may share them freely, and copying, slicing, transposing or reshaping
 * an active container records nothing.
 */

/** Runs once the sweep has passed every slot that uses the block; adds to `tape.adjoint` of the operands. */
export type ReverseCallback = (tape: Tape) => void;

/** Thrown when a program would need more memory than its budget; ends the chain with a reason. */
export class MemoryBudgetError extends Error {
  override readonly name = 'MemoryBudgetError';
}

const initialSlots = 1 << 10;
const initialEdges = 1 << 12;
const initialKept = 1 << 10;
/** Up to this many numbers, a loop copies or fills faster than the built-in function. */
const few = 64;
/** Bytes a slot (value, adjoint, edge end) and an edge (operand, partial) take. */
const slotBytes = 8 + 8 + 4;
const edgeBytes = 4 + 8;
/** Bytes of a kept number and its adjoint. */
const keptBytes = 8 + 8;

export class Tape {
  value = new Float64Array(initialSlots);
  adjoint = new Float64Array(initialSlots);
  /** `edgeEnd[s]`: one past the last edge of slot s; its first edge is `edgeEnd[s - 1]`. */
  edgeEnd = new Int32Array(initialSlots);
  edgeSlot = new Int32Array(initialEdges);
  edgePartial = new Float64Array(initialEdges);
  numSlots = 1;
  numEdges = 0;
  /** Numbers that blocks keep from their forward to their reverse sweep: a stack that the next recording overwrites. */
  kept = new Float64Array(initialKept);
  numKept = 0;
  private keptAdjoints = new Float64Array(initialKept);
  private numInputs = 0;
  private numBlocks = 0;
  /** Only the first `numBlocks` are valid: later ones are left over from earlier recordings. */
  private readonly blockStarts: number[] = [];
  private readonly blockEnds: number[] = [];
  private readonly blockReverses: ReverseCallback[] = [];

  /** `byteBudget`: the most bytes the tape may hold before {@link MemoryBudgetError}. Default 1 GiB. */
  constructor(private readonly byteBudget = 2 ** 30) {
    this.value[0] = Number.NaN;
  }

  /** Starts a new recording whose inputs, slots 1…D, hold `theta` (D values, unconstrained scale). */
  reset(theta: Float64Array): void {
    this.numSlots = 1;
    this.numEdges = 0;
    this.numKept = 0;
    this.numBlocks = 0;
    const n = theta.length;
    this.reserveSlots(n);
    const { value } = this;
    // For few numbers, a loop costs less than the built-in function.
    if (n > few) value.set(theta, 1);
    else for (let i = 0; i < n; i++) value[i + 1] = theta[i];
    if (n !== this.numInputs) this.edgeEnd.fill(0, 0, n + 1);
    this.numInputs = n;
    this.numSlots = n + 1;
  }

  /** Adds one more input, before anything else is recorded. */
  input(x: number): number {
    if (this.numSlots === this.value.length) this.growSlots(this.numSlots + 1);
    const s = this.numSlots++;
    this.value[s] = x;
    this.edgeEnd[s] = 0;
    this.numInputs = s;
    return s;
  }

  get countInputs(): number {
    return this.numInputs;
  }

  /** A slot that depends on no input. */
  constant(x: number): number {
    return this.endRow(x, 0);
  }

  /** A slot with value `x` and d/da = `da`. */
  row1(x: number, a: number, da: number): number {
    this.reserveEdges(1);
    const e = this.numEdges;
    this.edgeSlot[e] = a;
    this.edgePartial[e] = da;
    return this.endRow(x, 1);
  }

  /** A slot with value `x`, d/da = `da` and d/db = `db`. */
  row2(x: number, a: number, da: number, b: number, db: number): number {
    this.reserveEdges(2);
    const e = this.numEdges;
    this.edgeSlot[e] = a;
    this.edgePartial[e] = da;
    this.edgeSlot[e + 1] = b;
    this.edgePartial[e + 1] = db;
    return this.endRow(x, 2);
  }

  /** Records x = f(…) with one edge per slot. */
  row(x: number, slots: readonly number[], partial: (k: number) => number): number {
    this.reserveEdges(slots.length);
    const e = this.numEdges;
    for (let k = 0; k < slots.length; k++) {
      this.edgeSlot[e + k] = slots[k];
      this.edgePartial[e + k] = partial(k);
    }
    return this.endRow(x, slots.length);
  }

  /**
   * Ends a row whose `count` edges were written at `numEdges … numEdges + count - 1` of `edgeSlot` and `edgePartial`
   * after `reserveEdges(count)`. Returns the new slot.
   */
  endRow(x: number, count: number): number {
    if (this.numSlots === this.value.length) this.growSlots(this.numSlots + 1);
    const s = this.numSlots++;
    this.numEdges += count;
    this.value[s] = x;
    this.edgeEnd[s] = this.numEdges;
    return s;
  }

  /**
   * Makes `n` slots without edges whose values the caller writes into `value[first … first + n - 1]`; `reverse` reads
   * their adjoints and adds to those of the operands. Returns the first slot.
   */
  block(n: number, reverse: ReverseCallback): number {
    this.reserveSlots(n);
    const first = this.numSlots;
    this.numSlots += n;
    // where the edges of the next slot begin; the sweep passes over those in between
    this.edgeEnd[this.numSlots - 1] = this.numEdges;
    this.blockStarts[this.numBlocks] = first;
    this.blockEnds[this.numBlocks] = first + n;
    this.blockReverses[this.numBlocks++] = reverse;
    return first;
  }

  /** Makes room for `n` more slots. */
  reserveSlots(n: number): void {
    if (this.numSlots + n > this.value.length) this.growSlots(this.numSlots + n);
  }

  /** Makes room for `n` more edges. Read `edgeSlot` and `edgePartial` again afterwards: growing replaces them. */
  reserveEdges(n: number): void {
    if (this.numEdges + n > this.edgeSlot.length) this.growEdges(this.numEdges + n);
  }

  /** Makes `kept` at least `n` long, and returns it: growing replaces it. */
  keepRoom(n: number): Float64Array {
    if (n > this.kept.length) {
      const length = Math.max(n, this.kept.length * 2);
      this.checkBudget(this.value.length, this.edgeSlot.length, length);
      this.kept = grown(this.kept, new Float64Array(length));
    }
    return this.kept;
  }

  /** As long as `kept`: adjoints of the container elements stored there, as working space for reverse callbacks. */
  get keptAdjoint(): Float64Array {
    if (this.keptAdjoints.length < this.kept.length) {
      this.keptAdjoints = new Float64Array(this.kept.length);
    }
    return this.keptAdjoints;
  }

  /**
   * Sets `adjoint` to the derivatives of `target` and writes those of the D inputs to `gradient`. Call it once per
   * recording, as blocks restore kept numbers to earlier values.
   */
  sweep(target: number, gradient: Float64Array): void {
    const { value, adjoint, edgeEnd, edgeSlot, edgePartial, numInputs } = this;
    if (adjoint.length !== value.length) throw new Error('tape arrays out of step');
    const { numSlots } = this;
    if (numSlots > few) adjoint.fill(0, 0, numSlots);
    else for (let i = 0; i < numSlots; i++) adjoint[i] = 0;
    adjoint[target] = 1;
    let s = numSlots - 1;
    for (let b = this.numBlocks; b >= 0; b--) {
      // slots of a block have no edges
      const stop = b > 0 ? this.blockEnds[b - 1] : numInputs + 1;
      for (; s >= stop; s--) {
        const g = adjoint[s];
        if (g === 0) continue;
        for (let e = edgeEnd[s - 1], end = edgeEnd[s]; e < end; e++) {
          adjoint[edgeSlot[e]] += g * edgePartial[e];
        }
      }
      if (b === 0) break;
      this.blockReverses[b - 1](this);
      s = this.blockStarts[b - 1] - 1;
    }
    if (numInputs > few) gradient.set(adjoint.subarray(1, numInputs + 1));
    else for (let i = 0; i < numInputs; i++) gradient[i] = adjoint[i + 1];
  }

  /** Like {@link sweep}, but with one pass over the edges if the recording is a single row after the inputs. */
  sweepRow(target: number, gradient: Float64Array): void {
    const { numInputs, edgeEnd, edgeSlot, edgePartial } = this;
    if (this.numBlocks > 0 || target !== numInputs + 1) {
      this.sweep(target, gradient);
      return;
    }
    for (let i = 0; i < numInputs; i++) gradient[i] = 0;
    for (let e = edgeEnd[target - 1], end = edgeEnd[target]; e < end; e++) {
      gradient[edgeSlot[e] - 1] += edgePartial[e];
    }
  }

  private growSlots(needed: number): void {
    const length = Math.max(needed, this.value.length * 2);
    this.checkBudget(length, this.edgeSlot.length, this.kept.length);
    this.value = grown(this.value, new Float64Array(length));
    this.adjoint = new Float64Array(length);
    this.edgeEnd = grown(this.edgeEnd, new Int32Array(length));
  }

  private growEdges(needed: number): void {
    const length = Math.max(needed, this.edgeSlot.length * 2);
    this.checkBudget(this.value.length, length, this.kept.length);
    this.edgeSlot = grown(this.edgeSlot, new Int32Array(length));
    this.edgePartial = grown(this.edgePartial, new Float64Array(length));
  }

  private checkBudget(slots: number, edges: number, kept: number): void {
    const bytes = slots * slotBytes + edges * edgeBytes + kept * keptBytes;
    if (bytes > this.byteBudget) {
      throw new MemoryBudgetError(
        `the gradient of this program needs more than ${Math.round(this.byteBudget / 2 ** 20)} MiB`,
      );
    }
  }
}

function grown<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from as never);
  return to;
}
