/** How commands report: results on stdout, messages on stderr, exit code 0 only on success. */
import { StartError } from '../service/start-error.ts';

export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Names left-aligned, numbers right-aligned; all lines have as many cells. */
export function alignedText(lines: readonly (readonly string[])[]): string {
  const widths = lines[0].map((_, c) => Math.max(...lines.map((line) => line[c].length)));
  const row = (line: readonly string[]) =>
    line.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c]))).join('  ');
  return lines.map((line) => row(line).trimEnd()).join('\n');
}

/** The exit code that shells give a program stopped by Ctrl-C. */
export const interruptedCode = 130;

/** Shows what the operator can fix as a message; anything else is a bug and shows its stack. */
export function reportAndExit(error: unknown): void {
  say(error instanceof StartError ? error.message : String((error as Error)?.stack ?? error));
  process.exitCode = 1;
}
