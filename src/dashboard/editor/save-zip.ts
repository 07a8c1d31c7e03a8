/** All files of a model as one download. */
import { saveFile } from '../ui/save-file.ts';
import { showToast } from '../ui/toasts.tsx';
import { type FileTree, fileBytes, listFiles } from './file-tree.ts';

/** Passes it to the browser, or explains in a toast why it cannot. */
export async function saveZip(name: string, tree: FileTree): Promise<void> {
  const { writeZip } = await import('../../formats/archive.ts');
  const files = listFiles(tree).map(({ entry, path }) => ({
    path,
    bytes: fileBytes(entry),
    encoding: 'base64' as const,
  }));
  const zip = writeZip({ files, emptyFolders: [] });
  if (zip.ok) saveFile(`${name}.zip`, 'application/zip', new Uint8Array(zip.value));
  else showToast({ message: `Not downloaded: ${zip.error.message}`, tone: 'bad' });
}
