/** Files of a drop, including those in folders. */

export interface DroppedFile {
  /** With the folders it is in, separated by `/`. */
  readonly name: string;
  readonly file: File;
}

export interface Wanted {
  /** Names of files and folders that are left out. */
  readonly noise: RegExp;
  /** No more are looked for. */
  readonly most?: number;
}

/** Must be called in the event itself, since the browser empties the drop afterwards. */
export async function filesOfDrop(transfer: DataTransfer, wanted: Wanted): Promise<DroppedFile[]> {
  const entries = Array.from(transfer.items).flatMap((item) => {
    const entry = item.kind === 'file' ? (item.webkitGetAsEntry?.() ?? null) : null;
    return entry === null ? [] : [entry];
  });
  if (entries.length === 0)
    return Array.from(transfer.files, (file) => ({ name: file.name, file }));
  const files: DroppedFile[] = [];
  for (const entry of entries) await walk(entry, '', files, wanted);
  return files;
}

async function walk(
  entry: FileSystemEntry,
  folder: string,
  files: DroppedFile[],
  wanted: Wanted,
): Promise<void> {
  const { noise, most = Number.POSITIVE_INFINITY } = wanted;
  const name = folder + entry.name;
  if (noise.test(name) || files.length > most) return;
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
    for (const child of batch) await walk(child, `${name}/`, files, wanted);
  }
}
