/**
 * The log density at a point as a chain of one row. A program is not trusted, so it is computed in a thread with the
 * limits of every other chain.
 */
import { ChainEnd, failureOf } from './chain-end.ts';
import type { FitCheckpoint } from './checkpoint.ts';
import { createDrawBuffer, type DrawBuffer } from './draw-buffer.ts';
import type { ChainProgress, DrawBlock } from './events.ts';
import { type DensityPoint, densityAtFree, freePoint, unconstrainedNames } from './log-density.ts';
import type { Advance, Chain, ChainRequest } from './machine.ts';
import { oneOffCheckpoint, oneOffProgress } from './one-off-chain.ts';

/** Prefixes of the values of each free parameter: itself, then the gradient with and without the Jacobian. */
const densityColumns = ['lp__', 'lp_without_jacobian__'] as const;
const perName = ['', 'g_', 'g_without_jacobian_'] as const;

export function createDensityChain(request: ChainRequest, point: DensityPoint): Chain {
  return new DensityChain(request, point);
}

class DensityChain implements Chain {
  readonly columns: readonly string[];
  private readonly buffer: DrawBuffer;
  private isDone = false;

  constructor(
    private readonly request: ChainRequest,
    private readonly point: DensityPoint,
  ) {
    const names = unconstrainedNames(request.model);
    this.columns = [
      ...densityColumns,
      ...perName.flatMap((before) => names.map((name) => before + name)),
    ];
    const none = { warmup: 0, sampling: 0 };
    this.buffer = createDrawBuffer(request.chain, this.columns.length, none);
  }

  advance(): Advance {
    try {
      if (!this.isDone) this.compute();
    } catch (error) {
      return { status: 'failed', blocks: [], failure: failureOf(error, this.request.chain) };
    }
    this.isDone = true;
    return { status: 'finished', blocks: this.buffer.take() };
  }

  private compute(): void {
    const { model } = this.request;
    const free = freePoint(model, this.point);
    if (!free.ok) throw new ChainEnd('no-start', free.error);
    const densities = [true, false].map((jacobian) => {
      const density = densityAtFree(model, free.value, { jacobian });
      if (!density.ok) throw new ChainEnd('no-start', density.error);
      return density.value;
    });
    const row = this.buffer.row();
    row.set(densities.map(({ lp }) => lp));
    const vectors = [free.value, ...densities.map(({ gradient }) => gradient)];
    for (const [i, values] of vectors.entries())
      row.set(values, densityColumns.length + i * model.numUnconstrained);
    this.buffer.keep('sampling');
  }

  checkpoint(): FitCheckpoint {
    const [numColumns, done] = [this.columns.length, Number(this.isDone)];
    return oneOffCheckpoint(this.request, { numColumns, done });
  }

  progress(): ChainProgress {
    return oneOffProgress(this.request.chain, Number(this.isDone), 1);
  }
}

export interface DensityRow {
  /** Free values, as CmdStan writes them: `mu`, `theta.1`. */
  readonly names: readonly string[];
  readonly unconstrained: Float64Array;
  readonly withJacobian: { readonly lp: number; readonly gradient: Float64Array };
  readonly withoutJacobian: { readonly lp: number; readonly gradient: Float64Array };
}

/** The row of such a chain, by column name. */
export function readDensityRow(columns: readonly string[], { values }: DrawBlock): DensityRow {
  const first = densityColumns.length;
  const count = (columns.length - first) / perName.length;
  const part = (i: number) => values.slice(first + i * count, first + (i + 1) * count);
  return {
    names: columns.slice(first, first + count),
    unconstrained: part(0),
    withJacobian: { lp: values[0], gradient: part(1) },
    withoutJacobian: { lp: values[1], gradient: part(2) },
  };
}
