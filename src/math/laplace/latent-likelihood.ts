/** log p(y | θ, η) of a latent vector θ, with the derivatives that the Laplace approximation needs. */
import { ActiveVector } from '../autodiff/containers.ts';
import { DomainError } from '../errors.ts';
import { type Blocks, newBlocks } from './blocks.ts';
import { TaylorTape } from './taylor-tape.ts';

/** Records log p(y | θ, η) from the slots of θ; η is on the same tape, after θ. Returns the slot. */
export type RecordLikelihood = (tape: TaylorTape, theta: ActiveVector) => number;

export class LatentLikelihood {
  private readonly tape = new TaylorTape();
  private readonly inputs: Float64Array;
  private target = 0;

  constructor(
    readonly n: number,
    private readonly eta: Float64Array,
    private readonly record: RecordLikelihood,
  ) {
    this.inputs = new Float64Array(n + eta.length);
    this.inputs.set(eta, n);
  }

  get numInputs(): number {
    return this.n + this.eta.length;
  }

  /** The value at θ; from now on, derivatives are taken there. */
  moveTo(theta: Float64Array): number {
    this.inputs.set(theta);
    this.tape.reset(this.inputs);
    this.target = this.record(this.tape, new ActiveVector(this.n, 1));
    return this.tape.value[this.target];
  }

  /** In θ, then in η. */
  gradient(): Float64Array {
    const gradient = new Float64Array(this.numInputs);
    this.tape.sweep(this.target, gradient);
    return gradient;
  }

  /** The gradient of dᵏ/dtᵏ log p(θ + t v), k = `order`: in θ, then in η. */
  along(v: Float64Array, order: 1 | 2): Float64Array {
    const direction = new Float64Array(this.numInputs);
    direction.set(v);
    const gradient = new Float64Array(this.numInputs);
    this.tape.sweepAlong(this.target, direction, order, gradient);
    return gradient;
  }

  /** −∂²/∂θ² in blocks: column k of all blocks is one product with the Hessian. */
  negativeHessian(size: number): Blocks {
    const { n } = this;
    const blocks = newBlocks(n, size);
    const direction = new Float64Array(n);
    for (let k = 0; k < size; k++) {
      for (let i = 0; i < n; i++) direction[i] = i % size === k ? 1 : 0;
      const column = this.along(direction, 1);
      for (let i = 0; i < n; i++) {
        const start = i - (i % size);
        blocks.data[(start + k) * size + (i % size)] = -column[i];
      }
    }
    return blocks;
  }

  /** Throws if the Hessian has entries outside the blocks; one product with the Hessian shows it. */
  requireBlocks(name: string, blocks: Blocks): void {
    const { n } = this;
    const { size, data } = blocks;
    if (size === n) return;
    // ensures that no two entries of a row cancel by chance
    const probe = Float64Array.from({ length: n }, (_, i) => 1 + Math.sin(12.9898 * (i + 1)) / 2);
    const product = this.along(probe, 1);
    for (let i = 0; i < n; i++) {
      const start = i - (i % size);
      let expected = 0;
      let scale = 0;
      for (let k = 0; k < size; k++) {
        const term = data[(start + k) * size + (i % size)] * probe[start + k];
        expected -= term;
        scale += Math.abs(term);
      }
      if (Math.abs(product[i] - expected) > 1e-8 * (1 + scale))
        throw new DomainError(
          `${name}: the Hessian of the log likelihood has entries outside of blocks of size ${size}. Set hessian_block_size to ${n} or to the size of its blocks.`,
        );
    }
  }
}
