/** Mine and theirs after both changed: the differences per file, and the tree that results from a user's choices. */
import type { ModelContent } from '../../contract/model.ts';
import { decodeText } from '../../formats/model-tree.ts';
import {
  type FileTree,
  fileBytes,
  findFileByPath,
  fromContent,
  listFiles,
  putFile,
  remove,
  setEntrance,
} from './file-tree.ts';
import { isSameBytes } from './tree-nodes.ts';

export type Side = 'mine' | 'theirs';

export interface FileDifference {
  readonly path: string;
  /** Who changed it since the common version. */
  readonly changedBy: Side | 'both';
  /** Null: absent on that side. */
  readonly mine: Uint8Array | null;
  readonly theirs: Uint8Array | null;
}

/** Files that differ between mine and theirs, in the order of mine, followed by those only they have. */
export function compareTrees(mine: FileTree, theirs: ModelContent): FileDifference[] {
  const bytesByPath = (tree: FileTree) =>
    new Map(listFiles(tree).map(({ entry, path }) => [path, fileBytes(entry)]));
  const a = bytesByPath(mine);
  const b = bytesByPath(fromContent(theirs));
  const base = bytesByPath(fromContent(mine.saved.content));
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((path): FileDifference[] => {
    const [x, y, z] = [a.get(path) ?? null, b.get(path) ?? null, base.get(path) ?? null];
    if (isSameBytes(x, y)) return [];
    const changedBy = isSameBytes(x, z) ? 'theirs' : isSameBytes(y, z) ? 'mine' : 'both';
    return [{ path, changedBy, mine: x, theirs: y }];
  });
}

/** The version of a file to use: one side, or text merged from both. */
export type Choice = Side | { readonly merged: string };

/** Only files that both sides changed need a choice; the others go to the side that changed them. */
export function defaultChoices(differences: readonly FileDifference[]): Map<string, Choice> {
  return new Map(
    differences.flatMap(({ path, changedBy }) =>
      changedBy === 'both' ? [] : [[path, changedBy] as const],
    ),
  );
}

/** Their tree with my files put in where chosen: it is saved on top of their version. */
export function mergeTrees(
  mine: FileTree,
  theirs: ModelContent,
  differences: readonly FileDifference[],
  choices: ReadonlyMap<string, Choice>,
): FileTree {
  let tree = fromContent(theirs, mine.nextId);
  for (const difference of differences) {
    const choice = choices.get(difference.path) ?? 'theirs';
    if (choice === 'theirs') continue;
    const bytes = choice === 'mine' ? difference.mine : new TextEncoder().encode(choice.merged);
    if (bytes === null) {
      const file = findFileByPath(tree, difference.path);
      if (file !== null) tree = remove(tree, file.id);
      continue;
    }
    // If they have a folder of that name, mine is added next to it: nothing is lost.
    const put = [difference.path, `${difference.path}.mine`]
      .map((path) => putFile(tree, path, bytes))
      .find((made) => made.ok);
    if (put?.ok) tree = put.value.tree;
  }
  const entrance = mine.meta?.entrance_file;
  const isMineChanged = entrance !== mine.saved.content.meta?.entrance_file;
  return entrance && isMineChanged && findFileByPath(tree, entrance) !== null
    ? setEntrance(tree, entrance)
    : tree;
}

export function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? '' : decodeText(bytes);
}
