/** Handles uncaught errors: logs them and shuts down in order, so that the parent restarts the process. */
import type { Logger } from './logging.ts';

/** How long an orderly shutdown may take after a fault. */
const STOP_MS = 5000;

/** Continuing would be unsafe: the error may have left work half done. */
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

/** If the reader of our output goes away (a closed terminal, `| head`), the process need not end. */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
