import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Change,
  createFile,
  createFolder,
  duplicate,
  type FileTree,
  fileBytes,
  fileText,
  findEntry,
  findFileByPath,
  fromContent,
  insertEntry,
  listFiles,
  move,
  nameProblem,
  putFile,
  remove,
  rename,
  setEntrance,
  setMeta,
  setText,
  toContent,
} from '../../../src/dashboard/editor/file-tree.ts';
import { flattenTree } from '../../../src/formats/model-tree.ts';
import { anyContent, base64, idOf, sampleContent } from './trees.ts';

const paths = (tree: FileTree) => listFiles(tree).map(({ path }) => path);
const treeOf = (change: Change): FileTree => {
  if (!change.ok) throw new Error(change.error);
  return change.value.tree;
};
const folderId = (tree: FileTree, path: string): number => {
  const folder = [...tree.saved.paths].find(([, saved]) => saved === path);
  if (folder === undefined) throw new Error(`no folder ${path}`);
  return folder[0];
};

describe('a tree of files', () => {
  it('goes back as the same object while nothing is changed, whatever it holds', () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        expect(toContent(fromContent(content))).toBe(content);
      }),
    );
  });

  it('gives the bytes that the wire format means', () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        const flat = flattenTree(content.tree);
        fc.pre(flat.ok);
        if (!flat.ok) return;
        const mine = listFiles(fromContent(content)).map(({ entry, path }) => [
          path,
          [...fileBytes(entry)],
        ]);
        expect(mine).toEqual(flat.value.files.map(({ path, bytes }) => [path, [...bytes]]));
      }),
    );
  });

  it('sends every untouched node as it came when one file is edited, and that one in its own encoding', () => {
    fc.assert(
      fc.property(anyContent, fc.nat(), fc.string(), (content, pick, text) => {
        const tree = fromContent(content);
        const files = listFiles(tree).filter(({ entry }) => fileText(entry) !== null);
        fc.pre(files.length > 0);
        const { entry, path } = files[pick % files.length];
        fc.pre(fileText(entry) !== text && !/\p{Cs}/u.test(text));
        const edited = setText(tree, entry.id, text);
        const sent = fromContent(toContent(edited));
        for (const other of listFiles(sent)) {
          const before = findFileByPath(tree, other.path);
          if (other.path === path)
            expect(fileBytes(other.entry)).toEqual(new TextEncoder().encode(text));
          else expect(other.entry.node).toBe(before?.node);
        }
        expect(toContent(setText(edited, entry.id, fileText(entry) ?? ''))).toBe(content);
      }),
    );
  });

  it('keeps text as text and base64 as base64', () => {
    let tree = fromContent(sampleContent());
    tree = setText(tree, idOf(tree, 'model/part.stan'), 'real z;');
    tree = setText(tree, idOf(tree, 'README.md'), 'new');
    const sent = toContent(tree).tree;
    expect(sent[0].children?.[1]).toEqual({
      name: 'part.stan',
      type: 'file',
      content: 'real z;',
      encoding: 'text',
    });
    expect(sent[3]).toEqual({
      name: 'README.md',
      type: 'file',
      content: base64('new'),
      encoding: 'base64',
    });
  });

  it('knows a binary file as no text', () => {
    const tree = fromContent(sampleContent());
    const picture = findFileByPath(tree, 'picture.png');
    expect(picture && fileText(picture)).toBeNull();
  });

  it('makes files and folders where they are asked for', () => {
    const before = fromContent(sampleContent());
    const inFolder = treeOf(createFile(before, folderId(before, 'empty'), 'new.stan', 'x'));
    expect(paths(inFolder)).toContain('empty/new.stan');
    const withFolder = createFolder(inFolder, null, 'more');
    expect(withFolder.ok && findEntry(withFolder.value.tree, withFolder.value.id)?.path).toBe(
      'more',
    );
  });

  it.each(['', '.', '..', 'a/b', 'a\\b', 'con', 'x.', 'README.md', 'nul.txt', '%2e%2e'])(
    'refuses the name "%s"',
    (name) => {
      const tree = fromContent(sampleContent());
      expect(nameProblem(tree, null, name)).not.toBeNull();
      expect(createFile(tree, null, name).ok).toBe(false);
    },
  );

  it('takes names that differ in how an accent is composed for the same', () => {
    const tree = treeOf(createFile(fromContent({ tree: [] }), null, 'caf\u00e9'));
    expect(nameProblem(tree, null, 'cafe\u0301')).toContain('already in this folder');
  });

  it('lets a file keep its own name when it is renamed to it', () => {
    const tree = fromContent(sampleContent());
    expect(rename(tree, idOf(tree, 'README.md'), 'README.md').ok).toBe(true);
  });

  it('follows the entrance through renames and moves, of the file and of its folder', () => {
    const tree = fromContent(sampleContent());
    const renamed = treeOf(rename(tree, idOf(tree, 'model/main.stan'), 'other.stan'));
    expect(renamed.meta?.entrance_file).toBe('model/other.stan');
    const folder = treeOf(rename(renamed, folderId(tree, 'model'), 'src'));
    expect(folder.meta?.entrance_file).toBe('src/other.stan');
    const moved = treeOf(move(folder, idOf(folder, 'src/other.stan'), null));
    expect(moved.meta).toEqual({ entrance_file: 'other.stan', entrance_func: 'model' });
  });

  it('refuses to move a folder into itself or over a name that is taken', () => {
    const tree = fromContent(sampleContent());
    const model = folderId(tree, 'model');
    const inner = createFolder(tree, model, 'inner');
    expect(inner.ok && move(inner.value.tree, model, inner.value.id)).toMatchObject({ ok: false });
    const twin = treeOf(createFile(tree, model, 'README.md'));
    expect(move(twin, idOf(twin, 'README.md'), model)).toMatchObject({ ok: false });
  });

  it('moves there and back to the very content', () => {
    const tree = fromContent(sampleContent());
    const id = idOf(tree, 'README.md');
    const there = treeOf(move(tree, id, folderId(tree, 'empty')));
    expect(paths(there)).toContain('empty/README.md');
    expect(toContent(treeOf(move(there, id, null)))).toEqual(sampleContent());
  });

  it('duplicates files and folders beside them under free names', () => {
    const tree = fromContent(sampleContent());
    const once = treeOf(duplicate(tree, idOf(tree, 'README.md')));
    const twice = treeOf(duplicate(once, idOf(tree, 'README.md')));
    expect(paths(twice)).toEqual(expect.arrayContaining(['README copy.md', 'README copy 2.md']));
    const folder = treeOf(duplicate(tree, folderId(tree, 'model')));
    expect(paths(folder)).toEqual(
      expect.arrayContaining(['model copy/main.stan', 'model copy/part.stan']),
    );
  });

  it('puts back what was removed, also when its folder is gone', () => {
    const tree = fromContent(sampleContent());
    const place = findEntry(tree, idOf(tree, 'model/part.stan'));
    if (place === null) throw new Error('not there');
    const without = remove(tree, place.entry.id);
    expect(paths(without)).not.toContain('model/part.stan');
    const back = insertEntry(without, place.parent?.id ?? null, place.entry);
    expect(toContent(back).tree).toEqual(sampleContent().tree);
    const noFolder = remove(without, folderId(tree, 'model'));
    expect(paths(insertEntry(noFolder, folderId(tree, 'model'), place.entry))).toContain(
      'part.stan',
    );
  });

  it('puts files at paths, making folders, and replaces what stands there', () => {
    const tree = treeOf(
      putFile(fromContent(sampleContent()), 'deep/er/x.bin', new Uint8Array([0, 255])),
    );
    expect(paths(tree)).toContain('deep/er/x.bin');
    const replaced = treeOf(putFile(tree, 'README.md', new TextEncoder().encode('other')));
    const readme = findFileByPath(replaced, 'README.md');
    expect(readme && fileText(readme)).toBe('other');
    expect(putFile(tree, 'README.md/x', new Uint8Array()).ok).toBe(false);
  });

  it('names the entrance and takes it back', () => {
    const tree = fromContent(sampleContent());
    const other = setEntrance(tree, 'model/part.stan');
    expect(toContent(other).meta).toEqual({
      entrance_file: 'model/part.stan',
      entrance_func: 'model',
    });
    expect(toContent(setEntrance(other, 'model/main.stan'))).toBe(tree.saved.content);
  });

  it('leaves a member out when it is emptied, and keeps one that came empty', () => {
    const tree = fromContent(sampleContent());
    const emptied = setMeta(tree, { entrance_func: '' });
    expect(toContent(emptied).meta).toStrictEqual({ entrance_file: 'model/main.stan' });
    expect(toContent(setMeta(emptied, { entrance_func: 'model' }))).toBe(tree.saved.content);
    // Emptying what was never there changes nothing.
    expect(setMeta(tree, { manifest: '' })).toBe(tree);

    const meta = { entrance_file: 'model/main.stan', manifest: '' };
    const withEmpty = fromContent({ ...sampleContent(), meta });
    const named = setMeta(withEmpty, { manifest: 'Manifest.toml' });
    expect(toContent(named).meta).toStrictEqual({ ...meta, manifest: 'Manifest.toml' });
    expect(toContent(setMeta(withEmpty, { entrance_func: 'run' })).meta).toStrictEqual({
      ...meta,
      entrance_func: 'run',
    });
    expect(toContent(setMeta(named, { manifest: '' }))).toBe(withEmpty.saved.content);
  });
});
