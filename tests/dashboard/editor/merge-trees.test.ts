import { describe, expect, it } from 'vitest';
import {
  createFile,
  type FileTree,
  fileText,
  fromContent,
  listFiles,
  remove,
  setEntrance,
  setMeta,
  setText,
  toContent,
} from '../../../src/dashboard/editor/file-tree.ts';
import {
  compareTrees,
  defaultChoices,
  mergeTrees,
  textOf,
} from '../../../src/dashboard/editor/merge-trees.ts';
import { idOf, sampleContent } from './trees.ts';

const texts = (tree: Parameters<typeof listFiles>[0]) =>
  Object.fromEntries(listFiles(tree).map(({ entry, path }) => [path, fileText(entry)]));

function setUp() {
  const base = fromContent(sampleContent());
  const editMine = setText(
    setText(base, idOf(base, 'model/main.stan'), 'mine'),
    idOf(base, 'README.md'),
    'my words',
  );
  const added = createFile(editMine, null, 'added.stan', 'added by me');
  if (!added.ok) throw new Error(added.error);
  const mine = remove(added.value.tree, idOf(base, 'picture.png'));
  let theirs = fromContent(sampleContent());
  theirs = setText(theirs, idOf(theirs, 'model/main.stan'), 'theirs');
  theirs = setText(theirs, idOf(theirs, 'model/part.stan'), 'their part');
  return { mine, theirs: toContent(theirs) };
}

describe('mine and theirs', () => {
  it('lists who changed each differing file, and no other files', () => {
    const { mine, theirs } = setUp();
    const differences = compareTrees(mine, theirs).map(({ path, changedBy }) => [path, changedBy]);
    expect(Object.fromEntries(differences)).toEqual({
      'model/main.stan': 'both',
      'model/part.stan': 'theirs',
      'README.md': 'mine',
      'added.stan': 'mine',
      'picture.png': 'mine',
    });
    const same = fromContent(sampleContent());
    expect(compareTrees(same, sampleContent())).toEqual([]);
  });

  it('takes theirs without a choice, and drops files that neither side has', () => {
    const { mine, theirs } = setUp();
    const differences = compareTrees(mine, theirs);
    expect(texts(mergeTrees(mine, theirs, differences, new Map()))).toEqual(
      texts(fromContent(theirs)),
    );
    const gone = [{ path: 'gone', changedBy: 'both', mine: null, theirs: null }] as const;
    const merged = mergeTrees(mine, theirs, gone, new Map([['gone', 'mine']]));
    expect(toContent(merged)).toBe(theirs);
    // Neither the path nor the alternative next to it is possible.
    const odd = [{ path: 'README.md/x', changedBy: 'mine', mine: new Uint8Array(), theirs: null }];
    expect(
      toContent(mergeTrees(mine, theirs, odd as never, new Map([['README.md/x', 'mine']]))),
    ).toBe(theirs);
  });

  it('shows the text of a side, empty if it is missing and none if it is binary', () => {
    expect(textOf(null)).toBe('');
    expect(textOf(new TextEncoder().encode('a'))).toBe('a');
    expect(textOf(Uint8Array.of(0, 255))).toBeNull();
  });

  it('asks for a choice only where both changed', () => {
    const { mine, theirs } = setUp();
    expect(defaultChoices(compareTrees(mine, theirs)).has('model/main.stan')).toBe(false);
    expect(defaultChoices(compareTrees(mine, theirs)).size).toBe(4);
  });

  it.each([
    ['mine', 'mine'],
    ['theirs', 'theirs'],
    [{ merged: 'of both' }, 'of both'],
  ] as const)('makes a tree with %o, and keeps other changes of both sides', (choice, expected) => {
    const { mine, theirs } = setUp();
    const differences = compareTrees(mine, theirs);
    const choices = defaultChoices(differences).set('model/main.stan', choice);
    const merged = mergeTrees(mine, theirs, differences, choices);
    expect(texts(merged)).toEqual({
      'model/main.stan': expected,
      'model/part.stan': 'their part',
      'README.md': 'my words',
      'added.stan': 'added by me',
    });
    expect(merged.saved.content).toBe(theirs);
  });

  it('puts mine next to a folder of the same name that they created', () => {
    const base = fromContent({ tree: [] });
    const mine = createFile(base, null, 'x', 'mine');
    if (!mine.ok) throw new Error(mine.error);
    const theirs = {
      tree: [
        {
          name: 'x',
          type: 'folder' as const,
          children: [{ name: 'y', type: 'file' as const, content: 'y', encoding: 'text' as const }],
        },
      ],
    };
    const differences = compareTrees(mine.value.tree, theirs);
    const merged = mergeTrees(mine.value.tree, theirs, differences, defaultChoices(differences));
    expect(texts(merged)).toEqual({ 'x/y': 'y', 'x.mine': 'mine' });
  });

  describe('with an entrance', () => {
    const base = fromContent(sampleContent());
    /** Meta after merging what both sides did to the same version. */
    const mergedMeta = (mine: FileTree, theirs: FileTree) => {
      const content = toContent(theirs);
      const differences = compareTrees(mine, content);
      return toContent(mergeTrees(mine, content, differences, defaultChoices(differences))).meta;
    };
    const edited = setText(base, idOf(base, 'README.md'), 'mine');
    const named = setEntrance(base, 'model/part.stan');

    it('keeps mine when I chose another file', () => {
      expect(mergedMeta(named, base)?.entrance_file).toBe('model/part.stan');
      expect(mergedMeta(named, setEntrance(base, 'README.md'))?.entrance_file).toBe(
        'model/part.stan',
      );
    });

    it('keeps theirs when I left it alone or removed it', () => {
      expect(mergedMeta(edited, named)?.entrance_file).toBe('model/part.stan');
      expect(mergedMeta(setMeta(base, { entrance_file: '' }), named)?.entrance_file).toBe(
        'model/part.stan',
      );
    });

    it('keeps theirs when they removed the file that I chose', () => {
      const without = remove(base, idOf(base, 'model/part.stan'));
      expect(mergedMeta(named, without)?.entrance_file).toBe('model/main.stan');
    });
  });
});
