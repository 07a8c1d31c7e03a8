/** Model content `{meta, tree}` as sent over the wire: checked, flattened to files, and rebuilt byte for byte. */
import { err, ok, type Result } from '../shared/result.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { noteName, quoteName, type SeenNames, segmentProblem, splitPath } from './path-segment.ts';

export type FileEncoding = 'base64' | 'text';

/** A node as sent; structurally the contract's `TreeNode`. */
export interface ModelTreeNode {
  name: string;
  type?: 'file' | 'folder';
  content?: string;
  children?: ModelTreeNode[];
  encoding?: FileEncoding;
}

export interface ModelTreeMeta {
  project_file?: string;
  entrance_file?: string;
  entrance_func?: string;
  manifest?: string;
}

/** A file in a tree. `encoding` is how it arrived, so that it can be sent back the same way. */
export interface ModelFile {
  /** Segments joined by `/`, relative. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly encoding: FileEncoding;
}

/** Files in tree order, and empty folders. */
export interface ModelFiles {
  readonly files: readonly ModelFile[];
  readonly emptyFolders: readonly string[];
}

export interface TreeLimits {
  /** Bytes of one file, decoded. */
  readonly fileBytes: number;
  /** Bytes of all files together, decoded. */
  readonly totalBytes: number;
  /** Files and folders together. */
  readonly nodes: number;
  /** Segments of the longest path. */
  readonly depth: number;
}

export const defaultTreeLimits: TreeLimits = {
  fileBytes: 16 * 2 ** 20,
  totalBytes: 64 * 2 ** 20,
  nodes: 2000,
  depth: 32,
};

/** What is wrong with a tree. `TOO_LARGE` has the limit and the actual value. */
export interface TreeProblem {
  readonly code: 'INVALID_PARAMETER' | 'TOO_LARGE';
  readonly path: string;
  readonly message: string;
  readonly limit?: number;
  readonly size?: number;
}

/** The documented API's defaults if `meta` is absent. */
export const defaultTreeMeta = {
  project_file: 'Project.toml',
  entrance_file: 'main.jl',
  entrance_func: 'model',
  manifest: 'Manifest.toml',
} as const;

export const invalid = (path: string, message: string) =>
  err<TreeProblem>({ code: 'INVALID_PARAMETER', path, message });
export const tooLarge = (path: string, message: string, limit: number, size: number) =>
  err<TreeProblem>({ code: 'TOO_LARGE', path, message, limit, size });

/** A list of siblings during the traversal of a tree. */
interface Level {
  readonly siblings: readonly ModelTreeNode[];
  /** Index of the next sibling. */
  next: number;
  /** Path of the folder, with a trailing `/`; empty at the root. */
  readonly folder: string;
  readonly depth: number;
  readonly names: SeenNames;
}

const enter = (siblings: readonly ModelTreeNode[], folder: string, depth: number): Level => ({
  siblings,
  next: 0,
  folder,
  depth,
  names: new Map(),
});

/**
 * Checks a tree (names, duplicates, types, depth, counts, sizes, encodings) and returns its files. Stops at the first
 * problem. Does not recurse, so a deep tree costs no stack.
 */
export function flattenTree(
  tree: readonly ModelTreeNode[],
  limits: TreeLimits = defaultTreeLimits,
): Result<ModelFiles, TreeProblem> {
  const files: ModelFile[] = [];
  const emptyFolders: string[] = [];
  const levels = [enter(tree, '', 1)];
  let nodes = 0;
  let total = 0;
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (level.next === level.siblings.length) {
      levels.pop();
      continue;
    }
    const node = level.siblings[level.next++];
    const path = level.folder + node.name;
    const problem = nameProblem(node.name, path, level.names) ?? shapeProblem(node, path);
    if (problem !== null) return invalid(path, problem);
    if (++nodes > limits.nodes) {
      const message = `The tree has more than ${limits.nodes} files and folders.`;
      return tooLarge(path, message, limits.nodes, nodes);
    }
    if (isFolder(node)) {
      const children = node.children ?? [];
      if (children.length > 0 && level.depth >= limits.depth) {
        const message = `The tree is deeper than ${limits.depth} levels.`;
        return tooLarge(path, message, limits.depth, level.depth + 1);
      }
      if (children.length === 0) emptyFolders.push(path);
      else levels.push(enter(children, `${path}/`, level.depth + 1));
      continue;
    }
    const file = readFile(node, path, limits);
    if (!file.ok) return file;
    total += file.value.bytes.length;
    if (total > limits.totalBytes) {
      const message = `The files together have more than ${limits.totalBytes} bytes.`;
      return tooLarge(path, message, limits.totalBytes, total);
    }
    files.push(file.value);
  }
  return ok({ files, emptyFolders });
}

function nameProblem(name: string, path: string, names: SeenNames): string | null {
  const problem = segmentProblem(name);
  if (problem !== null) return `The name ${quoteName(name)} ${problem}.`;
  return noteName(names, path);
}

function shapeProblem(node: ModelTreeNode, path: string): string | null {
  if (isFolder(node)) {
    return node.content ? `The folder ${quoteName(path)} has content of its own.` : null;
  }
  return (node.children?.length ?? 0) > 0 ? `The file ${quoteName(path)} has children.` : null;
}

