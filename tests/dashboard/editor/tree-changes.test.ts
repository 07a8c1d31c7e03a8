import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelContent } from '../../../src/contract/model.ts';
import {
  type Change,
  createFile,
  createFolder,
  duplicate,
  type FileTree,
  fileText,
  findFileByPath,
  fromContent,
  listFiles,
  move,
  putFile,
  remove,
  rename,
  setEntrance,
  setText,
  toContent,
} from '../../../src/dashboard/editor/file-tree.ts';
import {
  changesOf,
  changeText,
  fromDraft,
  isDirty,
  rebaseOnSaved,
  toDraft,
} from '../../../src/dashboard/editor/tree-changes.ts';
import { anyContent, base64, idOf, sampleContent } from './trees.ts';

/** Several edits of a tree, chosen by numbers. */
function work(tree: FileTree, steps: readonly (readonly [number, number])[]): FileTree {
  let current = tree;
  for (const [kind, pick] of steps) {
    const files = listFiles(current);
    const target = files.length === 0 ? null : files[pick % files.length].entry;
    const changes = [
      () => createFile(current, null, `new ${pick}.stan`, `text ${pick}`),
      () => createFolder(current, null, `folder ${pick}`),
      () => (target === null ? null : rename(current, target.id, `renamed ${pick}`)),
      () => (target === null ? null : move(current, target.id, null)),
      () => (target === null ? null : duplicate(current, target.id)),
    ];
    if (kind === 5 && target !== null) current = remove(current, target.id);
    if (kind === 6 && target !== null && fileText(target) !== null)
      current = setText(current, target.id, `edited ${pick}`);
    const change = changes[kind]?.();
    if (change?.ok) current = change.value.tree;
  }
  return current;
}

const steps = fc.array(fc.tuple(fc.nat(6), fc.nat(20)), { maxLength: 8 });

describe('changes', () => {
  it('are empty at first, and again when an edit is undone', () => {
    const tree = fromContent(sampleContent());
    expect(isDirty(changesOf(tree))).toBe(false);
    const id = idOf(tree, 'README.md');
    const edited = setText(tree, id, 'x');
    expect(changesOf(edited).marks.get(id)).toBe('M');
    expect(isDirty(changesOf(setText(edited, id, '# Read\r\nme')))).toBe(false);
  });

  it('are described in words', () => {
    let tree = fromContent(sampleContent());
    tree = setText(tree, idOf(tree, 'README.md'), 'x');
    expect(changeText(changesOf(tree))).toBe('1 file edited');
    const added = createFile(tree, null, 'n.stan');
    if (added.ok) tree = added.value.tree;
    tree = remove(tree, idOf(tree, 'picture.png'));
    expect(changeText(changesOf(tree))).toBe('1 file edited, 1 added, 1 deleted');
    expect(changesOf(tree).deleted).toEqual(['picture.png']);
    const entrance = setEntrance(fromContent(sampleContent()), 'model/part.stan');
    expect(isDirty(changesOf(entrance))).toBe(true);
    expect(changeText(changesOf(entrance))).toBe('Folders or entrance file changed');
  });

  it('are reported whenever other files would be sent, and never for identical content', () => {
    const files = (content: ModelContent) => {
      const entries = listFiles(fromContent(content)).map(({ entry, path }) => [
        path,
        fileText(entry),
      ]);
      return JSON.stringify(entries.toSorted(([a], [b]) => String(a).localeCompare(String(b))));
    };
    fc.assert(
      fc.property(anyContent, steps, (content, list) => {
        const tree = work(fromContent(content), list);
        const sent = toContent(tree);
        const dirty = isDirty(changesOf(tree));
        if (files(sent) !== files(content)) expect(dirty).toBe(true);
        if (sent === content) expect(dirty).toBe(false);
      }),
    );
  });
});

