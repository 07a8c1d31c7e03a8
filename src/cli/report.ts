/** How commands report: results on stdout, messages on stderr, exit code 0 only on success. */
import { StartError } from '../service/start-error.ts';

export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Shows what the operator can fix as a message; anything else is a bug and shows its stack. */
export function reportAndExit(error: unknown): void {
  say(error instanceof StartError ? error.message : String((error as Error)?.stack ?? error));
  process.exitCode = 1;
}
