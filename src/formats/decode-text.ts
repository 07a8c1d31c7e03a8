/** Decodes text of unknown encoding: UTF-8 and UTF-16 with or without a mark, otherwise Windows-1252. */

export interface DecodedText {
  /** Without a byte order mark. */
  readonly text: string;
  readonly encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252';
}

/** Null: the bytes are not text. Never throws. */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  const utf16 = utf16Of(bytes);
  if (utf16 !== null)
    return checked({ text: new TextDecoder(utf16).decode(bytes), encoding: 'UTF-16' });
  try {
    return checked({
      text: new TextDecoder('utf-8', { fatal: true }).decode(bytes),
      encoding: 'UTF-8',
    });
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    return checked({ text, encoding: 'Windows-1252' });
  }
}

/** Files with control characters are not text, whatever the decoder says. */
function checked(decoded: DecodedText): DecodedText | null {
  return /[^\P{Cc}\s\u007f-\u009f]/u.test(decoded.text) ? null : decoded;
}

/** By its mark, or because every second byte of plain text is zero. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const peek = Math.min(bytes.length, 1024);
  if (peek < 4) return null;
  const zeros = [0, 0];
  for (let i = 0; i < peek; i++) if (bytes[i] === 0) zeros[i % 2]++;
  if (zeros[1] > peek * 0.3) return 'utf-16le';
  return zeros[0] > peek * 0.3 ? 'utf-16be' : null;
}