function readFile(
  node: ModelTreeNode,
  path: string,
  limits: TreeLimits,
): Result<ModelFile, TreeProblem> {
  const decoded = decodeContent(node.content ?? '', node.encoding);
  if (decoded === null) return invalid(path, `The content of ${quoteName(path)} is not base64.`);
  const size = decoded.bytes.length;
  if (size > limits.fileBytes) {
    const message = `${quoteName(path)} has ${size} bytes, more than ${limits.fileBytes}.`;
    return tooLarge(path, message, limits.fileBytes, size);
  }
  return ok({ path, ...decoded });
}

/** If the type is absent, a node with children or without content is a folder. */
function isFolder({ type, children, content }: ModelTreeNode): boolean {
  if (type !== undefined) return type === 'folder';
  return (children?.length ?? 0) > 0 || content === undefined;
}

/**
 * Bytes of a node's content. `encoding` says how to read it; if absent, it is base64 if the bytes are valid UTF-8
 * without control characters, or if the text cannot be a text file. Null: declared as base64 but invalid.
 */
export function decodeContent(
  content: string,
  encoding?: FileEncoding,
): { bytes: Uint8Array; encoding: FileEncoding } | null {
  if (encoding !== 'text') {
    const bytes = fromBase64(content);
    if (encoding === 'base64') return bytes === null ? null : { bytes, encoding };
    if (bytes !== null && (decodeText(bytes) !== null || cannotBeText(content)))
      return { bytes, encoding: 'base64' };
  }
  return { bytes: new TextEncoder().encode(content), encoding: 'text' };
}

/**
 * Text that decodes as base64 but not to text: base64 of a binary file, or a word that looks like it. Natural text has
 * no words with two padding signs, or unbroken words of 24 or more letters in both cases with digits.
 */
function cannotBeText(content: string): boolean {
  const compact = content.trim().replace(/[\r\n]/g, '');
  if (/\s/.test(compact)) return false;
  if (compact.endsWith('==')) return true;
  return (
    compact.length >= 24 && /[A-Z]/.test(compact) && /[a-z]/.test(compact) && /[\d+/]/.test(compact)
  );
}

/** Decoded text; null if the bytes are not valid UTF-8 or have control characters other than tab and line ends. */
export function decodeText(bytes: Uint8Array): string | null {
  const text = decodeUtf8(bytes);
  if (text === null) return null;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 ? code !== 9 && code !== 10 && code !== 12 && code !== 13 : code === 127)
      return null;
  }
  return text;
}

/** Null if the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The folders that contain none of `paths`. */
export function withoutContent(folders: readonly string[], paths: readonly string[]): string[] {
  const empty = new Set(folders);
  for (const path of paths)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      empty.delete(path.slice(0, end));
  return [...empty];
}

/**
 * The tree of some files, in the given order, creating folders as needed; inverse of {@link flattenTree}. Files keep
 * their encoding, except that one that is not UTF-8 is always sent as base64. Refused: invalid or duplicate paths, a
 * file where a folder is needed.
 */
export function buildTree({
  files,
  emptyFolders,
}: ModelFiles): Result<ModelTreeNode[], TreeProblem> {
  const root: ModelTreeNode[] = [];
  const folders = new Map<string, ModelTreeNode[]>();
  const seen: SeenNames = new Map();
  /** Paths that were placed, not created on the way. */
  const paths = new Set<string>();

  const place = (
    path: string,
    node: ModelTreeNode,
    segments: readonly string[],
  ): Result<null, TreeProblem> => {
    let children = root;
    let parent = '';
    for (const segment of segments.slice(0, -1)) {
      parent = parent === '' ? segment : `${parent}/${segment}`;
      let next = folders.get(parent);
      if (next === undefined) {
        if (paths.has(parent))
          return invalid(path, `${quoteName(parent)} is a file, so it cannot contain others.`);
        const problem = noteName(seen, parent);
        if (problem !== null) return invalid(path, problem);
        next = [];
        folders.set(parent, next);
        children.push({ name: segment, type: 'folder', children: next });
      }
      children = next;
    }
    const problem = noteName(seen, path);
    if (problem !== null) return invalid(path, problem);
    paths.add(path);
    if (node.children !== undefined) folders.set(path, node.children);
    children.push(node);
    return ok(null);
  };

  for (const file of files) {
    const segments = splitPath(file.path);
    if (!segments.ok) return invalid(file.path, `The name ${segments.error}.`);
    const name = segments.value[segments.value.length - 1];
    const placed = place(file.path, { name, type: 'file', ...encodeContent(file) }, segments.value);
    if (!placed.ok) return placed;
  }
  for (const path of emptyFolders) {
    const segments = splitPath(path);
    if (!segments.ok) return invalid(path, `The name ${segments.error}.`);
    if (folders.has(path)) continue;
    const name = segments.value[segments.value.length - 1];
    const placed = place(path, { name, type: 'folder', children: [] }, segments.value);
    if (!placed.ok) return placed;
  }
  return ok(root);
}

function encodeContent({ bytes, encoding }: ModelFile): {
  content: string;
  encoding: FileEncoding;
} {
  const text = encoding === 'text' ? decodeUtf8(bytes) : null;
  return text === null
    ? { content: toBase64(bytes), encoding: 'base64' }
    : { content: text, encoding: 'text' };
}
