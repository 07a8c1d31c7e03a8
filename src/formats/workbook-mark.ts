/** The first bytes of workbooks and archives, separate from their readers, which are loaded on demand. */

export const isArchive = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;

/** Old workbooks, and new ones with a password. */
export const isCompound = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0;

/** Recognised by the name of its main part in the list of files, which is at the end. */
export function isWorkbook(bytes: Uint8Array): boolean {
  if (!isArchive(bytes)) return false;
  const end = new TextDecoder('latin1').decode(bytes.subarray(-65_536));
  return end.includes('xl/workbook.');
}
