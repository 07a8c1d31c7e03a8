/** How commands speak: results on stdout, words on stderr, exit code 0 only on success. */
import { StartError } from '../service/start-error.ts';

export function say(words: string): void {
  process.stderr.write(`${words}\n`);
}

/** What the operator can mend is said in its own words; anything else is a bug and shows its stack. */
export function reportAndExit(error: unknown): void {
  say(error instanceof StartError ? error.message : String((error as Error)?.stack ?? error));
  process.exitCode = 1;
}
