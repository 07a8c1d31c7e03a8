import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelContent } from '../../../src/contract/model.ts';
import {
  createFile,
  createFolder,
  duplicate,
  type FileTree,
  fileText,
  findFileByPath,
  fromContent,
  listFiles,
  move,
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
import { anyContent, idOf, sampleContent } from './trees.ts';

/** Some steps of work on a tree, by numbers. */
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

describe('what changed', () => {
  it('is nothing at first, and again when an edit is taken back', () => {
    const tree = fromContent(sampleContent());
    expect(isDirty(changesOf(tree))).toBe(false);
    const id = idOf(tree, 'README.md');
    const edited = setText(tree, id, 'x');
    expect(changesOf(edited).marks.get(id)).toBe('M');
    expect(isDirty(changesOf(setText(edited, id, '# Read\r\nme')))).toBe(false);
  });

  it('is described', () => {
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

  it('is reported whenever other files would be sent, and never when the very same content would', () => {
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

describe('a draft', () => {
  it('brings the tree back, though it went through a store that copies', () => {
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

  it('is small: what is untouched is named only', () => {
    const tree = fromContent({
      tree: [{ name: 'big.csv', type: 'file', content: 'x'.repeat(100_000), encoding: 'text' }],
    });
    expect(JSON.stringify(toDraft(tree)).length).toBeLessThan(200);
  });
});

describe('after a save', () => {
  it('nothing differs any more, and the same would be sent', () => {
    fc.assert(
      fc.property(anyContent, steps, (content, list) => {
        const tree = work(fromContent(content), list);
        const sent = toContent(tree);
        const rebased = rebaseOnSaved(tree, tree, sent);
        expect(isDirty(changesOf(rebased))).toBe(false);
        expect(toContent(rebased)).toBe(sent);
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
});
