/** How the current tree differs from the server's, and how a draft of it is saved. */

import type { ModelContent, TreeNode } from '../../contract/model.ts';
import { itemAt } from '../../shared/items.ts';
import {
  type Entry,
  type FileEntry,
  type FileTree,
  fileText,
  fromContent,
  listFiles,
} from './file-tree.ts';
import { isFolderNode } from './tree-nodes.ts';

/** Letters as in version control: edited (or renamed, moved), added. */
export type FileMark = 'M' | 'A';

function markOf(tree: FileTree, file: FileEntry, path: string): FileMark | null {
  const saved = tree.saved.nodes.get(file.id);
  if (saved === undefined) return 'A';
  return file.edited !== null || file.node !== saved || tree.saved.paths.get(file.id) !== path
    ? 'M'
    : null;
}

export interface TreeChanges {
  readonly marks: ReadonlyMap<number, FileMark>;
  /** Paths the server has and this tree no longer has. */
  readonly deleted: readonly string[];
  /** Folders were added or removed, or the entrance is another file. */
  readonly others: boolean;
}

export function changesOf(tree: FileTree): TreeChanges {
  const marks = new Map<number, FileMark>();
  const files = new Set<number>();
  for (const { entry, path } of listFiles(tree)) {
    files.add(entry.id);
    const mark = markOf(tree, entry, path);
    if (mark !== null) marks.set(entry.id, mark);
  }
  const present = new Map<number, string>();
  const visit = (entries: readonly Entry[], folder: string): void => {
    for (const entry of entries) {
      present.set(entry.id, folder + entry.name);
      if (entry.kind === 'folder') visit(entry.children, `${folder}${entry.name}/`);
    }
  };
  visit(tree.entries, '');
  const { paths, nodes, content } = tree.saved;
  const isSavedFolder = (id: number) => {
    const node = nodes.get(id);
    return node !== undefined && isFolderNode(node);
  };
  const deleted = [...paths]
    .filter(([id]) => !present.has(id) && !isSavedFolder(id))
    .map(([, path]) => path);
  const foldersChanged =
    [...paths].some(([id, path]) => isSavedFolder(id) && present.get(id) !== path) ||
    [...present.keys()].some((id) => !files.has(id) && !isSavedFolder(id));
  return { marks, deleted, others: foldersChanged || tree.meta !== content.meta };
}

export function isDirty({ marks, deleted, others }: TreeChanges): boolean {
  return marks.size > 0 || deleted.length > 0 || others;
}

/** "1 file edited", "2 files edited, 1 deleted"; the text of the save state. */
export function changeText({ marks, deleted }: TreeChanges): string {
  const edited = [...marks.values()].filter((mark) => mark === 'M').length;
  const added = marks.size - edited;
  const counts: [number, string][] = [
    [edited, 'edited'],
    [added, 'added'],
    [deleted.length, 'deleted'],
  ];
  const parts = counts
    .filter(([n]) => n > 0)
    .map(([n, done], i) => (i > 0 ? `${n} ${done}` : `${n} ${n === 1 ? 'file' : 'files'} ${done}`));
  return parts.length === 0 ? 'Folders or entrance file changed' : parts.join(', ');
}

/** An entry of a saved draft: content from the server is referred to by its path there, so drafts stay small. */
export interface DraftNode {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  readonly from?: string;
  readonly node?: TreeNode;
  readonly edited?: string;
  readonly children?: readonly DraftNode[];
}

export interface DraftTree {
  readonly meta: ModelContent['meta'];
  readonly nodes: readonly DraftNode[];
}

export function toDraft(tree: FileTree): DraftTree {
  const write = (entry: Entry): DraftNode => {
    const { name, kind } = entry;
    const from = tree.saved.paths.get(entry.id);
    const origin = from === undefined ? {} : { from };
    if (entry.kind === 'folder')
      return { name, kind, ...origin, children: entry.children.map(write) };
    const isSaved = tree.saved.nodes.get(entry.id) === entry.node;
    const node = isSaved ? {} : { node: entry.node };
    return {
      name,
      kind,
      ...origin,
      ...node,
      ...(entry.edited === null ? {} : { edited: entry.edited }),
    };
  };
  return { meta: tree.meta, nodes: tree.entries.map(write) };
}

/** Rebuilds the tree of a draft from the content it was based on. */
export function fromDraft(base: ModelContent, draft: DraftTree, firstId = 1): FileTree {
  const tree = fromContent(base, firstId);
  const { paths, nodes } = tree.saved;
  const origins = new Map<string | undefined, readonly [number, TreeNode | undefined]>(
    [...paths].map(([id, path]) => [path, [id, nodes.get(id)]]),
  );
  let { nextId } = tree;
  const read = (item: DraftNode): Entry => {
    const { name, from } = item;
    const [savedId, saved = null] = origins.get(from) ?? [];
    const id = savedId ?? nextId++;
    if (item.kind === 'folder')
      return { kind: 'folder', id, name, node: saved, children: (item.children ?? []).map(read) };
    const node = item.node ?? saved ?? { name, type: 'file', content: '', encoding: 'base64' };
    return { kind: 'file', id, name, node, edited: item.edited ?? null };
  };
  const entries = draft.nodes.map(read);
  const { meta } = draft;
  // IndexedDB returns copies: an equal meta must be the same object again.
  const isSameMeta = JSON.stringify(meta ?? null) === JSON.stringify(base.meta ?? null);
  return { ...tree, entries, meta: isSameMeta ? base.meta : meta, nextId };
}

/** The current tree on top of what was just saved: what was typed meanwhile remains an edit. */
export function rebaseOnSaved(current: FileTree, sent: FileTree, content: ModelContent): FileTree {
  const paths = new Map<number, string>();
  const nodes = new Map<number, TreeNode>();
  const sentFiles = new Map<number, { readonly before: FileEntry; readonly node: TreeNode }>();
  const pair = (entries: readonly Entry[], siblings: readonly TreeNode[], folder: string): void => {
    for (const [i, entry] of entries.entries()) {
      const node = itemAt(siblings, i);
      paths.set(entry.id, folder + node.name);
      nodes.set(entry.id, node);
      if (entry.kind === 'file') sentFiles.set(entry.id, { before: entry, node });
      else pair(entry.children, node.children ?? [], `${folder}${node.name}/`);
    }
  };
  pair(sent.entries, content.tree, '');
  const update = (entry: Entry): Entry => {
    if (entry.kind === 'folder') {
      const node = nodes.get(entry.id) ?? entry.node;
      return { ...entry, node, children: entry.children.map(update) };
    }
    const sentFile = sentFiles.get(entry.id);
    if (sentFile === undefined) return entry;
    const { before, node } = sentFile;
    // Bytes that replaced it in the meantime are an edit too.
    if (entry.node !== before.node) return entry;
    if (entry.edited === before.edited) return { ...entry, node, edited: null };
    return { ...entry, node, edited: fileText(entry) };
  };
  const entries = current.entries.map(update);
  const meta = current.meta === sent.meta ? content.meta : current.meta;
  return { ...current, entries, meta, saved: { content, paths, nodes } };
}
