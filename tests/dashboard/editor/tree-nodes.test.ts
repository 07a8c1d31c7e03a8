/** Nodes as they are sent over the wire. */
import { describe, expect, it } from 'vitest';
import {
  decode,
  encodingOf,
  isFolderNode,
  isSameBytes,
  newNode,
} from '../../../src/dashboard/editor/tree-nodes.ts';

it.each([
  [{ type: 'folder' }, true],
  [{ type: 'file' }, false],
  [{ type: 'file', children: [{ name: 'y' }] }, false],
  [{ type: 'folder', content: 'x' }, true],
  [{}, true],
  [{ content: '' }, false],
  [{ content: '', children: [] }, false],
  [{ content: '', children: [{ name: 'y' }] }, true],
  [{ children: [] }, true],
] as const)('a node with %j is a folder: %s', (node, expected) => {
  expect(isFolderNode({ name: 'x', ...node } as Parameters<typeof isFolderNode>[0])).toBe(expected);
});

describe('the bytes of a node', () => {
  it('are read once, and are empty if they cannot be read', () => {
    const node = newNode('x', 'text');
    expect(decode(node)).toBe(decode(node));
    expect(decode(node)).toEqual({
      bytes: new TextEncoder().encode('text'),
      encoding: 'base64',
      text: 'text',
    });
    const broken = decode({ name: 'x', content: '%%', encoding: 'base64' });
    expect(broken).toEqual({ bytes: new Uint8Array(), encoding: 'base64', text: '' });
    expect(decode({ name: 'x' }).bytes).toHaveLength(0);
    expect(encodingOf({ name: 'x', content: 'a', encoding: 'text' })).toBe('text');
  });

  it('of a new node are base64', () => {
    expect(newNode('x', new Uint8Array([0, 255]))).toEqual({
      name: 'x',
      type: 'file',
      content: 'AP8=',
      encoding: 'base64',
    });
  });

  it('are the same if each byte is the same', () => {
    const of = (...bytes: number[]) => Uint8Array.from(bytes);
    expect(isSameBytes(of(1, 2), of(1, 2))).toBe(true);
    expect(isSameBytes(null, null)).toBe(true);
    for (const [a, b] of [
      [of(1, 2), of(1, 3)],
      [of(1), of(1, 2)],
      [of(), of(1)],
      [of(), null],
      [null, of()],
    ])
      expect(isSameBytes(a, b)).toBe(false);
  });
});
