/**
 * Tests that need a program which npm does not provide. If it is missing they are skipped, and their name says what they
 * need, so that the runner can count them.
 */
import { describe, it } from 'vitest';
import { missing, type PartName } from './parts.mjs';

const found = new Map<PartName, boolean>();

function isMissing(part: PartName): boolean {
  const known = found.get(part) ?? missing(part) !== null;
  found.set(part, known);
  return known;
}

export function describeWith(part: PartName, name: string, tests: () => void): void {
  if (isMissing(part)) describe.skip(`${name} [needs ${part}]`, tests);
  else describe(name, tests);
}

export function itWith(
  part: PartName,
  name: string,
  test: () => Promise<void> | void,
  options: { readonly timeout?: number } = {},
): void {
  if (isMissing(part)) it.skip(`${name} [needs ${part}]`, test);
  else it(name, options, test);
}
