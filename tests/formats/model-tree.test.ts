/** Model content: checked, flattened, built back byte for byte. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64, toBase64 } from '../../src/formats/base64.ts';
import { entranceFile, runtimeOfFile } from '../../src/formats/entrance-file.ts';
import {
  buildTree,
  decodeContent,
  decodeText,
  defaultTreeLimits,
  flattenTree,
  type ModelFile,
  type ModelTreeNode,
  withoutContent,
} from '../../src/formats/model-tree.ts';
import { doubleKey, segmentProblem } from '../../src/formats/path-segment.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const unwrap = <T>(
  result: { ok: true; value: T } | { ok: false; error: { message: string } },
): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

const segment = fc
  .string({ minLength: 1, maxLength: 8, unit: 'grapheme' })
  .map((text) => text.normalize('NFC'))
  .filter((text) => segmentProblem(text) === null);
const file = fc.record({
  bytes: fc.uint8Array({ maxLength: 60 }),
  encoding: fc.constantFrom<'base64' | 'text'>('base64', 'text'),
});
/** Paths of two levels where no file bears the name of a folder. */
const files = fc
  .uniqueArray(fc.tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), file), {
    selector: ([path]) => doubleKey(path.join('/')),
    maxLength: 8,
  })
  .map((list) =>
    list
      .map(([path, rest]) => ({ path: path.join('/'), ...rest }))
      .filter(
        (entry, _, all) =>
          !all.some((other) => doubleKey(other.path).startsWith(doubleKey(`${entry.path}/`))),
      ),
  );

describe('names that a file system may treat as equal', () => {
  const leaf = (name: string): ModelTreeNode => ({
    name,
    type: 'file',
    content: '',
    encoding: 'text',
  });
  it.each([
    ['A.stan', 'a.stan'],
    ['Ä.stan', 'a\u0308.stan'],
    ['straße.stan', 'STRASSE.stan'],
    ['\u212Aelvin', 'kelvin'],
    ['ϴ.stan', 'θ.stan'],
  ])('%s and %s are refused together, in trees and in lists of files', (one, other) => {
    const message = expect.stringContaining('occurs twice');
    expect(flattenTree([leaf(one), leaf(other)])).toMatchObject({ ok: false, error: { message } });
    const file = (path: string) => ({ path, bytes: utf8(''), encoding: 'text' as const });
    for (const paths of [
      [one, other],
      [one, `${other}/x`],
      [`${one}/x`, `${other}/y`],
      [`${one}/x`, other],
    ])
      expect(buildTree({ files: paths.map(file), emptyFolders: [] })).toMatchObject({ ok: false });
    expect(flattenTree([{ name: one, children: [leaf(one), leaf(`x${other}`)] }]).ok).toBe(true);
  });

  it('do not lead into the folder of a Git repository', () => {
    const tree = [{ name: '.git', type: 'folder' as const, children: [leaf('config')] }];
    expect(flattenTree(tree)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("a Git repository's own folder") },
    });
    expect(flattenTree([leaf('.gitignore'), leaf('a.git')]).ok).toBe(true);
  });
});

