/** Runs jobs from a queue one after another; sleeps while there is none, until it is woken. */

/** Reports a problem of the queue itself; handlers report their own. */
export type OnQueueError = (error: unknown) => void;

export class JobConsumer {
  private isStopped = false;
  private isWoken = false;
  private endSleep: () => void = () => {};
  private readonly finished: Promise<void>;

  /** `workOnOne` takes a job and completes it; false when none was waiting. */
  constructor(
    private readonly workOnOne: () => Promise<boolean>,
    private readonly onError: OnQueueError,
  ) {
    this.finished = this.loop();
  }

  wake(): void {
    this.isWoken = true;
    this.endSleep();
  }

  /** Resolves when the current job has ended; no job is taken after it. */
  stop(): Promise<void> {
    this.isStopped = true;
    this.endSleep();
    return this.finished;
  }

  private async loop(): Promise<void> {
    while (!this.isStopped) {
      this.isWoken = false;
      if (!(await this.tryOne())) await this.sleep();
    }
  }

  private async tryOne(): Promise<boolean> {
    try {
      return await this.workOnOne();
    } catch (error) {
      // The database was unavailable: the next wake-up tries again.
      this.onError(error);
      return false;
    }
  }

  /** A wake-up during the last check must not be missed. */
  private sleep(): Promise<void> {
    if (this.isWoken || this.isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      this.endSleep = resolve;
    });
  }
}
