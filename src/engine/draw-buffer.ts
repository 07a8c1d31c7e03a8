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
  const taken = { ...numDraws };
  const row = new Float64Array(numColumns);
  let rows = new Float64Array(numColumns * 16);
  let count = 0;
  let phases: Phase[] = [];

  const block = (phase: Phase): DrawBlock[] => {
    const first = phases.indexOf(phase);
    if (first < 0) return [];
    const length = phases.lastIndexOf(phase) - first + 1;
    const values = new Float64Array(length * numColumns);
    for (let d = 0; d < length; d++) {
      const from = (first + d) * numColumns;
      for (let c = 0; c < numColumns; c++) values[c * length + d] = rows[from + c];
    }
    const firstIteration = taken[phase] + 1;
    taken[phase] += length;
    return [{ chain, phase, firstIteration, count: length, values }];
  };

  return {
    row: () => row,
    keep(phase) {
      if ((count + 1) * numColumns > rows.length) {
        const larger = new Float64Array(rows.length * 2);
        larger.set(rows);
        rows = larger;
      }
      rows.set(row, count * numColumns);
      phases.push(phase);
      count += 1;
    },
    take() {
      const blocks = [...block('warmup'), ...block('sampling')];
      count = 0;
      phases = [];
      return blocks;
    },
  };
}
