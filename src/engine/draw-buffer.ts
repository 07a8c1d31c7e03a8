/** Collects draws row by row and hands them out as column-major blocks. */
import type { DrawBlock, Phase } from './events.ts';

export interface DrawBuffer {
  /** A row of `numColumns` values to fill; becomes part of the buffer with `keep`. */
  row(): Float64Array;
  keep(phase: Phase): void;
  /** All kept draws, a block a phase; the buffer is empty afterwards. */
  take(): DrawBlock[];
}

/** `numDraws`: how many draws of each phase were taken before (a chain that goes on from a checkpoint). */
export function createDrawBuffer(
  chain: number,
  numColumns: number,
  numDraws: Record<Phase, number>,
): DrawBuffer {
  return new RowBuffer(chain, numColumns, numDraws);
}

/** A class, so that V8 compiles it once for all chains. */
class RowBuffer implements DrawBuffer {
  private readonly next: Float64Array;
  private rows: Float64Array;
  /** Kept rows: those of warmup, and behind them those of sampling. */
  private warmup = 0;
  private sampling = 0;
  private readonly taken: Record<Phase, number>;

  constructor(
    private readonly chain: number,
    private readonly numColumns: number,
    numDraws: Record<Phase, number>,
  ) {
    this.next = new Float64Array(numColumns);
    this.rows = new Float64Array(numColumns * 16);
    this.taken = { ...numDraws };
  }

  row(): Float64Array {
    return this.next;
  }

  keep(phase: Phase): void {
    const { numColumns } = this;
    const count = this.warmup + this.sampling;
    if ((count + 1) * numColumns > this.rows.length) {
      const larger = new Float64Array(this.rows.length * 2);
      larger.set(this.rows);
      this.rows = larger;
    }
    this.rows.set(this.next, count * numColumns);
    if (phase === 'warmup') this.warmup += 1;
    else this.sampling += 1;
  }

  take(): DrawBlock[] {
    const blocks = [
      ...this.block('warmup', 0, this.warmup),
      ...this.block('sampling', this.warmup, this.sampling),
    ];
    this.warmup = 0;
    this.sampling = 0;
    return blocks;
  }

  private block(phase: Phase, first: number, count: number): DrawBlock[] {
    if (count === 0) return [];
    const { chain, rows, numColumns, taken } = this;
    const values = new Float64Array(count * numColumns);
    for (let d = 0; d < count; d++) {
      const from = (first + d) * numColumns;
      for (let c = 0; c < numColumns; c++) values[c * count + d] = rows[from + c];
    }
    const firstIteration = taken[phase] + 1;
    taken[phase] += count;
    return [{ chain, phase, firstIteration, count, values }];
  }
}