describe('each change by itself', () => {
  const tree = fromContent(sampleContent());
  const folderOf = (path: string) =>
    [...tree.saved.paths].find(([, saved]) => saved === path)?.[0] ?? 0;
  const treeOf = (change: Change) => {
    if (!change.ok) throw new Error(change.error);
    return change.value.tree;
  };
  const seen = (changed: FileTree) => {
    const { marks, deleted, others } = changesOf(changed);
    const paths = new Map(listFiles(changed).map(({ entry, path }) => [entry.id, path]));
    return [[...marks].map(([id, mark]) => `${mark} ${paths.get(id)}`), deleted, others];
  };
  const readme = idOf(tree, 'README.md');

  it.each<[string, FileTree, unknown[]]>([
    ['an edit', setText(tree, readme, 'x'), [['M README.md'], [], false]],
    [
      'other bytes',
      treeOf(putFile(tree, 'README.md', Uint8Array.of(0, 255))),
      [['M README.md'], [], false],
    ],
    ['a renamed file', treeOf(rename(tree, readme, 'R.md')), [['M R.md'], [], false]],
    [
      'a moved file',
      treeOf(move(tree, readme, folderOf('empty'))),
      [['M empty/README.md'], [], false],
    ],
    ['a new file', treeOf(createFile(tree, null, 'new')), [['A new'], [], false]],
    ['a deleted file', remove(tree, readme), [[], ['README.md'], false]],
    ['a new folder', treeOf(createFolder(tree, null, 'new')), [[], [], true]],
    ['a deleted folder', remove(tree, folderOf('empty')), [[], [], true]],
    [
      'a folder deleted with its files',
      remove(tree, folderOf('model')),
      [[], ['model/main.stan', 'model/part.stan'], true],
    ],
    ['a renamed empty folder', treeOf(rename(tree, folderOf('empty'), 'e')), [[], [], true]],
    ['another entrance file', setEntrance(tree, 'README.md'), [[], [], true]],
    ['nothing', tree, [[], [], false]],
  ])('%s', (_, changed, expected) => {
    expect(seen(changed)).toEqual(expected);
    expect(isDirty(changesOf(changed))).toBe(changed !== tree);
  });

  it('is counted in words', () => {
    const two = setText(setText(tree, readme, 'x'), idOf(tree, 'model/part.stan'), 'x');
    expect(changeText(changesOf(two))).toBe('2 files edited');
    expect(changeText(changesOf(treeOf(createFile(tree, null, 'new'))))).toBe('1 file added');
    expect(changeText(changesOf(remove(tree, folderOf('model'))))).toBe('2 files deleted');
    expect(changeText(changesOf(remove(two, folderOf('empty'))))).toBe('2 files edited');
  });
});

describe('a draft', () => {
  it('refers to what came from the server, and contains what was added or replaced', () => {
    const tree = fromContent(sampleContent());
    const edited = setText(tree, idOf(tree, 'README.md'), 'x');
    const put = putFile(edited, 'picture.png', Uint8Array.of(0, 255));
    const added = put.ok && createFile(put.value.tree, null, 'new', 'y');
    if (!added || !added.ok) throw new Error('not added');
    const node = (name: string, content: string) => ({
      name,
      type: 'file',
      content,
      encoding: 'base64',
    });
    expect(toDraft(added.value.tree)).toStrictEqual({
      meta: sampleContent().meta,
      nodes: [
        {
          name: 'model',
          kind: 'folder',
          from: 'model',
          children: [
            { name: 'main.stan', kind: 'file', from: 'model/main.stan' },
            { name: 'part.stan', kind: 'file', from: 'model/part.stan' },
          ],
        },
        {
          name: 'picture.png',
          kind: 'file',
          from: 'picture.png',
          node: node('picture.png', 'AP8='),
        },
        { name: 'empty', kind: 'folder', from: 'empty', children: [] },
        { name: 'README.md', kind: 'file', from: 'README.md', edited: 'x' },
        { name: 'new', kind: 'file', node: node('new', base64('y')) },
      ],
    });
  });

  it('can be opened even if what it was based on is gone', () => {
    const base = sampleContent();
    const back = fromDraft(
      base,
      {
        meta: { entrance_file: 'other' },
        nodes: [
          { name: 'lost', kind: 'file', from: 'gone' },
          { name: 'edited', kind: 'file', from: 'gone', edited: 'x' },
          { name: 'folder', kind: 'folder', from: 'gone' },
        ],
      },
      100,
    );
    const empty = { name: 'lost', type: 'file', content: '', encoding: 'base64' };
    expect(back.entries).toEqual([
      { kind: 'file', id: 106, name: 'lost', node: empty, edited: null },
      { kind: 'file', id: 107, name: 'edited', node: { ...empty, name: 'edited' }, edited: 'x' },
      { kind: 'folder', id: 108, name: 'folder', node: null, children: [] },
    ]);
    expect([back.meta, back.nextId]).toEqual([{ entrance_file: 'other' }, 109]);
    expect(fromDraft(base, { meta: structuredClone(base.meta), nodes: [] }).meta).toBe(base.meta);
    const bare = { tree: [] };
    expect(fromDraft(bare, { meta: null, nodes: [] } as never).meta).toBeUndefined();
  });

  it('restores the tree, also from a store that copies it', () => {
    fc.assert(
      fc.property(anyContent, steps, (content, list) => {
        const tree = work(fromContent(content), list);
        const kept = structuredClone({ base: content, draft: toDraft(tree) });
        const back = fromDraft(kept.base, kept.draft);
        expect(toContent(back)).toEqual(toContent(tree));
        expect(changeText(changesOf(back))).toBe(changeText(changesOf(tree)));
        expect(isDirty(changesOf(back))).toBe(isDirty(changesOf(tree)));
      }),
    );
  });

  it('is small, since it only refers to untouched files', () => {
    const tree = fromContent({
      tree: [{ name: 'big.csv', type: 'file', content: 'x'.repeat(100_000), encoding: 'text' }],
    });
    expect(JSON.stringify(toDraft(tree)).length).toBeLessThan(200);
  });
});

