/** Collects draws row by row and returns them as column-major blocks. */
import type { DrawBlock, Phase } from './events.ts';

export interface DrawBuffer {
  /** A row of `numColumns` values to fill; becomes part of the buffer with `keep`. */
  row(): Float64Array;
  keep(phase: Phase): void;
  /** All stored draws, one block per phase; empties the buffer. */
  take(): DrawBlock[];
}

/** `numDraws`: draws of each phase taken before, for a chain that continues from a checkpoint. */
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
  /** Stored rows: those of warmup, followed by those of sampling. */
  private warmup = 0;
  private sampling = 0;
  /** Draws that were taken earlier. */
  private takenWarmup: number;
  private takenSampling: number;

  constructor(
    private readonly chain: number,
    private readonly numColumns: number,
    numDraws: Record<Phase, number>,
  ) {
    this.next = new Float64Array(numColumns);
    this.rows = new Float64Array(numColumns * 16);
    this.takenWarmup = numDraws.warmup;
    this.takenSampling = numDraws.sampling;
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
    const { warmup, sampling } = this;
    const blocks: DrawBlock[] = [];
    if (warmup > 0) blocks.push(this.block('warmup', 0, warmup, this.takenWarmup));
    if (sampling > 0) blocks.push(this.block('sampling', warmup, sampling, this.takenSampling));
    this.takenWarmup += warmup;
    this.takenSampling += sampling;
    this.warmup = 0;
    this.sampling = 0;
    return blocks;
  }

  /** `count` rows from `first` on, as columns; `before`: draws of the phase taken earlier. */
  private block(phase: Phase, first: number, count: number, before: number): DrawBlock {
    const { chain, rows, numColumns } = this;
    const values = new Float64Array(count * numColumns);
    for (let d = 0; d < count; d++) {
      const from = (first + d) * numColumns;
      for (let c = 0; c < numColumns; c++) values[c * count + d] = rows[from + c];
    }
    return { chain, phase, firstIteration: before + 1, count, values };
  }
}
