/** The blocks of a tar archive around the bytes of its files, for writing a large archive piece by piece. */

/** Everything in a tar archive is padded to a multiple of this many bytes. */
export const BLOCK = 512;

/**
 * What precedes a file's bytes: a header in the layout of POSIX ustar, with a PAX record in front if the name is long
 * or not ASCII. Times are zero and there is no owner.
 */
export function tarHeader(path: string, size: number, isProgram = false): Uint8Array {
  return entryBlocks(path, { size, mode: isProgram ? 0o755 : 0o644, kind: '0' });
}

export function tarFolder(path: string): Uint8Array {
  return entryBlocks(`${path}/`, { size: 0, mode: 0o755, kind: '5' });
}

/** Zeros after a file's bytes up to the next block. */
export function tarPadding(size: number): Uint8Array {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
}

export function tarEnd(): Uint8Array {
  return new Uint8Array(2 * BLOCK);
}

interface EntryParts {
  readonly size: number;
  readonly mode: number;
  readonly kind: string;
}

function entryBlocks(path: string, parts: EntryParts): Uint8Array {
  const name = new TextEncoder().encode(path);
  if (name.length <= 100 && name.every((byte) => byte < 128)) return headerBlock(name, parts);
  const note = paxRecord('path', path);
  const noteHead = headerBlock(new TextEncoder().encode('PaxHeader'), {
    size: note.length,
    mode: 0o644,
    kind: 'x',
  });
  const padding = tarPadding(note.length);
  const blocks = new Uint8Array(noteHead.length + note.length + padding.length + BLOCK);
  blocks.set(noteHead);
  blocks.set(note, BLOCK);
  // Readers without PAX support get the beginning of the name.
  blocks.set(headerBlock(name.subarray(0, 100), parts), blocks.length - BLOCK);
  return blocks;
}

/** `length key=value\n`, where the length counts its own digits. */
function paxRecord(key: string, value: string): Uint8Array {
  const rest = new TextEncoder().encode(` ${key}=${value}\n`);
  let length = rest.length;
  while (String(length).length + rest.length !== length) length++;
  const record = new Uint8Array(length);
  record.set(new TextEncoder().encode(String(length)));
  record.set(rest, length - rest.length);
  return record;
}

function headerBlock(name: Uint8Array, { size, mode, kind }: EntryParts): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string) => block.set(new TextEncoder().encode(text), at);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  block.set(name.subarray(0, 100));
  put(100, octal(mode, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(size, 11));
  put(136, octal(0, 11));
  put(148, ' '.repeat(8));
  put(156, kind);
  put(257, 'ustar\u000000');
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(148, `${octal(sum, 6)}\u0000 `);
  return block;
}