describe('converting files to a tree and back', () => {
  it('keeps any bytes at their paths', () => {
    fc.assert(
      fc.property(files, (list) => {
        const tree = unwrap(buildTree({ files: list, emptyFolders: [] }));
        const back = unwrap(flattenTree(JSON.parse(JSON.stringify(tree)) as ModelTreeNode[]));
        const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
        const bytes = (all: readonly ModelFile[]) =>
          all.map(({ path, bytes: content }) => ({ path, content: [...content] })).sort(byPath);
        expect(bytes(back.files)).toEqual(bytes(list));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('does not change a tree', () => {
    const tree: ModelTreeNode[] = [
      { name: 'main.stan', type: 'file', content: 'data {}\n', encoding: 'text' },
      {
        name: 'inner',
        type: 'folder',
        children: [
          { name: 'a.bin', type: 'file', content: 'AAEC', encoding: 'base64' },
          { name: 'empty', type: 'folder', children: [] },
        ],
      },
    ];
    expect(unwrap(buildTree(unwrap(flattenTree(tree))))).toEqual(tree);
  });

  it('creates folders as needed, also empty ones', () => {
    const text = { bytes: utf8('x y'), encoding: 'text' as const };
    const content = { type: 'file', content: 'x y', encoding: 'text' };
    expect(
      unwrap(
        buildTree({
          files: [
            { path: 'd/e/a', ...text },
            { path: 'b', ...text },
            { path: 'd/c', ...text },
          ],
          emptyFolders: ['d', 'f/g', 'f/h', 'f/g/i'],
        }),
      ),
    ).toEqual([
      {
        name: 'd',
        type: 'folder',
        children: [
          { name: 'e', type: 'folder', children: [{ name: 'a', ...content }] },
          { name: 'c', ...content },
        ],
      },
      { name: 'b', ...content },
      {
        name: 'f',
        type: 'folder',
        children: [
          { name: 'g', type: 'folder', children: [{ name: 'i', type: 'folder', children: [] }] },
          { name: 'h', type: 'folder', children: [] },
        ],
      },
    ]);
  });

  it('encodes bytes that are not text as base64, whatever was requested', () => {
    const [node] = unwrap(
      buildTree({
        files: [{ path: 'a', bytes: Uint8Array.of(255, 0), encoding: 'text' }],
        emptyFolders: [],
      }),
    );
    expect(node).toEqual({ name: 'a', type: 'file', content: '/wA=', encoding: 'base64' });
  });

  it('keeps a byte order mark', () => {
    const [node] = unwrap(
      buildTree({
        files: [{ path: 'a', bytes: Uint8Array.of(0xef, 0xbb, 0xbf, 65), encoding: 'text' }],
        emptyFolders: [],
      }),
    );
    expect(unwrap(flattenTree([node])).files[0].bytes).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf, 65));
  });
});

describe('the encoding of content', () => {
  it.each<[string, string, 'base64' | 'text']>([
    ['a program in plain text', 'data {\n  int N;\n}\n', 'text'],
    ['a program in base64', toBase64(utf8('data { int N; }\n')), 'base64'],
    [
      'a program in base64 with line breaks',
      toBase64(utf8('data { int N; }\n'.repeat(20))).replace(/.{64}/g, '$&\n'),
      'base64',
    ],
    ['a word of four letters', 'abcd', 'text'],
    ['a word of eight letters', 'deadbeef', 'text'],
    ['a checksum in hexadecimal', '0123456789abcdef'.repeat(4), 'text'],
    [
      'base64 of a picture',
      toBase64(Uint8Array.from({ length: 90 }, (_, i) => (i * 97 + 137) % 256)),
      'base64',
    ],
    ['short base64 with two characters of padding', '/9j/4A==', 'base64'],
    ['two characters of padding and a line end', '/9j/4A==\r\n', 'base64'],
    ['two characters of padding between blanks', ' /9j/4A== ', 'base64'],
    ['two equals signs after what is not base64', 'x!y==', 'text'],
    ['a long word with digits', 'abAB12+/'.repeat(3), 'base64'],
    ['a long word with slashes', 'abAB/cCD'.repeat(3), 'base64'],
    ['a long word with pluses', 'abAB+cCD'.repeat(3), 'base64'],
    ['a long word in two lines', 'abAB12+/abAB\n12+/abAB12+/', 'base64'],
    ['long words', 'abAB12+/ abAB12+/ abAB12+/', 'text'],
    ['a word of 20 letters', 'abAB12+/abAB12+/abAB', 'text'],
    ['a long word of letters', 'abABcdCD'.repeat(3), 'text'],
    ['a long word in lower case', 'abcd12+/'.repeat(3), 'text'],
    ['a long word in upper case', 'ABCD12+/'.repeat(3), 'text'],
    ['a number', '2024', 'text'],
    ['nothing', '', 'base64'],
  ])('is guessed if none is stated: %s', (_, content, encoding) =>
    expect(decodeContent(content)?.encoding).toBe(encoding),
  );

  it('is text for UTF-8 with no control characters but tabs, line ends and page breaks', () => {
    const isText = (...bytes: number[]) => decodeText(Uint8Array.from(bytes)) !== null;
    const codes = Array.from({ length: 128 }, (_, code) => code);
    expect(codes.filter((code) => code < 32 && isText(97, code))).toEqual([9, 10, 12, 13]);
    expect(codes.filter((code) => code >= 32 && !isText(code))).toEqual([127]);
    expect([isText(0xc2, 0x80), isText(0xc2), isText()]).toEqual([true, false, true]);
    expect(decodeText(utf8('\ufeffé'))).toBe('\ufeffé');
  });

  it('is the stated one if there is one', () => {
    expect(decodeContent('abcd', 'base64')?.bytes).toEqual(Uint8Array.of(0x69, 0xb7, 0x1d));
    expect(decodeContent('YWJj', 'text')?.bytes).toEqual(utf8('YWJj'));
    expect(decodeContent('not base64', 'base64')).toBeNull();
  });

  it('is base64 for base64 of any text, and text for what is not base64', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(decodeContent(toBase64(utf8(text)))?.bytes).toEqual(utf8(text));
        if (fromBase64(text) === null)
          expect(decodeContent(text)).toEqual({ bytes: utf8(text), encoding: 'text' });
      }),
      { seed: 2 },
    );
  });
});

