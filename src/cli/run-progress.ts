/** Progress of chains on standard error: one updating line on a terminal, otherwise a line per quarter. */
import type { ChainProgress } from '../engine/events.ts';

export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressLine {
  update(progress: ChainProgress): void;
  /** Prints a separate line above the progress. */
  say(line: string): void;
  end(): void;
}

export function createProgressLine(stream: ProgressStream): ProgressLine {
  const chains = new Map<number, ChainProgress>();
  const quarters = new Map<number, number>();
  const clear = stream.isTTY ? '\r\u001b[K' : '';
  const draw = () => {
    if (!stream.isTTY || chains.size === 0) return;
    const parts = [...chains.values()].toSorted((a, b) => a.chain - b.chain).map(describe);
    stream.write(`${clear}${parts.join('  ')}`);
  };
  return {
    update(progress) {
      chains.set(progress.chain, progress);
      if (stream.isTTY) {
        draw();
        return;
      }
      const quarter = Math.floor((4 * progress.iteration) / Math.max(1, progress.of));
      if (quarter <= (quarters.get(progress.chain) ?? 0)) return;
      quarters.set(progress.chain, quarter);
      stream.write(`Chain ${describe(progress)}\n`);
    },
    say(line) {
      stream.write(`${clear}${line}\n`);
      draw();
    },
    end() {
      if (stream.isTTY && chains.size > 0) stream.write('\n');
    },
  };
}

/** "37 of 200 simulations", for chains too many to name. */
export function createSimulationCount(stream: ProgressStream, total: number): ProgressLine {
  const done = new Set<number>();
  const clear = stream.isTTY ? '\r\u001b[K' : '';
  const draw = () => stream.write(`${clear}${done.size} of ${total} simulations`);
  return {
    update({ chain, iteration, of }) {
      if (iteration < of || done.has(chain)) return;
      done.add(chain);
      if (stream.isTTY) draw();
      // without a terminal, one line per tenth
      else if (Math.floor((10 * done.size) / total) > Math.floor((10 * (done.size - 1)) / total)) {
        draw();
        stream.write('\n');
      }
    },
    say(line) {
      stream.write(`${clear}${line}\n`);
      if (stream.isTTY) draw();
    },
    end() {
      if (stream.isTTY && done.size > 0) stream.write('\n');
    },
  };
}

function describe({ chain, iteration, of, phase }: ChainProgress): string {
  const percent = Math.floor((100 * iteration) / Math.max(1, of));
  return `${chain}: ${percent} % ${iteration === of ? 'done' : phase}`;
}
