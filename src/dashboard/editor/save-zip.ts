/** All files of a model as one download. */
import { saveFile } from '../ui/save-file.ts';
import { type FileTree, fileBytes, listFiles } from './file-tree.ts';

/** Null: handed to the browser; else why not. */
export async function saveZip(name: string, tree: FileTree): Promise<string | null> {
  const { writeZip } = await import('../../formats/archive.ts');
  const files = listFiles(tree).map(({ entry, path }) => ({
    path,
    bytes: fileBytes(entry),
    encoding: 'base64' as const,
  }));
  const zip = writeZip({ files, emptyFolders: [] });
  if (!zip.ok) return zip.error.message;
  saveFile(`${name}.zip`, 'application/zip', new Uint8Array(zip.value));
  return null;
}
