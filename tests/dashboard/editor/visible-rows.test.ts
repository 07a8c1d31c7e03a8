/** Rows of the tree: folders first, names as people sort them, closed folders collapsed. */
import { expect, it } from 'vitest';
import { fromContent } from '../../../src/dashboard/editor/file-tree.ts';
import { visibleRows } from '../../../src/dashboard/editor/visible-rows.ts';

const file = (name: string) => ({ name, type: 'file' as const, content: '' });
const tree = fromContent({
  tree: [
    file('b10'),
    file('B2'),
    file('a'),
    {
      name: 'z',
      type: 'folder',
      children: [file('é'), { name: 'in', type: 'folder', children: [file('f')] }, file('d')],
    },
    { name: 'y', type: 'folder', children: [] },
  ],
});
const idOf = new Map([...tree.saved.paths].map(([id, path]) => [path, id]));
const closed = (...paths: string[]) => new Set(paths.map((path) => idOf.get(path) ?? 0));

it('visible rows are in order, each with its path, depth and folder', () => {
  const rows = visibleRows(tree, new Set());
  expect(rows.map(({ path, depth, parentId }) => [path, depth, parentId])).toEqual([
    ['y', 0, null],
    ['z', 0, null],
    ['z/in', 1, idOf.get('z')],
    ['z/in/f', 2, idOf.get('z/in')],
    ['z/d', 1, idOf.get('z')],
    ['z/é', 1, idOf.get('z')],
    ['a', 0, null],
    ['B2', 0, null],
    ['b10', 0, null],
  ]);
  expect(rows[2].entry).toMatchObject({ name: 'in', kind: 'folder' });
});

it('visible rows exclude what is in a closed folder', () => {
  const paths = (ids: ReadonlySet<number>) => visibleRows(tree, ids).map(({ path }) => path);
  expect(paths(closed('z'))).toEqual(['y', 'z', 'a', 'B2', 'b10']);
  expect(paths(closed('z/in', 'a'))).toEqual(['y', 'z', 'z/in', 'z/d', 'z/é', 'a', 'B2', 'b10']);
});
