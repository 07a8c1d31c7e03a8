/** The files of a model during editing: an immutable tree; unchanged nodes are sent back as they came. */
import type { ModelContent, TreeNode } from '../../contract/model.ts';
import { entranceFile } from '../../formats/entrance-file.ts';
import { decodeText } from '../../formats/model-tree.ts';
import { doubleKey, segmentProblem } from '../../formats/path-segment.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { decode, encode, encodingOf, isFolderNode, isSameBytes, newNode } from './tree-nodes.ts';

export interface FileEntry {
  readonly kind: 'file';
  /** Stays through edits, renames and moves. */
  readonly id: number;
  readonly name: string;
  /** As it came from the server, or as it was added. */
  readonly node: TreeNode;
  /** The text when it differs from the node's. */
  readonly edited: string | null;
}

export interface FolderEntry {
  readonly kind: 'folder';
  readonly id: number;
  readonly name: string;
  readonly node: TreeNode | null;
  readonly children: readonly Entry[];
}

export type Entry = FileEntry | FolderEntry;

export interface FileTree {
  readonly entries: readonly Entry[];
  readonly meta: ModelContent['meta'];
  /** What the server has. */
  readonly saved: SavedContent;
  readonly nextId: number;
}

export interface SavedContent {
  readonly content: ModelContent;
  /** Path of every node by its entry's id. */
  readonly paths: ReadonlyMap<number, string>;
  readonly nodes: ReadonlyMap<number, TreeNode>;
}

export interface PlacedFile {
  readonly entry: FileEntry;
  readonly path: string;
}

/** The tree as the server has it; ids begin with `firstId`, so that they do not clash with those of another tree. */
export function fromContent(content: ModelContent, firstId = 1): FileTree {
  let nextId = firstId;
  const paths = new Map<number, string>();
  const nodes = new Map<number, TreeNode>();
  const read = (siblings: readonly TreeNode[], folder: string): Entry[] =>
    siblings.map((node) => {
      const id = nextId++;
      const path = folder + node.name;
      paths.set(id, path);
      nodes.set(id, node);
      if (!isFolderNode(node)) return { kind: 'file', id, name: node.name, node, edited: null };
      return {
        kind: 'folder',
        id,
        name: node.name,
        node,
        children: read(node.children ?? [], `${path}/`),
      };
    });
  const entries = read(content.tree, '');
  return { entries, meta: content.meta, saved: { content, paths, nodes }, nextId };
}

/** What is sent: the saved object itself when nothing changed, and the saved node of each unchanged entry. */
export function toContent(tree: FileTree): ModelContent {
  const { content } = tree.saved;
  const nodes = tree.entries.map(toNode);
  const isSame = isSameList(nodes, content.tree) && tree.meta === content.meta;
  return isSame ? content : { ...content, meta: tree.meta, tree: nodes };
}

function toNode(entry: Entry): TreeNode {
  const { node, name } = entry;
  if (entry.kind === 'file') {
    if (entry.edited === null)
      return entry.node.name === name ? entry.node : { ...entry.node, name };
    return { ...entry.node, name, type: 'file', ...encode(entry.edited, encodingOf(entry.node)) };
  }
  const children = entry.children.map(toNode);
  if (node !== null && node.name === name && isSameList(children, node.children ?? [])) return node;
  return { ...node, name, type: 'folder', children };
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

/** The text as it is now; null for a file that is not text. */
export function fileText(file: FileEntry): string | null {
  return file.edited ?? decode(file.node).text;
}

export function fileBytes(file: FileEntry): Uint8Array {
  return file.edited === null ? decode(file.node).bytes : new TextEncoder().encode(file.edited);
}

export interface Place {
  readonly entry: Entry;
  readonly path: string;
  /** The folder that contains it; null at the root. */
  readonly parent: FolderEntry | null;
}

/** All entries in tree order, a folder before its contents. */
function* placesOf(
  entries: readonly Entry[],
  folder = '',
  parent: FolderEntry | null = null,
): Generator<Place> {
  for (const entry of entries) {
    const path = folder + entry.name;
    yield { entry, path, parent };
    if (entry.kind === 'folder') yield* placesOf(entry.children, `${path}/`, entry);
  }
}

/** Files in tree order with their paths. */
export function listFiles(tree: Pick<FileTree, 'entries'>): PlacedFile[] {
  return [...placesOf(tree.entries)].flatMap(({ entry, path }) =>
    entry.kind === 'file' ? [{ entry, path }] : [],
  );
}

/** The path of the file that is run; null when there is none. */
export function entranceOf(tree: Pick<FileTree, 'entries' | 'meta'>): string | null {
  return entranceFile(
    tree.meta,
    listFiles(tree).map(({ path }) => path),
  );
}

export function findEntry(tree: Pick<FileTree, 'entries'>, id: number): Place | null {
  for (const place of placesOf(tree.entries)) if (place.entry.id === id) return place;
  return null;
}

export function findFileByPath(tree: Pick<FileTree, 'entries'>, path: string): FileEntry | null {
  return listFiles(tree).find((file) => file.path === path)?.entry ?? null;
}

function childrenOf(tree: FileTree, folderId: number | null): readonly Entry[] {
  if (folderId === null) return tree.entries;
  const place = findEntry(tree, folderId);
  return place?.entry.kind === 'folder' ? place.entry.children : [];
}

/** True when another entry of that folder has the same name, ignoring case and Unicode composition. */
function isTaken(tree: FileTree, folderId: number | null, name: string, exceptId?: number) {
  const key = doubleKey(name);
  return childrenOf(tree, folderId).some(
    (entry) => entry.id !== exceptId && doubleKey(entry.name) === key,
  );
}

/** Why `name` is not allowed in that folder, as a sentence; null when it is. */
export function nameProblem(
  tree: FileTree,
  folderId: number | null,
  name: string,
  exceptId?: number,
): string | null {
  const problem = segmentProblem(name);
  if (problem !== null) return name === '' ? 'Type a name.' : `This name ${problem}.`;
  return isTaken(tree, folderId, name, exceptId) ? `${name} is already in this folder.` : null;
}

/** Rewrites the children of one folder (null: the root). */
function editFolder(
  tree: FileTree,
  folderId: number | null,
  edit: (children: readonly Entry[]) => readonly Entry[],
): FileTree {
  if (folderId === null) return { ...tree, entries: edit(tree.entries) };
  const visit = (entries: readonly Entry[]): readonly Entry[] =>
    mapKeeping(entries, (entry) => {
      if (entry.kind === 'file') return entry;
      const children = entry.id === folderId ? edit(entry.children) : visit(entry.children);
      return children === entry.children ? entry : { ...entry, children };
    });
  return { ...tree, entries: visit(tree.entries) };
}

/** Like `map`, but the same list when no item changed. */
function mapKeeping<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  const changed = items.map(change);
  return isSameList(changed, items) ? items : changed;
}