describe('types of nodes', () => {
  it('follow from children and content if they are missing', () => {
    const tree: ModelTreeNode[] = [
      { name: 'a' },
      { name: 'b', children: [{ name: 'c', content: '' }] },
      { name: 'd', content: 'x y', children: [] },
    ];
    const { files: list, emptyFolders } = unwrap(flattenTree(tree));
    expect([list.map((entry) => entry.path), emptyFolders]).toEqual([['b/c', 'd'], ['a']]);
  });

  it('allow files without content and folders with empty content', () => {
    expect(
      unwrap(
        flattenTree([
          { name: 'a', type: 'file' },
          { name: 'b', type: 'folder', content: '' },
        ]),
      ),
    ).toEqual({
      files: [{ path: 'a', bytes: new Uint8Array(0), encoding: 'base64' }],
      emptyFolders: ['b'],
    });
  });

  it('withoutContent finds the folders that no path leads through', () => {
    expect(withoutContent(['a', 'a/b', 'a/c', 'd', 'b'], ['a/b/x', 'd', 'bb/x'])).toEqual([
      'a/c',
      'd',
      'b',
    ]);
    expect(withoutContent(['a'], ['/a', '/'])).toEqual(['a']);
  });
});

describe('refuses', () => {
  const node = (name: string): ModelTreeNode => ({ name, type: 'file', content: 'x y' });
  const limits = { fileBytes: 10, totalBytes: 25, nodes: 5, depth: 3 };
  const deep = (levels: number): ModelTreeNode =>
    levels === 1 ? node('f') : { name: 'd', type: 'folder', children: [deep(levels - 1)] };
  it.each<[string, ModelTreeNode[], string, string]>([
    [
      'a name that leads outside',
      [node('..')],
      'INVALID_PARAMETER',
      'The name ".." refers to a folder.',
    ],
    ['a duplicate name', [node('a'), node('a')], 'INVALID_PARAMETER', '"a" occurs twice.'],
    [
      'names that differ in how an accent is composed',
      [node('\u00e9'), node('e\u0301')],
      'INVALID_PARAMETER',
      '"e\u0301" occurs twice.',
    ],
    [
      'a file with children',
      [{ ...node('a'), children: [node('b')] }],
      'INVALID_PARAMETER',
      'The file "a" has children.',
    ],
    [
      'a folder with content',
      [{ name: 'a', type: 'folder', content: 'x' }],
      'INVALID_PARAMETER',
      'The folder "a" has content of its own.',
    ],
    [
      'content beside children',
      [{ name: 'a', content: 'x', children: [node('b')] }],
      'INVALID_PARAMETER',
      'The folder "a" has content of its own.',
    ],
    [
      'content that is not base64',
      [{ ...node('a'), encoding: 'base64' }],
      'INVALID_PARAMETER',
      'The content of "a" is not base64.',
    ],
    [
      'a file too large',
      [{ ...node('a'), content: 'x '.repeat(6) }],
      'TOO_LARGE',
      '"a" has 12 bytes, more than 10.',
    ],
    [
      'files too large together',
      ['a', 'b', 'c'].map((name) => ({ ...node(name), content: 'x '.repeat(5) })),
      'TOO_LARGE',
      'The files together have more than 25 bytes.',
    ],
    [
      'too many nodes',
      ['a', 'b', 'c', 'd', 'e', 'f'].map(node),
      'TOO_LARGE',
      'The tree has more than 5 files and folders.',
    ],
    ['a tree too deep', [deep(4)], 'TOO_LARGE', 'The tree is deeper than 3 levels.'],
  ])('%s', (_, tree, code, message) =>
    expect(flattenTree(tree, limits)).toMatchObject({ ok: false, error: { code, message } }),
  );

  it('nothing at the limits', () => {
    expect(flattenTree([deep(3)], limits).ok).toBe(true);
    const empty: ModelTreeNode = {
      name: 'd',
      children: [{ name: 'd', children: [{ name: 'd' }] }],
    };
    expect(flattenTree([empty], limits).ok).toBe(true);
    const full = [10, 10, 5, 0, 0].map((size, i) => ({
      ...node(`${i}`),
      content: 'x'.repeat(size),
      encoding: 'text' as const,
    }));
    expect(flattenTree(full, limits).ok).toBe(true);
    expect(defaultTreeLimits).toEqual({
      fileBytes: 16_777_216,
      totalBytes: 67_108_864,
      nodes: 2000,
      depth: 32,
    });
  });

  it.each<[ModelTreeNode[], string, number, number]>([
    [[{ name: 'd', children: [{ ...node('a'), content: 'x '.repeat(6) }] }], 'd/a', 10, 12],
    [['a', 'b', 'c'].map((name) => ({ ...node(name), content: 'x '.repeat(5) })), 'c', 25, 30],
    [['a', 'b', 'c', 'd', 'e', 'f'].map(node), 'f', 5, 6],
    [[deep(4)], 'd/d/d', 3, 4],
  ])('what exceeds a limit, with path, limit and size: %#', (tree, path, limit, size) =>
    expect(flattenTree(tree, limits)).toMatchObject({ ok: false, error: { path, limit, size } }),
  );

  it('ten thousand levels without running out of stack', () => {
    let tree = node('f');
    for (let i = 0; i < 10_000; i++) tree = { name: 'd', type: 'folder', children: [tree] };
    expect(flattenTree([tree])).toMatchObject({ ok: false, error: { code: 'TOO_LARGE' } });
  });

  it('paths that use a file as a folder, or a folder as a file', () => {
    const of = (...paths: string[]) =>
      buildTree({
        files: paths.map((path) => ({ path, bytes: utf8('x'), encoding: 'text' })),
        emptyFolders: [],
      });
    const refused = (path: string, message: string) => ({
      ok: false,
      error: { code: 'INVALID_PARAMETER', path, message },
    });
    expect(of('a', 'a/b/c')).toEqual(
      refused('a/b/c', '"a" is a file, so it cannot contain others.'),
    );
    expect(of('a/b', 'a')).toEqual(refused('a', '"a" occurs twice.'));
    expect(of('a', 'a')).toEqual(refused('a', '"a" occurs twice.'));
    expect(of('../a')).toEqual(refused('../a', 'The name ".." refers to a folder.'));
    expect(of('A/x', 'a/y')).toEqual(
      refused('a/y', '"a" occurs twice: "A" differs from it only in case.'),
    );
    const withFolder = (path: string) =>
      buildTree({
        files: [{ path: 'a', bytes: utf8('x'), encoding: 'text' }],
        emptyFolders: [path],
      });
    expect(withFolder('b/..')).toEqual(refused('b/..', 'The name ".." refers to a folder.'));
    expect(withFolder('a')).toEqual(refused('a', '"a" occurs twice.'));
    expect(withFolder('a/b')).toEqual(
      refused('a/b', '"a" is a file, so it cannot contain others.'),
    );
  });
});

