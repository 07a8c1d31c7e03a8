/** Passes text or bytes to the browser as a download. */
export function saveFile(
  name: string,
  type: string,
  content: string | Uint8Array<ArrayBuffer>,
): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_');
  link.click();
  // Once begun, the download holds its own reference to the bytes.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
