/** The only check of file names from outside: for reading, writing, deleting, listing and archive entries. */

/** Windows opens a device for these, whatever the suffix. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** Git runs programs from this folder when a tree with it is checked out; the second is its short name on Windows. */
const REPOSITORY = /^(?:\.git|git~1)$/i;

/** Longest name in UTF-8 bytes that common file systems accept. */
const LONGEST_NAME = 255;

/**
 * Why `name` cannot be one segment of a path, as text that follows the name; null if it can.
 * A name is judged as it is, as it would look after any number of rounds of percent decoding, and with
 * compatibility forms and invisible characters resolved: decoding it later must not change the result.
 */
export function segmentProblem(name: string): string | null {
  let form = name;
  for (;;) {
    const problem = plainProblem(form) ?? disguiseProblem(form);
    if (problem !== null) return problem;
    const decoded = percentDecode(form);
    if (decoded === form) return null;
    form = decoded;
  }
}

function plainProblem(name: string): string | null {
  if (name === '') return 'is empty';
  if (name === '.' || name === '..') return 'refers to a folder';
  if (/[/\\]/.test(name)) return 'contains a path separator';
  if (name.includes(':')) return 'contains a colon';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return 'contains a control character';
  if (/[\u202a-\u202e\u2066-\u2069]/.test(name))
    return 'contains a character that changes the writing direction';
  if (/\p{Cs}/u.test(name)) return 'is not valid Unicode';
  if (/[. ]$/.test(name)) return 'ends with a dot or a space';
  if (DEVICE.test(name)) return 'is a reserved device name';
  if (new TextEncoder().encode(name).length > LONGEST_NAME)
    return `is longer than ${LONGEST_NAME} bytes`;
  return null;
}

/** `．．` (full width) or `.` with a zero-width joiner: file systems that normalise would see a folder. */
function disguiseProblem(name: string): string | null {
  const visible = name.replace(/\p{Cf}/gu, '').normalize('NFKC');
  if (REPOSITORY.test(visible)) return "is the name of a Git repository's own folder";
  if (visible === '' || visible === '.' || visible === '..') return 'refers to a folder';
  if (/[/\\]/.test(visible)) return 'contains a path separator';
  return null;
}

/** Decodes every valid run of `%XX`; invalid runs stay. */
function percentDecode(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      // Not UTF-8 as a whole: the ASCII part as a byte-wise decoder would see it still counts.
      return run.replace(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
    }
  });
}

/**
 * Names or paths with the same key are duplicates: some file systems keep only one of `A.stan` and `a.stan`, or of two
 * compositions of an accent.
 */
export function doubleKey(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** Names or paths seen so far, by their {@link doubleKey}. */
export type SeenNames = Map<string, string>;

/** Records the name; returns why it conflicts with an earlier one, as a sentence, or null. */
export function noteName(seen: SeenNames, name: string): string | null {
  const key = doubleKey(name);
  const first = seen.get(key);
  if (first === undefined) {
    seen.set(key, name);
    return null;
  }
  return first.normalize('NFC') === name.normalize('NFC')
    ? `${quoteName(name)} occurs twice.`
    : `${quoteName(name)} occurs twice: ${quoteName(first)} differs from it only in case.`;
}

/**
 * Splits a relative path at `/` into checked segments. The error names the segment and says what is wrong with it.
 */
export function splitPath(
  path: string,
): { ok: true; value: string[] } | { ok: false; error: string } {
  const segments = path.split('/');
  for (const segment of segments) {
    const problem = segmentProblem(segment);
    if (problem !== null) return { ok: false, error: `${quoteName(segment)} ${problem}` };
  }
  return { ok: true, value: segments };
}

/** A name for messages: short, and without control characters. */
export function quoteName(name: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?');
  return `"${clean.length > 60 ? `${clean.slice(0, 57)}…` : clean}"`;
}
