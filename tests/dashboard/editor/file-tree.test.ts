import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Change,
  createFile,
  createFolder,
  duplicate,
  entranceOf,
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
  it('returns the same object while nothing is changed, whatever it holds', () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        expect(toContent(fromContent(content))).toBe(content);
      }),
    );
  });

  it('has the bytes that the wire format specifies', () => {
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

  it('has no text for a binary file', () => {
    const tree = fromContent(sampleContent());
    const picture = findFileByPath(tree, 'picture.png');
    expect(picture && fileText(picture)).toBeNull();
  });

  it('creates files and folders in the chosen places', () => {
    const before = fromContent(sampleContent());
    const inFolder = treeOf(createFile(before, folderId(before, 'empty'), 'new.stan', 'x'));
    expect(paths(inFolder)).toContain('empty/new.stan');
    const bare = findFileByPath(treeOf(createFile(before, null, 'bare')), 'bare');
    expect(bare && fileText(bare)).toBe('');
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

  it('gives the reason why a name is not allowed', () => {
    const tree = fromContent(sampleContent());
    expect(nameProblem(tree, null, '')).toBe('Type a name.');
    expect(nameProblem(tree, null, 'a/b')).toMatch(/^This name .+\.$/);
    expect(nameProblem(tree, null, 'readme.md')).toBe('readme.md is already in this folder.');
    expect(nameProblem(tree, idOf(tree, 'README.md'), 'README.md')).toBeNull();
    expect(nameProblem(tree, 999, 'README.md', 1)).toBeNull();
    expect(nameProblem(tree, null, 'free')).toBeNull();
    const model = folderId(tree, 'model');
    const error = { ok: false, error: 'part.stan is already in this folder.' };
    expect(rename(tree, idOf(tree, 'model/main.stan'), 'part.stan')).toEqual(error);
    expect(rename(tree, idOf(tree, 'model/main.stan'), 'README.md').ok).toBe(true);
    expect(move(tree, model, model)).toEqual({
      ok: false,
      error: 'A folder cannot be moved into itself.',
    });
  });

  it('is not changed by operations on what no longer exists', () => {
    const tree = fromContent(sampleContent());
    const gone = { ok: false, error: 'It no longer exists.' };
    expect([rename(tree, 999, 'x'), move(tree, 999, null), duplicate(tree, 999)]).toEqual([
      gone,
      gone,
      gone,
    ]);
    expect(toContent(setText(tree, 999, 'x'))).toBe(tree.saved.content);
    expect(toContent(remove(tree, 999))).toBe(tree.saved.content);
    expect(toContent(setText(tree, folderId(tree, 'empty'), 'x'))).toBe(tree.saved.content);
    const id = idOf(tree, 'README.md');
    expect(setText(tree, id, '# Read\r\nme').entries).toBe(tree.entries);
    const same = move(tree, id, null);
    expect(same.ok && toContent(same.value.tree)).toBe(tree.saved.content);
  });

  it('names the entrance file', () => {
    const tree = fromContent(sampleContent());
    expect(entranceOf(tree)).toBe('model/main.stan');
    expect(entranceOf(fromContent({ tree: [] }))).toBeNull();
  });

  it('sends a file and a folder under their new names, and a new folder as one node', () => {
    const tree = fromContent(sampleContent());
    const [model, , , readme] = sampleContent().tree;
    const renamed = treeOf(rename(tree, idOf(tree, 'README.md'), 'R.md'));
    const both = treeOf(rename(renamed, folderId(tree, 'model'), 'src'));
    const made = createFolder(both, null, 'more');
    const sent = toContent(treeOf(made)).tree;
    expect(sent[3]).toEqual({ ...readme, name: 'R.md' });
    expect(sent[0]).toEqual({ ...model, name: 'src' });
    expect(sent[4]).toEqual({ name: 'more', type: 'folder', children: [] });
    expect(made.ok && [made.value.id, made.value.tree.nextId]).toEqual([
      tree.nextId,
      tree.nextId + 1,
    ]);
  });

  it('lists the paths that were saved, and sends what is left when the last file is removed', () => {
    const tree = fromContent(sampleContent());
    expect([...tree.saved.paths.values()]).toEqual([
      'model',
      'model/main.stan',
      'model/part.stan',
      'picture.png',
      'empty',
      'README.md',
    ]);
    const left = toContent(remove(tree, idOf(tree, 'README.md')));
    expect(left.tree).toEqual(sampleContent().tree.slice(0, 3));
  });

  it('keeps what was not touched as the same objects', () => {
    const tree = fromContent(sampleContent());
    const edited = setText(tree, idOf(tree, 'model/main.stan'), 'x');
    expect(edited.entries.map((entry, i) => entry === tree.entries[i])).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(setText(tree, folderId(tree, 'empty'), 'x').entries).toBe(tree.entries);
  });

  it('renames with no entrance file, or one that does not exist', () => {
    for (const meta of [undefined, { entrance_file: 'gone' }]) {
      const tree = fromContent({ tree: sampleContent().tree, meta });
      expect(treeOf(rename(tree, idOf(tree, 'README.md'), 'R.md')).meta).toEqual(meta);
    }
  });

  it('reads a folder without a list of children as an empty one', () => {
    const tree = fromContent({ tree: [{ name: 'x', type: 'folder' }] });
    expect(tree.entries).toMatchObject([{ kind: 'folder', children: [] }]);
    expect(toContent(tree)).toBe(tree.saved.content);
  });

  it('treats names that differ only in how an accent is composed as the same', () => {
    const tree = treeOf(createFile(fromContent({ tree: [] }), null, 'caf\u00e9'));
    expect(nameProblem(tree, null, 'cafe\u0301')).toContain('already in this folder');
  });

  it('allows a file to be renamed to its own name', () => {
    const tree = fromContent(sampleContent());
    expect(rename(tree, idOf(tree, 'README.md'), 'README.md').ok).toBe(true);
  });

  it('updates the entrance when the file or its folder is renamed or moved', () => {
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

  it('is restored exactly by moving a file there and back', () => {
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
    const thrice = treeOf(duplicate(twice, idOf(tree, 'README.md')));
    expect(paths(thrice)).toEqual(
      expect.arrayContaining(['README copy.md', 'README copy 2.md', 'README copy 3.md']),
    );
    const edited = setText(tree, idOf(tree, 'README.md'), 'edited');
    const copies = treeOf(duplicate(edited, idOf(tree, 'README.md')));
    expect(paths(copies).slice(-2)).toEqual(['README.md', 'README copy.md']);
    const copied = findFileByPath(copies, 'README copy.md');
    expect(copied?.node).toEqual({
      name: 'README copy.md',
      type: 'file',
      content: base64('edited'),
      encoding: 'base64',
    });
    expect(copied?.id).toBe(edited.nextId);
    const plain = findFileByPath(once, 'README copy.md');
    expect(plain?.node).toEqual({
      ...findFileByPath(tree, 'README.md')?.node,
      name: 'README copy.md',
    });
    const odd = fromContent({
      tree: [
        { name: '.env', content: '' },
        { name: 'a.b', type: 'folder', children: [] },
      ],
    });
    const names = (change: Change) => treeOf(change).entries.map(({ name }) => name);
    expect(names(duplicate(odd, 1))).toEqual(['.env', '.env copy', 'a.b']);
    expect(names(duplicate(odd, 2))).toEqual(['.env', 'a.b', 'a.b copy']);
    expect(treeOf(duplicate(odd, 2)).entries[2]).toMatchObject({ kind: 'folder', node: null });
    const long = treeOf(createFile(tree, null, `${'n'.repeat(250)}.txt`));
    expect(duplicate(long, tree.nextId).ok).toBe(false);
    const folder = treeOf(duplicate(tree, folderId(tree, 'model')));
    expect(paths(folder)).toEqual(
      expect.arrayContaining(['model copy/main.stan', 'model copy/part.stan']),
    );
    expect(folder.nextId).toBe(tree.nextId + 3);
    expect(new Set(listFiles(folder).map(({ entry }) => entry.id)).size).toBe(paths(folder).length);
  });

  it('restores what was removed, even if its folder is gone', () => {
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
    expect(insertEntry(noFolder, null, place.entry).entries.at(-1)).toBe(place.entry);
    expect(paths(insertEntry(without, idOf(tree, 'README.md'), place.entry))).toContain(
      'part.stan',
    );
    const twice = insertEntry(insertEntry(tree, place.parent?.id ?? null, place.entry), null, {
      ...place.entry,
      name: 'README.md',
    });
    expect(paths(twice)).toEqual(
      expect.arrayContaining(['model/part.stan restored', 'README.md restored']),
    );
  });

  it('puts files at paths, creating folders, and replaces existing ones', () => {
    const tree = treeOf(
      putFile(fromContent(sampleContent()), 'deep/er/x.bin', new Uint8Array([0, 255])),
    );
    expect(paths(tree)).toContain('deep/er/x.bin');
    const replaced = treeOf(putFile(tree, 'README.md', new TextEncoder().encode('other')));
    const readme = findFileByPath(replaced, 'README.md');
    expect(readme && fileText(readme)).toBe('other');
    expect(readme?.edited).toBe('other');
    const put = (path: string, bytes: number[] | string, on = tree) => {
      const made = treeOf(
        putFile(
          on,
          path,
          typeof bytes === 'string' ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes),
        ),
      );
      return { made, file: findFileByPath(made, path) };
    };
    // Binary content replaces the node; text over text is an edit, and the same bytes are not.
    expect(put('README.md', [0, 255]).file).toMatchObject({
      node: { name: 'README.md', content: 'AP8=', encoding: 'base64' },
      edited: null,
    });
    expect(put('picture.png', 'now text').file).toMatchObject({
      node: { content: base64('now text') },
      edited: null,
    });
    expect(put('README.md', '# Read\r\nme').made.entries).toBe(tree.entries);
    expect(put('README.md', '# Read\r\nme', replaced).file?.edited).toBeNull();
    expect(paths(put('deep/er/y.bin', [0]).made).slice(-2)).toEqual([
      'deep/er/x.bin',
      'deep/er/y.bin',
    ]);
    expect(paths(put('model/deep/z', [0]).made)).toContain('model/deep/z');
    expect(paths(put('root.bin', [0]).made).at(-1)).toBe('root.bin');
    expect(putFile(tree, 'README.md/x', new Uint8Array()).ok).toBe(false);
  });

  it('sets the entrance and unsets it again', () => {
    const tree = fromContent(sampleContent());
    const other = setEntrance(tree, 'model/part.stan');
    expect(toContent(other).meta).toEqual({
      entrance_file: 'model/part.stan',
      entrance_func: 'model',
    });
    expect(toContent(setEntrance(other, 'model/main.stan'))).toBe(tree.saved.content);
    // Whatever the order of its members is.
    expect(toContent(setEntrance(setMeta(tree, { entrance_file: '' }), 'model/main.stan'))).toBe(
      tree.saved.content,
    );
    expect(setMeta(fromContent({ tree: [] }), { entrance_file: '' }).meta).toBeUndefined();
  });

  it('omits a member that is emptied, but keeps one that was empty before', () => {
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
