/** Checks model content as sent and prepares it for storage; turns stored content back into the form that is sent. */

import { limits } from '../../contract/limits.ts';
import type { SentContent, TreeNode } from '../../contract/model.ts';
import { entranceFile, runtimeOfFile } from '../../formats/entrance-file.ts';
import {
  buildTree,
  defaultTreeLimits,
  flattenTree,
  type ModelFile,
  type ModelFiles,
  type TreeLimits,
} from '../../formats/model-tree.ts';
import { invariant } from '../../shared/invariant.ts';
import { ServiceError } from '../http/service-error.ts';
import type { DecodedNode } from '../repositories/model-trees.ts';
import type { ContentMeta } from '../repositories/model-types.ts';
import type { NewModelContent } from '../repositories/models.ts';

const treeLimits: TreeLimits = {
  ...defaultTreeLimits,
  fileBytes: limits.file_bytes,
  nodes: limits.tree_nodes,
  depth: limits.tree_depth,
};

/**
 * `entrance`: the entry file that the caller names apart from the content. Without a tree the files do not change.
 * Throws INVALID_PARAMETER or TOO_LARGE naming the file.
 */
export function readContent(content: SentContent, entrance = ''): NewModelContent {
  const { tree } = content;
  if (tree === undefined || tree === null)
    return {
      tree: null,
      contentMeta: content.meta ?? null,
      entranceFile: entrance || content.meta?.entrance_file || '',
    };
  const flat = flattenTree(tree, treeLimits);
  if (!flat.ok) {
    const { code, message, path, limit, size } = flat.error;
    throw new ServiceError(code, message, {
      details: { field: 'payload.content.tree', path, limit, size },
    });
  }
  const contentMeta = content.meta ?? null;
  const named = entrance || contentMeta?.entrance_file;
  const paths = flat.value.files.map((file) => file.path);
  const found = entranceFile(named ? { entrance_file: named } : null, paths);
  return {
    tree: decode(tree, flat.value),
    contentMeta,
    entranceFile: found ?? named ?? '',
  };
}

/** Like {@link readContent}, for files that arrived in another form. */
export function readFilesContent(files: readonly ModelFile[], entrance: string): NewModelContent {
  const tree = buildTree({ files, emptyFolders: [] });
  if (tree.ok) return readContent({ tree: tree.value }, entrance);
  const { code, message, path, limit, size } = tree.error;
  throw new ServiceError(code, message, { details: { path, limit, size } });
}

/** The nodes as sent, with the bytes that flattening decoded; both are in tree order. */
function decode(tree: readonly TreeNode[], { files, emptyFolders }: ModelFiles): DecodedNode[] {
  let next = 0;
  const empty = new Set(emptyFolders);
  const walk = (nodes: readonly TreeNode[], folder: string): DecodedNode[] =>
    nodes.map((node) => {
      const path = folder + node.name;
      const file: ModelFile | undefined = files[next];
      if (file?.path === path && !empty.has(path)) {
        next++;
        return { name: node.name, type: 'file', bytes: file.bytes, encoding: file.encoding };
      }
      return { name: node.name, type: 'folder', children: walk(node.children ?? [], `${path}/`) };
    });
  const decoded = walk(tree, '');
  invariant(next === files.length, 'every file of a tree is stored');
  return decoded;
}

/** `meta` is returned as it was sent, plus the entry file if the server found it. */
export function contentMetaToWire(stored: ContentMeta | null, entrance: string): ContentMeta {
  return entrance === '' ? { ...stored } : { ...stored, entrance_file: entrance };
}

/** `env` as sent, in lower case, or the runtime that the entry file's suffix implies; empty if neither is known. */
export function envOf(env: string, entrance: string): string {
  return env === '' ? runtimeOfFile(entrance) : env.toLowerCase();
}

/** The language follows the runtime: CmdStan reads Stan. */
export function langOf(env: string): string {
  return env === 'cmdstan' ? 'stan' : env;
}