function editEntry(tree: FileTree, id: number, edit: (entry: Entry) => Entry): FileTree {
  const parent = findEntry(tree, id)?.parent?.id ?? null;
  return editFolder(tree, parent, (children) =>
    mapKeeping(children, (entry) => (entry.id === id ? edit(entry) : entry)),
  );
}

export type Change = Result<{ readonly tree: FileTree; readonly id: number }, string>;

export function createFile(
  tree: FileTree,
  folderId: number | null,
  name: string,
  content: string | Uint8Array = '',
): Change {
  return addEntry(tree, folderId, name, (id) => {
    const node = newNode(name, content);
    return { kind: 'file', id, name, node, edited: null };
  });
}

export function createFolder(tree: FileTree, folderId: number | null, name: string): Change {
  return addEntry(tree, folderId, name, (id) => {
    return { kind: 'folder', id, name, node: null, children: [] };
  });
}

function addEntry(
  tree: FileTree,
  folderId: number | null,
  name: string,
  make: (id: number) => Entry,
): Change {
  const problem = nameProblem(tree, folderId, name);
  if (problem !== null) return err(problem);
  const id = tree.nextId;
  const added = editFolder(tree, folderId, (children) => [...children, make(id)]);
  return ok({ tree: { ...added, nextId: id + 1 }, id });
}

export function rename(tree: FileTree, id: number, name: string): Change {
  const place = findEntry(tree, id);
  if (place === null) return err('It no longer exists.');
  const problem = nameProblem(tree, place.parent?.id ?? null, name, id);
  if (problem !== null) return err(problem);
  return ok({
    tree: followEntrance(
      tree,
      editEntry(tree, id, (entry) => ({ ...entry, name })),
    ),
    id,
  });
}

/** Moves an entry into a folder (null: the root). */
export function move(tree: FileTree, id: number, folderId: number | null): Change {
  const place = findEntry(tree, id);
  if (place === null) return err('It no longer exists.');
  const { entry, parent } = place;
  if ((parent?.id ?? null) === folderId) return ok({ tree, id });
  if (folderId !== null && findEntry({ entries: [entry] }, folderId) !== null)
    return err('A folder cannot be moved into itself.');
  const problem = nameProblem(tree, folderId, entry.name);
  if (problem !== null) return err(problem);
  const moved = editFolder(remove(tree, id), folderId, (children) => [...children, entry]);
  return ok({ tree: followEntrance(tree, moved), id });
}

export function remove(tree: FileTree, id: number): FileTree {
  const parent = findEntry(tree, id)?.parent?.id ?? null;
  return editFolder(tree, parent, (children) => children.filter((entry) => entry.id !== id));
}

