/** Trees of files for tests, handwritten and random. */
import fc from 'fast-check';
import type { ModelContent, TreeNode } from '../../../src/contract/model.ts';
import { type FileTree, findFileByPath } from '../../../src/dashboard/editor/file-tree.ts';
import { toBase64 } from '../../../src/formats/base64.ts';

export const base64 = (text: string) => toBase64(new TextEncoder().encode(text));

function file(name: string, text: string): TreeNode {
  return { name, type: 'file', content: base64(text), encoding: 'base64' };
}

/** A typical model: folders, text sent both ways, a binary file, an empty folder. */
export function sampleContent(): ModelContent {
  return {
    meta: { entrance_file: 'model/main.stan', entrance_func: 'model' },
    tree: [
      {
        name: 'model',
        type: 'folder',
        children: [
          file('main.stan', 'parameters { real x; }\n'),
          { name: 'part.stan', type: 'file', content: 'real y;\n', encoding: 'text' },
        ],
      },
      { name: 'picture.png', content: 'iVBORw0KGgoAAAANSUhEUgAAAAE=' },
      { name: 'empty', type: 'folder', children: [] },
      file('README.md', '# Read\r\nme'),
    ],
  };
}

export function idOf(tree: FileTree, path: string): number {
  const found = findFileByPath(tree, path);
  if (found === null) throw new Error(`no ${path} in the tree`);
  return found.id;
}

const name = fc.constantFrom('a', 'b.stan', 'C.json', 'd e', 'é', 'x.png', 'main.stan', 'data');
const content = fc.oneof(
  fc
    .string({ maxLength: 30 })
    .map((text) => ({ content: base64(text), encoding: 'base64' as const })),
  fc
    .uint8Array({ maxLength: 30 })
    .map((bytes) => ({ content: toBase64(bytes), encoding: 'base64' as const })),
  fc.string({ maxLength: 30 }).map((text) => ({ content: text, encoding: 'text' as const })),
  fc.string({ maxLength: 30 }).map((text) => ({ content: text })),
);
const leaf = fc.tuple(name, content, fc.boolean()).map(
  ([leafName, body, hasType]): TreeNode => ({
    name: leafName,
    ...(hasType ? { type: 'file' } : {}),
    ...body,
  }),
);
const { nodes } = fc.letrec<{ nodes: TreeNode[] }>((tie) => ({
  nodes: fc.uniqueArray(
    fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc
        .tuple(name, tie('nodes'))
        .map(([folder, children]): TreeNode => ({ name: folder, type: 'folder', children })),
    ),
    { maxLength: 4, selector: (node) => node.name },
  ),
}));

/** Any content a server may send. */
export const anyContent: fc.Arbitrary<ModelContent> = fc.record({
  meta: fc.option(fc.constant({ entrance_file: 'main.stan' })),
  tree: nodes,
});