describe('after a save', () => {
  it('nothing is changed any more, and the same content would be sent', () => {
    fc.assert(
      fc.property(anyContent, steps, (content, list) => {
        const tree = work(fromContent(content), list);
        const sent = toContent(tree);
        const rebased = rebaseOnSaved(tree, tree, sent);
        expect(isDirty(changesOf(rebased))).toBe(false);
        expect(toContent(rebased)).toBe(sent);
        // as the server sends it back
        expect(isDirty(changesOf(rebaseOnSaved(tree, tree, structuredClone(sent))))).toBe(false);
      }),
    );
  });

  it('what was typed meanwhile stays an edit', () => {
    const tree = fromContent(sampleContent());
    const id = idOf(tree, 'README.md');
    const sent = setText(tree, id, 'first');
    const later = setText(sent, id, 'first and more');
    const rebased = rebaseOnSaved(later, sent, toContent(sent));
    expect(changesOf(rebased).marks.get(id)).toBe('M');
    expect(fileText(findFileByPath(rebased, 'README.md') as never)).toBe('first and more');
    expect(isDirty(changesOf(setText(rebased, id, 'first')))).toBe(false);
  });

  it('what was created, removed, moved and set in the meantime stays a change', () => {
    const tree = fromContent(sampleContent());
    const ok = (change: Change) => {
      if (!change.ok) throw new Error(change.error);
      return change.value;
    };
    const sent = setText(tree, idOf(tree, 'README.md'), 'first');
    const folder = ok(createFolder(sent, null, 'folder'));
    const file = ok(createFile(folder.tree, folder.id, 'new', 'y'));
    const gone = remove(file.tree, idOf(tree, 'model/part.stan'));
    const moved = ok(move(gone, idOf(tree, 'picture.png'), folder.id)).tree;
    const later = setEntrance(moved, 'README.md');
    const content = toContent(sent);
    const { marks, deleted, others } = changesOf(rebaseOnSaved(later, sent, content));
    expect([...marks]).toEqual([
      [file.id, 'A'],
      [idOf(tree, 'picture.png'), 'M'],
    ]);
    expect([deleted, others]).toEqual([['model/part.stan'], true]);
    const rebased = rebaseOnSaved(sent, sent, content);
    expect(rebased.meta).toBe(content.meta);
    expect([...rebased.saved.paths.values()]).toEqual([...tree.saved.paths.values()]);
    expect(toContent(rebaseOnSaved(later, sent, content)).meta).toEqual({
      ...sampleContent().meta,
      entrance_file: 'README.md',
    });
  });

  it('bytes that replaced a file in the meantime stay', () => {
    const tree = fromContent(sampleContent());
    const sent = setText(tree, idOf(tree, 'README.md'), 'first');
    const put = putFile(sent, 'README.md', Uint8Array.of(0, 255));
    if (!put.ok) throw new Error(put.error);
    const rebased = rebaseOnSaved(put.value.tree, sent, toContent(sent));
    expect(toContent(rebased).tree[3]).toMatchObject({ content: 'AP8=' });
    expect(changesOf(rebased).marks.get(idOf(tree, 'README.md'))).toBe('M');
  });
});