/** A copy next to it, called `name copy.ext`, `name copy 2.ext`, … */
export function duplicate(tree: FileTree, id: number): Change {
  const place = findEntry(tree, id);
  if (place === null) return err('It no longer exists.');
  const { entry, parent } = place;
  const folderId = parent?.id ?? null;
  const dot = entry.kind === 'file' ? entry.name.lastIndexOf('.') : -1;
  const [stem, suffix] =
    dot > 0 ? [entry.name.slice(0, dot), entry.name.slice(dot)] : [entry.name, ''];
  let name = `${stem} copy${suffix}`;
  for (let n = 2; isTaken(tree, folderId, name); n++) name = `${stem} copy ${n}${suffix}`;
  const problem = nameProblem(tree, folderId, name);
  if (problem !== null) return err(problem);
  let nextId = tree.nextId;
  const copy = (source: Entry, copyName: string): Entry => {
    const copyId = nextId++;
    if (source.kind === 'file') {
      const { edited } = source;
      const node: TreeNode =
        edited === null ? { ...source.node, name: copyName } : newNode(copyName, edited);
      return { kind: 'file', id: copyId, name: copyName, node, edited: null };
    }
    const children = source.children.map((child) => copy(child, child.name));
    return { kind: 'folder', id: copyId, name: copyName, node: null, children };
  };
  const copied = copy(entry, name);
  const added = editFolder(tree, folderId, (children) =>
    children.flatMap((child) => (child.id === id ? [child, copied] : [child])),
  );
  return ok({ tree: { ...added, nextId }, id: copied.id });
}

export function setText(tree: FileTree, id: number, text: string): FileTree {
  return editEntry(tree, id, (entry) => {
    if (entry.kind === 'folder' || fileText(entry) === text) return entry;
    return { ...entry, edited: decode(entry.node).text === text ? null : text };
  });
}

/** Replaces a file's bytes: by an upload, or the other side of a conflict. Text over text is an edit. */
function setBytes(tree: FileTree, id: number, bytes: Uint8Array): FileTree {
  const text = decodeText(bytes);
  return editEntry(tree, id, (entry) => {
    if (entry.kind === 'folder' || isSameBytes(fileBytes(entry), bytes)) return entry;
    const before = decode(entry.node).text;
    if (text === null || before === null) {
      return { ...entry, node: newNode(entry.name, bytes), edited: null };
    }
    return { ...entry, edited: before === text ? null : text };
  });
}

/** Adds a file at a path and creates missing folders; an existing file gets the new bytes. */
export function putFile(tree: FileTree, path: string, bytes: Uint8Array): Change {
  const existing = findFileByPath(tree, path);
  if (existing !== null) return ok({ tree: setBytes(tree, existing.id, bytes), id: existing.id });
  const folder = putFolder(tree, path.split('/').slice(0, -1));
  if (!folder.ok) return folder;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folderId = folder.value.id === 0 ? null : folder.value.id;
  return createFile(folder.value.tree, folderId, name, bytes);
}

/** Creates the missing folders of a path; id 0 is the root. */
function putFolder(tree: FileTree, segments: readonly string[]): Change {
  let current = tree;
  let parent: number | null = null;
  for (const segment of segments) {
    const found: Entry | undefined = childrenOf(current, parent).find(
      (entry) => entry.name === segment,
    );
    if (found?.kind === 'folder') {
      parent = found.id;
      continue;
    }
    const made = createFolder(current, parent, segment);
    if (!made.ok) return made;
    current = made.value.tree;
    parent = made.value.id;
  }
  return ok({ tree: current, id: parent ?? 0 });
}

/** Sets the file that is run. */
export function setEntrance(tree: FileTree, path: string): FileTree {
  return setMeta(tree, { entrance_file: path });
}

/** Sets how the files are run; an empty value is left out. */
export function setMeta(tree: FileTree, change: NonNullable<ModelContent['meta']>): FileTree {
  const { meta: saved } = tree.saved.content;
  const members = Object.entries({ ...tree.meta, ...change });
  const meta = Object.fromEntries(
    members.filter(([key, value]) => value !== '' || saved?.[key as keyof typeof saved] === ''),
  );
  if (isSameMeta(meta, tree.meta)) return tree;
  return { ...tree, meta: isSameMeta(meta, saved) ? saved : meta };
}

function isSameMeta(a: ModelContent['meta'], b: ModelContent['meta']): boolean {
  const sorted = (meta: ModelContent['meta']) =>
    Object.entries(meta ?? {})
      .map((member) => JSON.stringify(member))
      .sort()
      .join();
  return sorted(a) === sorted(b);
}

/** An entrance that was renamed or moved is still the entrance. */
function followEntrance(before: FileTree, after: FileTree): FileTree {
  const named = before.meta?.entrance_file;
  const file = named ? findFileByPath(before, named) : null;
  const place = file === null ? null : findEntry(after, file.id);
  return place === null ? after : setEntrance(after, place.path);
}

/** Restores a removed entry; at the root when its folder is gone, or under another name when its own is taken. */
export function insertEntry(tree: FileTree, folderId: number | null, entry: Entry): FileTree {
  const target =
    folderId !== null && findEntry(tree, folderId)?.entry.kind === 'folder' ? folderId : null;
  let { name } = entry;
  while (nameProblem(tree, target, name) !== null) name = `${name} restored`;
  return editFolder(tree, target, (children) => [
    ...children,
    name === entry.name ? entry : { ...entry, name },
  ]);
}
