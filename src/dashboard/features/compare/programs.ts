/** Two programs file by file: which differ, and how. */
import type { ModelContent, TreeNode } from '../../../contract/model.ts';
import { decode, isFolderNode, isSameBytes } from '../../editor/tree-nodes.ts';
import { type DiffLine, diffLines } from './line-diff.ts';

export interface FileDiff {
  readonly path: string;
  /** `binary`: differs and is not text. */
  readonly kind: 'changed' | 'removed' | 'added' | 'binary';
  readonly lines: readonly DiffLine[];
  /** Both texts in full, since colours depend on preceding lines; empty if there is no such text. */
  readonly before: string;
  readonly after: string;
}

interface FileOf {
  readonly bytes: Uint8Array;
  /** Null: not text. */
  readonly text: string | null;
}

function filesOf(content: ModelContent): ReadonlyMap<string, FileOf> {
  const files = new Map<string, FileOf>();
  const visit = (nodes: readonly TreeNode[], folder: string): void => {
    for (const node of nodes) {
      const path = folder + node.name;
      if (isFolderNode(node)) visit(node.children ?? [], `${path}/`);
      else files.set(path, decode(node));
    }
  };
  visit(content.tree, '');
  return files;
}

/**
 * The changes from `before` to `after`, entrance file first. Two entrance files are compared with each other even if
 * their names differ.
 */
export function diffPrograms(before: ModelContent, after: ModelContent): readonly FileDiff[] {
  const a = filesOf(before);
  const b = new Map(filesOf(after));
  const [from, to] = [entranceOf(before, a), entranceOf(after, b)];
  const moved = from !== to && !b.has(from) && !a.has(to) ? b.get(to) : undefined;
  if (moved !== undefined) {
    b.delete(to);
    b.set(from, moved);
  }
  const paths = [...new Set([from, ...a.keys(), ...b.keys()])].filter(
    (path) => a.has(path) || b.has(path),
  );
  return paths.flatMap((path): FileDiff[] => {
    const [old, now] = [a.get(path), b.get(path)];
    const label = moved !== undefined && path === from ? `${from} → ${to}` : path;
    if (isSameBytes(old?.bytes ?? null, now?.bytes ?? null)) return [];
    if (old?.text === null || now?.text === null)
      return [{ path: label, kind: 'binary', lines: [], before: '', after: '' }];
    const kind = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    const texts = { before: old?.text ?? '', after: now?.text ?? '' };
    return [{ path: label, kind, lines: diffLines(texts.before, texts.after), ...texts }];
  });
}

function entranceOf({ meta }: ModelContent, files: ReadonlyMap<string, unknown>): string {
  const named = meta?.entrance_file ?? '';
  if (files.has(named)) return named;
  const paths = [...files.keys()];
  return paths.find((path) => path.endsWith('.stan')) ?? paths[0] ?? '';
}
