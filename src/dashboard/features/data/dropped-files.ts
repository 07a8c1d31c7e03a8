/** Files of a drop, including those in folders. */
import type { GivenFile } from './use-uploads.ts';

/** Files that file managers add to folders. */
const noise = /(?:^|\/)(?:\.git|__MACOSX)(?:\/|$)|(?:^|\/)\.DS_Store$/;

/** Must be called in the event itself, since the browser empties the drop afterwards. */
export async function filesOfDrop(transfer: DataTransfer): Promise<GivenFile[]> {
  const entries = Array.from(transfer.items).flatMap((item) => {
    const entry = item.kind === 'file' ? (item.webkitGetAsEntry?.() ?? null) : null;
    return entry === null ? [] : [entry];
  });
  if (entries.length === 0)
    return Array.from(transfer.files, (file) => ({ name: file.name, file }));
  const files: GivenFile[] = [];
  for (const entry of entries) await walk(entry, '', files);
  return files;
}

async function walk(entry: FileSystemEntry, folder: string, files: GivenFile[]): Promise<void> {
  const name = folder + entry.name;
  if (noise.test(name)) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    files.push({ name, file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader returns its entries a hundred at a time, and none at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return;
    for (const child of batch) await walk(child, `${name}/`, files);
  }
}
