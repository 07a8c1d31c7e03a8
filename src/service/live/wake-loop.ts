/** Calls `work` after each `wake`, never concurrently, with a pause in between; wake-ups in the meantime are merged. */
import type { Logger } from '../logging.ts';
import { isUnavailable } from '../repositories/database.ts';

export interface WakeLoopOptions<Reason> {
  /** When it throws, it is retried with the same reasons while the database is unavailable; otherwise `onFault`. */
  readonly work: (reasons: ReadonlySet<Reason>) => Promise<void>;
  /** Minimum milliseconds between two calls. */
  readonly pauseMs: number;
  readonly onFault: (error: unknown) => void;
  readonly logger: Logger;
}

const waitMs = 500;

export class WakeLoop<Reason> {
  private reasons = new Set<Reason>();
  private isWorking = false;
  private isStopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: WakeLoopOptions<Reason>) {}

  wake(reason: Reason): void {
    this.reasons.add(reason);
    if (!this.isWorking && !this.isStopped) void this.run();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    this.isWorking = true;
    const reasons = this.reasons;
    this.reasons = new Set();
    let pauseMs = this.options.pauseMs;
    try {
      await this.options.work(reasons);
    } catch (error) {
      if (isUnavailable(error)) {
        this.options.logger.warn({ err: error }, 'a socket is waiting for the database');
        this.reasons = new Set([...reasons, ...this.reasons]);
        pauseMs = Math.max(pauseMs, waitMs);
      } else this.options.onFault(error);
    }
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.isWorking = false;
      if (this.reasons.size > 0 && !this.isStopped) void this.run();
    }, pauseMs);
  }
}
