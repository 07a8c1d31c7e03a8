/** Runs a few at a time, taking turns by lane: a caller who fills a lane delays only themselves. */
import { rateLimited, unavailable } from '../http/service-error.ts';

export interface FairQueueOptions {
  readonly running: number;
  /** How many may wait in one lane, and in total. */
  readonly perLane: number;
  readonly total: number;
}

export interface FairQueue {
  /** Runs `work` when its lane's turn has come. Throws RATE_LIMITED when the lane is full, UNAVAILABLE when all are. */
  run<T>(lane: string, work: () => Promise<T>): Promise<T>;
}

const retryAfterSeconds = 2;

export function createFairQueue({ running: most, perLane, total }: FairQueueOptions): FairQueue {
  /** In the order of their turns: a lane moves to the end after its turn. */
  const lanes = new Map<string, (() => void)[]>();
  let running = 0;
  let waiting = 0;

  function join(lane: string): Promise<void> {
    const line = lanes.get(lane) ?? [];
    if (line.length >= perLane)
      throw rateLimited(
        'Too many sign-ins at once from your network; try again in a moment.',
        retryAfterSeconds,
      );
    if (waiting >= total)
      throw unavailable('Too many sign-ins at once; try again.', retryAfterSeconds);
    waiting++;
    lanes.set(lane, line);
    return new Promise((resolve) => line.push(resolve));
  }

  /** Passes a free slot to the lane that has waited longest for its turn. */
  function passOn(): void {
    const [next] = lanes;
    if (next === undefined) {
      running--;
      return;
    }
    const [lane, line] = next;
    // a lane is removed together with its last entry
    const start = line.shift() as () => void;
    lanes.delete(lane);
    if (line.length > 0) lanes.set(lane, line);
    waiting--;
    start();
  }

  return {
    async run(lane, work) {
      if (running >= most) await join(lane);
      else running++;
      try {
        return await work();
      } finally {
        passOn();
      }
    },
  };
}
