/** Runs guest programs by themselves, without a service. */
import type { GuestLimits, GuestProgram } from '../../../src/service/guests/guest-frames.ts';
import type { GuestReader, GuestResult } from '../../../src/service/guests/guest-process.ts';
import { testGuests } from '../../support/guests.ts';

const smallLimits: GuestLimits = {
  milliseconds: 5000,
  memoryBytes: 64 * 2 ** 20,
  answerBytes: 2 ** 20,
  logBytes: 2 ** 14,
  reads: 20,
  readBytes: 16 * 2 ** 20,
};

export interface GuestOptions {
  readonly parameters?: unknown;
  readonly limits?: Partial<GuestLimits>;
  readonly read?: GuestReader;
}

const noReads: GuestReader = async () => {
  throw new Error('nothing is read here');
};

/** `files`: the text of `main.js`, or files with `main.js` as the entry point. */
export function runGuest(
  files: string | Readonly<Record<string, string>>,
  { parameters = {}, limits = {}, read = noReads }: GuestOptions = {},
): Promise<GuestResult> {
  const program: GuestProgram = {
    files: typeof files === 'string' ? { 'main.js': files } : files,
    entrance: 'main.js',
    form: 'function',
    parameters: JSON.stringify(parameters),
  };
  return testGuests.run({ program, limits: { ...smallLimits, ...limits }, read });
}