describe('entranceFile', () => {
  it.each<[string, string | undefined, string[], string | null]>([
    ['the named file', 'sub/run.stan', ['main.stan', 'sub/run.stan'], 'sub/run.stan'],
    ['none if the named file is missing', 'gone.stan', ['main.stan'], null],
    ['the documented default', undefined, ['main.stan', 'main.jl'], 'main.jl'],
    [
      'another main program if the default is named but missing',
      'main.jl',
      ['data.csv', 'deep/model.stan', 'model.stan'],
      'model.stan',
    ],
    ['the only program', undefined, ['readme.md', 'schools.stan'], 'schools.stan'],
    [
      'the only Stan program among others',
      undefined,
      ['plot.py', 'fit.r', 'schools.stan'],
      'schools.stan',
    ],
    [
      'the main program nearest to the root',
      '',
      ['a/b/c.stan', 'a/b/model.py', 'folder/main.py'],
      'folder/main.py',
    ],
    ['a main program in capitals', undefined, ['a.stan', 'MODEL.Stan'], 'MODEL.Stan'],
    ['the default if it is named and present', 'main.jl', ['main.stan', 'main.jl'], 'main.jl'],
    ['none whose name is only similar to main', undefined, ['xmain.stan', 'main.test.stan'], null],
    ['the only program among data', undefined, ['a.csv', 'fit.py', 'b.csv'], 'fit.py'],
    ['the only file', undefined, ['whatever'], 'whatever'],
    ['none among several programs', undefined, ['a.stan', 'b.stan'], null],
    ['none among several programs of another language', undefined, ['a.py', 'b.py'], null],
    ['none among data', undefined, ['a.csv', 'b.csv'], null],
    ['none in an empty tree', undefined, [], null],
  ])('is %s', (_, named, paths, expected) =>
    expect(entranceFile(named === undefined ? null : { entrance_file: named }, paths)).toBe(
      expected,
    ),
  );
  it('runtimeOfFile goes by the suffix', () =>
    expect(
      Object.fromEntries(
        'a.STAN x/y.jl p.py z.R s.js s.mjs j.bug j.bugs j.jags q.txt stan x.stan.bak'
          .split(' ')
          .map((name) => [name, runtimeOfFile(name)]),
      ),
    ).toEqual({
      'a.STAN': 'stan',
      'x/y.jl': 'julia',
      'p.py': 'python',
      'z.R': 'r',
      's.js': 'javascript',
      's.mjs': 'javascript',
      'j.bug': 'jags',
      'j.bugs': 'jags',
      'j.jags': 'jags',
      'q.txt': '',
      stan: '',
      'x.stan.bak': '',
    }));
});

it('base64 equals that of Node for any bytes, and is strict', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      expect(fromBase64(toBase64(bytes))).toEqual(bytes);
    }),
    { seed: 3 },
  );
  for (const text of ['a', 'ab', 'abc', 'a===', 'ab=c', 'a b c!', '_-__', '!abc', 'abc!', '='])
    expect(fromBase64(text)).toBeNull();
  expect(fromBase64(' YW\n\nJj\t')).toEqual(utf8('abc'));
  const large = new Uint8Array(200_000).fill(7);
  expect(Buffer.compare(fromBase64(toBase64(large)) ?? utf8(''), large)).toBe(0);
});
