/** Nodes of a tree as they cross the wire: their kind, bytes and text. */
import type { TreeNode } from '../../contract/model.ts';
import { toBase64 } from '../../formats/base64.ts';
import { decodeContent, decodeText, type FileEncoding } from '../../formats/model-tree.ts';

/** When the type is absent, a node with children or without content is a folder. */
export function isFolderNode(node: TreeNode): boolean {
  if (node.type !== undefined) return node.type === 'folder';
  return (node.children?.length ?? 0) > 0 || node.content === undefined;
}

export function encode(
  text: string,
  encoding: FileEncoding,
): { content: string; encoding: FileEncoding } {
  return encoding === 'text'
    ? { content: text, encoding }
    : { content: toBase64(new TextEncoder().encode(text)), encoding };
}

interface Decoded {
  readonly bytes: Uint8Array;
  readonly encoding: FileEncoding;
  /** Null: not a text file. */
  readonly text: string | null;
}

const decodedNodes = new WeakMap<TreeNode, Decoded>();

export function decode(node: TreeNode): Decoded {
  let decoded = decodedNodes.get(node);
  if (decoded === undefined) {
    const content = decodeContent(node.content ?? '', node.encoding) ?? {
      bytes: new Uint8Array(),
      encoding: 'base64' as const,
    };
    decoded = { ...content, text: decodeText(content.bytes) };
    decodedNodes.set(node, decoded);
  }
  return decoded;
}

export const encodingOf = (node: TreeNode): FileEncoding => decode(node).encoding;

export function isSameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export function newNode(name: string, content: string | Uint8Array): TreeNode {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { name, type: 'file', content: toBase64(bytes), encoding: 'base64' };
}
