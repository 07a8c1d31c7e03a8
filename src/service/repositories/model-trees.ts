/** A model's tree as stored: file contents replaced by hashes of blobs, so that versions share what did not change. */
import { setImmediate } from 'node:timers/promises';
import type { TreeNode } from '../../contract/model.ts';
import { type BlobHash, findBlobs, insertBlobs } from './blobs.ts';
import type { Executor } from './database.ts';

interface FileNode {
  readonly name: string;
  readonly type: 'file';
  /** As it was sent, and as it is returned. */
  readonly encoding: 'base64' | 'text';
}

interface FolderNode<Node> {
  readonly name: string;
  readonly type: 'folder';
  readonly children: readonly Node[];
}

export type StoredNode =
  | (FileNode & { readonly hash: BlobHash; readonly size: number })
  | FolderNode<StoredNode>;

/** A node whose bytes are known, decoded from a sent node by the rule of encodings. */
export type DecodedNode = (FileNode & { readonly bytes: Uint8Array }) | FolderNode<DecodedNode>;

/** Stores the files of a tree for `objectId`. */
export async function insertTree(
  tx: Executor,
  objectId: number,
  nodes: readonly DecodedNode[],
): Promise<StoredNode[]> {
  const hashes = (await insertBlobs(tx, objectId, listContents(nodes))).values();
  const store = (node: DecodedNode): StoredNode => {
    const { name, type } = node;
    if (type === 'folder') return { name, type, children: node.children.map(store) };
    const { bytes, encoding } = node;
    const hash = hashes.next().value as BlobHash;
    return { name, type, hash, size: bytes.byteLength, encoding };
  };
  return nodes.map(store);
}

/** Contents of its files, in the order of the tree. */
function listContents(nodes: readonly DecodedNode[]): Uint8Array[] {
  return nodes.flatMap((node) =>
    node.type === 'file' ? [node.bytes] : listContents(node.children),
  );
}

export function listHashes(nodes: readonly StoredNode[]): BlobHash[] {
  return nodes.flatMap((node) => (node.type === 'file' ? [node.hash] : listHashes(node.children)));
}

/** Paths with forward slashes and their bytes. */
export async function findTreeFiles(
  db: Executor,
  nodes: readonly StoredNode[],
): Promise<Map<string, Buffer>> {
  const blobs = await findBlobs(db, listHashes(nodes));
  const files = new Map<string, Buffer>();
  const walk = (children: readonly StoredNode[], prefix: string) => {
    for (const node of children) {
      if (node.type === 'folder') walk(node.children, `${prefix}${node.name}/`);
      else files.set(prefix + node.name, blobs.get(node.hash) ?? Buffer.alloc(0));
    }
  };
  walk(nodes, '');
  return files;
}

/** The tree as the API has it, contents in the encoding they were sent in. */
export async function findWireTree(
  db: Executor,
  nodes: readonly StoredNode[],
): Promise<TreeNode[]> {
  const blobs = await findBlobs(db, listHashes(nodes));
  let written = 0;
  const contentOf = async (node: StoredNode & { type: 'file' }): Promise<string> => {
    const bytes = blobs.get(node.hash) ?? Buffer.alloc(0);
    written += bytes.length;
    if (written > 2 ** 20) {
      written = 0;
      await setImmediate();
    }
    return bytes.toString(node.encoding === 'base64' ? 'base64' : 'utf8');
  };
  const toWire = async (children: readonly StoredNode[]): Promise<TreeNode[]> => {
    const wire: TreeNode[] = [];
    for (const node of children) {
      const { name, type } = node;
      if (type === 'folder')
        wire.push({ name, type, content: '', children: await toWire(node.children) });
      else
        wire.push({
          name,
          type,
          content: await contentOf(node),
          children: [],
          encoding: node.encoding,
        });
    }
    return wire;
  };
  return toWire(nodes);
}
