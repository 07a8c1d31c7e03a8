/** What a process does about an error that nobody caught: it says so, ends in order, and its parent starts it again. */
import type { Logger } from './logging.ts';

/** What stopping in order may take after a fault. */
const STOP_MS = 5000;

/** Continuing would be unsafe: the error may have left something half done. */
export function endAfterFault(logger: Logger, stop: () => Promise<void>): void {
  let isEnding = false;
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, origin }, 'uncaught error: the process shuts down');
    if (isEnding) return;
    isEnding = true;
    const end = () => process.exit(1);
    setTimeout(end, STOP_MS);
    stop().then(end, end);
  });
  ignoreLostOutput();
}

/** A reader of our output that went away (a closed terminal, `| head`) is not a reason to end. */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
