/** Turns the last words of a PostgreSQL that did not start into something a person can act on. */
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

export function explainFailure(place: Place, how: string, words: string): string {
  const reasons = words
    .split('\n')
    .filter((line) => /\b(FATAL|PANIC|HINT|DETAIL)\b|error while loading|could not/.test(line))
    .slice(-6);
  const quoted = (reasons.length > 0 ? reasons : words.trim().split('\n').slice(-6)).join('\n');
  return `${headline(place, words)} (${how}).\n${quoted}\n${remedy(words)}The whole log: ${place.log}`;
}

function headline(place: Place, words: string): string {
  if (isFull(words)) return 'PostgreSQL cannot start: the disk is full';
  if (isDamaged(words))
    return `PostgreSQL cannot start: its data folder ${place.cluster} is damaged`;
  return 'PostgreSQL did not start';
}

function remedy(words: string): string {
  if (isFull(words))
    return 'Free some space and start again; nothing that was acknowledged is lost.\n';
  if (isDamaged(words)) {
    return 'Restore a backup (ergodic restore FILE --data NEW), or move the folder away to begin with an empty one.\n';
  }
  return '';
}

function isFull(words: string): boolean {
  return /No space left on device/i.test(words);
}

function isDamaged(words: string): boolean {
  return /invalid (primary )?checkpoint|could not locate a valid checkpoint|invalid data in|incorrect checksum|could not open (file|directory)|does not exist|is not a valid data directory|database files are incompatible|PANIC/i.test(
    words,
  );
}
