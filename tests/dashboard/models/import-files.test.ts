import { describe, expect, it } from 'vitest';
import {
  filesOfList,
  type GivenFile,
  readGiven,
} from '../../../src/dashboard/features/models/import-files.ts';
import { buildContent } from '../../../src/dashboard/features/models/new-model-page.tsx';
import { writeZip } from '../../../src/formats/archive.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const given = (path: string, text = 'x', size = text.length): GivenFile => ({
  path,
  size,
  read: async () => bytes(text),
});
const paths = (files: readonly { path: string }[]) => files.map(({ path }) => path);

describe('imported files', () => {
  it('of one folder become its files, without the files of development tools', async () => {
    const imported = await readGiven([
      given('schools/main.stan'),
      given('schools/data/y.json'),
      given('schools/.git/config'),
      given('schools/.DS_Store'),
      given('schools/node_modules/x/y.js'),
    ]);
    expect(imported).toMatchObject({ name: 'schools', problems: [] });
    expect(paths(imported.files)).toEqual(['main.stan', 'data/y.json']);
  });

  it('that cannot be imported are named, and the others are imported', async () => {
    const imported = await readGiven([
      given('main.stan'),
      given('con'),
      given('huge.bin', 'x', 17 * 2 ** 20),
    ]);
    expect(paths(imported.files)).toEqual(['main.stan']);
    expect(imported.problems).toEqual([
      'con was left out: the name "con" is a reserved device name.',
      'huge.bin was left out: it is 18 MB, and the limit per file is 17 MB.',
    ]);
  });

  it('stop at the largest number of files', async () => {
    const imported = await readGiven(Array.from({ length: 2002 }, (_, i) => given(`f${i}`)));
    expect(imported.files).toHaveLength(2000);
    expect(imported.problems).toEqual(['Only the first 2000 files were added.']);
  });

  it('of a zip are extracted', async () => {
    const files = ['top/main.stan', 'top/d/y.json'].map((path) => ({
      path,
      bytes: bytes(path),
      encoding: 'text' as const,
    }));
    const zip = writeZip({ files, emptyFolders: [] });
    if (!zip.ok) throw new Error(zip.error.message);
    const imported = await filesOfList([new File([new Uint8Array(zip.value)], 'mine.zip')]);
    expect(imported).toMatchObject({ name: 'top', problems: [] });
    expect(paths(imported.files)).toEqual(['main.stan', 'd/y.json']);
  });

  it('of a broken zip are reported', async () => {
    const imported = await filesOfList([new File(['no zip'], 'mine.zip')]);
    expect(imported).toEqual({
      name: 'mine',
      files: [],
      problems: ['mine.zip could not be read. This is not a zip archive.'],
    });
  });

  it('become a model named after its entrance, which is detected', () => {
    const built = buildContent({
      name: '',
      files: [
        { path: 'src/growth.stan', bytes: bytes('model { }') },
        { path: 'y.json', bytes: bytes('{}') },
      ],
      problems: [],
    });
    expect(built).toMatchObject({ name: 'growth', numFiles: 2, problems: [] });
    expect(built.content?.meta).toEqual({ entrance_file: 'src/growth.stan' });
  });

  it('make no model when there are none', () => {
    expect(buildContent({ name: '', files: [], problems: [] })).toMatchObject({
      content: null,
      problems: ['No files were found.'],
    });
  });
});
