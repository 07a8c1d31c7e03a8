/** Turns the last output of a PostgreSQL that did not start into a message that helps a person fix it. */
import fs from 'node:fs';
import type { Place } from './place.ts';

/** The end of the log, from byte `from` on. */
export function readLogTail(log: string, from: number): string {
  try {
    return fs.readFileSync(log).subarray(from).toString('utf8').slice(-6000);
  } catch {
    return '';
  }
}

export function explainFailure(place: Place, how: string, output: string): string {
  const reasons = output
    .split('\n')
    .filter((line) => /\b(FATAL|PANIC|HINT|DETAIL)\b|error while loading|could not/.test(line))
    .slice(-6);
  const quoted = (reasons.length > 0 ? reasons : output.trim().split('\n').slice(-6)).join('\n');
  return `${headline(place, output)} (${how}).\n${quoted}\n${remedy(output)}The full log: ${place.log}`;
}

function headline(place: Place, output: string): string {
  if (isFull(output)) return 'PostgreSQL cannot start: the disk is full';
  if (isDamaged(output))
    return `PostgreSQL cannot start: its data folder ${place.cluster} is damaged`;
  return 'PostgreSQL did not start';
}

function remedy(output: string): string {
  if (isFull(output))
    return 'Free some space and start again; nothing that was acknowledged is lost.\n';
  if (isDamaged(output)) {
    return 'Restore a backup (ergodic restore FILE --data NEW), or move the folder away to begin with an empty one.\n';
  }
  return '';
}

function isFull(output: string): boolean {
  return /No space left on device/i.test(output);
}

function isDamaged(output: string): boolean {
  return /invalid (primary )?checkpoint|could not locate a valid checkpoint|invalid data in|incorrect checksum|could not open (file|directory)|does not exist|is not a valid data directory|database files are incompatible|PANIC/i.test(
    output,
  );
}
