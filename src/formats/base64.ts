/** Bytes as base64 text and back, in the browser, in workers and in Node alike. */

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  const chunk = 0x6000;
  let binary = '';
  // by `apply`: a spread iterates over the bytes
  for (let from = 0; from < bytes.length; from += chunk) {
    binary += Reflect.apply(String.fromCharCode, null, bytes.subarray(from, from + chunk));
  }
  return btoa(binary);
}

/** The bytes of standard base64, ignoring whitespace; null if it is invalid (padding is required). */
export function fromBase64(text: string): Uint8Array | null {
  const compact = text.replace(/\s/g, '');
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return null;
  const binary = atob(compact);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
