/** Files that a person drops or picks, folders and zip archives included, as paths and bytes. */
import { defaultTreeLimits } from '../../../formats/model-tree.ts';
import { splitPath } from '../../../formats/path-segment.ts';
import { type DroppedFile, filesOfDrop } from '../../ui/dropped-files.ts';
import { formatBytes } from '../../ui/numbers.ts';

export interface ImportedFile {
  /** Relative, separated by `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface ImportedFiles {
  /** Name of the single folder or archive that was given; empty for loose files. */
  readonly name: string;
  readonly files: readonly ImportedFile[];
  /** What was left out and why, one sentence each. */
  readonly problems: readonly string[];
}

/** A file before it is read. */
export interface GivenFile {
  readonly path: string;
  readonly size: number;
  readonly read: () => Promise<Uint8Array>;
}

/** What version control and file managers store next to the files. */
const noise =
  /(?:^|\/)(?:\.git|__MACOSX|node_modules|__pycache__|\.Rproj\.user)(?:\/|$)|(?:^|\/)\.DS_Store$/;

const givenOf = ({ name, file }: DroppedFile): GivenFile => ({
  path: name,
  size: file.size,
  read: async () => new Uint8Array(await file.arrayBuffer()),
});

export function filesOfList(list: Iterable<File>): Promise<ImportedFiles> {
  return readGiven(
    Array.from(list, (file) => givenOf({ name: file.webkitRelativePath || file.name, file })),
  );
}

/** The contents of a drop: must be called in the event itself, since the browser empties it afterwards. */
export async function importDrop(transfer: DataTransfer): Promise<ImportedFiles> {
  const files = await filesOfDrop(transfer, { noise, most: defaultTreeLimits.nodes });
  return readGiven(files.map(givenOf));
}

/** Reads what fits within the limits of a tree and reports the rest; unpacks a single zip. */
export async function readGiven(given: readonly GivenFile[]): Promise<ImportedFiles> {
  const wanted = given.filter(({ path }) => !noise.test(path));
  const [only] = wanted.length === 1 ? wanted : [];
  if (only !== undefined && /\.zip$/i.test(only.path)) return readArchive(only);
  const { fileBytes, totalBytes, nodes } = defaultTreeLimits;
  const problems: string[] = [];
  const files: ImportedFile[] = [];
  let total = 0;
  for (const { path, size, read } of wanted) {
    const segments = splitPath(path);
    if (!segments.ok) problems.push(`${path} was left out: the name ${segments.error}.`);
    else if (size > fileBytes)
      problems.push(
        `${path} was left out: it is ${formatBytes(size)}, and the limit per file is ${formatBytes(fileBytes)}.`,
      );
    else if (files.length >= nodes) {
      problems.push(`Only the first ${nodes} files were added.`);
      break;
    } else if (total + size > totalBytes)
      problems.push(`${path} was left out: the limit per model is ${formatBytes(totalBytes)}.`);
    else {
      total += size;
      files.push({ path, bytes: await read() });
    }
  }
  return { ...withoutRoot(files), problems };
}

async function readArchive({ path, read }: GivenFile): Promise<ImportedFiles> {
  const { readZip } = await import('../../../formats/archive.ts');
  const unpacked = readZip(await read());
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.zip$/i, '');
  if (!unpacked.ok)
    return { name, files: [], problems: [`${path} could not be read. ${unpacked.error.message}`] };
  const files = unpacked.value.files
    .filter((file) => !noise.test(file.path))
    .map((file) => ({ path: file.path, bytes: file.bytes }));
  const inner = withoutRoot(files);
  return {
    name: inner.name || name,
    files: inner.files,
    problems: files.length === 0 ? [`${path} holds no files.`] : [],
  };
}

/** Strips the folder if all files are in one folder. */
function withoutRoot(files: readonly ImportedFile[]): {
  name: string;
  files: readonly ImportedFile[];
} {
  const [root = ''] = files[0]?.path.split('/') ?? [];
  const isShared = files.length > 0 && files.every(({ path }) => path.startsWith(`${root}/`));
  if (!isShared) return { name: '', files };
  return {
    name: root,
    files: files.map(({ path, bytes }) => ({ path: path.slice(root.length + 1), bytes })),
  };
}
