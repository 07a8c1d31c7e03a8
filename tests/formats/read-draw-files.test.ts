/**
 * The files of a run, whatever wrote them, become chains with common columns; anything else is rejected with a message.
 * One long file: every format is read through the same entry point.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { writeArvizFile } from '../../src/formats/arviz-file.ts';
import { type DrawSource, sourceOf } from '../../src/formats/draw-source.ts';
import { memoryColumns } from '../../src/formats/growing-column.ts';
import { loadHdf5 } from '../../src/formats/hdf5.ts';
import {
  defaultImportLimits,
  ImportError,
  type ImportType,
} from '../../src/formats/imported-draws.ts';
import { longCsvRows } from '../../src/formats/long-csv.ts';
import { readDrawFiles, readDrawSources } from '../../src/formats/read-draw-files.ts';
import {
  stanCsvAdaptation,
  stanCsvColumns,
  stanCsvHead,
  stanCsvRow,
} from '../../src/formats/stan-csv.ts';
import { packTar } from '../../src/formats/tar.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const file = (name: string, content: string | Uint8Array) => ({
  name,
  bytes: typeof content === 'string' ? utf8(content) : content,
});
const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/posterior/${name}`, import.meta.url));
const read = (contents: readonly (string | Uint8Array)[], type: ImportType | null = null) =>
  readDrawFiles(
    contents.map((content, i) => file(`f${i + 1}`, content)),
    { type },
  );
/** The message of a rejection. */
const refusal = async (contents: readonly (string | Uint8Array)[], type?: ImportType) => {
  try {
    await read(contents, type ?? null);
    return 'taken';
  } catch (error) {
    expect(error).toBeInstanceOf(ImportError);
    return (error as Error).message;
  }
};

const samplerNames = 'lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__';
const stan = (id: number | null, variables = 'mu', rows = 2) =>
  [
    '# method = sample (Default)',
    ...(id === null ? [] : [`# id = ${id} (Default)`]),
    `${samplerNames},${variables}`,
    ...Array.from(
      { length: rows },
      (_, i) =>
        `-1,0.9,0.5,2,3,0,4,${variables
          .split(',')
          .map((_, v) => 10 * (id ?? 0) + i + v / 8)
          .join(',')}`,
    ),
    '',
  ].join('\n');

describe('CmdStan output', () => {
  it('of versions 2.35 and 1.3 is read with the settings in its comments', async () => {
    const new2 = await readDrawFiles(
      [1, 2, 3, 4].map((n) => file(`${n}`, fixture(`bern${n}.csv`))),
    );
    expect(new2.type).toBe('stan csv');
    expect(new2.draws.chains.map((chain) => [chain.name, chain.draws[0].length])).toEqual([
      ['chain#1', 1000],
      ['chain#2', 1000],
      ['chain#3', 1000],
      ['chain#4', 1000],
    ]);
    expect(new2.draws.settings).toMatchObject({
      model: 'bernoulli_model',
      num_samples: 1000,
      num_warmup: 1000,
      save_warmup: false,
      thin: 1,
      adapt_delta: 0.8,
      max_treedepth: 10,
      metric: 'diag',
      stan_version: '2.35.0',
    });
    const old = await read([gunzipSync(fixture('blocker.1.csv.gz'))]);
    expect(old.draws.settings).toMatchObject({ stan_version: '1.3.0', adapt_delta: 0.65 });
    expect(old.draws.columns.slice(0, 5)).toEqual([
      { name: 'lp__', sampler: true },
      { name: 'accept_stat__', sampler: true },
      { name: 'stepsize__', sampler: true },
      { name: 'treedepth__', sampler: true, type: 'int' },
      { name: 'd' },
    ]);
  });

  it('with saved warmup, thinning and adaptation is read', async () => {
    const head = stanCsvHead({
      model: 'm',
      chainId: 2,
      numSamples: 4,
      numWarmup: 4,
      saveWarmup: true,
      thin: 2,
      seed: 7,
      initRadius: 2,
      adaptDelta: 0.9,
      maxTreeDepth: 8,
      metric: 'dense',
    });
    const text = [
      head,
      stanCsvColumns(['lp__', 'mu']),
      ...[1, 2].map((value) => stanCsvRow([0, value])),
      stanCsvAdaptation({ stepSize: 0.25, metric: 'diag', inverseMetric: [1] }),
      ...[3, 4].map((value) => stanCsvRow([0, value])),
    ].join('');
    const { draws } = await read([text]);
    const [chain] = draws.chains;
    expect([chain.name, [...chain.warmup[1]], [...chain.draws[1]], chain.stepSize]).toEqual([
      'chain#2',
      [1, 2],
      [3, 4],
      0.25,
    ]);
    expect(draws.settings).toMatchObject({ thin: 2, save_warmup: true, metric: 'dense', seed: 7 });
    // Without the comment that ends warmup, the settings say how many rows belong to it.
    const unmarked = text.replace(/^# (?:Adaptation|Step size|Diagonal|1$).*\n/gm, '');
    expect((await read([unmarked])).draws.chains[0].warmup[1].length).toBe(2);
  });

  it.each([
    ['optimize', 'lp__,mu', /a single point estimate/],
    ['variational', 'lp__,log_p__,log_g__,mu', /variational approximation \(ADVI\)/],
    ['pathfinder', 'lp_approx__,lp__,mu', /Pathfinder/],
    ['laplace', 'log_p__,log_q__,mu', /Laplace/],
    ['diagnose', 'lp__,mu', /a test of gradients/],
  ])('is refused when the method is %s', async (method, header, pattern) => {
    const row = header
      .split(',')
      .map(() => '1')
      .join(',');
    const message = await refusal([`# method = ${method}\n#   ${method}\n${header}\n${row}\n`]);
    expect(message).toMatch(/^f1: This file contains/);
    expect(message).toMatch(pattern);
    expect(message).toMatch(/Import the output of CmdStan's `sample` method instead\.$/);
  });

  it('of old ADVI is recognised by its columns', async () =>
    expect(await refusal(['lp__,log_p__,log_g__,mu\n0,1,2,3\n'], 'stan csv')).toMatch(/ADVI/));

  it('of generated quantities is accepted', async () =>
    expect(
      (await read(['# method = generate_quantities\ny\n1\n2\n'], 'stan csv')).draws.columns,
    ).toEqual([{ name: 'y' }]));
});

describe('several files', () => {
  it('keep their chain numbers and are sorted by them', async () => {
    const { draws } = await read([stan(3), stan(1)]);
    expect(draws.chains.map((chain) => [chain.name, chain.draws[7][0]])).toEqual([
      ['chain#1', 10],
      ['chain#3', 30],
    ]);
  });

  it('are numbered in the given order if a number is missing or duplicate', async () => {
    for (const ids of [
      [1, 1],
      [null, 2],
    ]) {
      const { draws } = await read(ids.map((id) => stan(id)));
      expect(draws.chains.map((chain) => chain.name)).toEqual(['chain#1', 'chain#2']);
    }
  });

  it('need the same variables, in any order; columns of the sampler may be missing', async () => {
    const { draws } = await read([stan(1, 'a,b'), stan(2, 'b,a')]);
    expect(draws.chains.map((chain) => chain.draws.slice(7).map((column) => column[0]))).toEqual([
      [10, 10.125],
      [20.125, 20],
    ]);
    expect(await refusal([stan(1, 'a,b'), stan(2, 'a')])).toBe(
      'f2 lacks the variable b, which f1 has.',
    );
    expect(await refusal([stan(1, 'a'), stan(2, 'a,b')])).toBe(
      'f2 has the variable b, which f1 lacks.',
    );
    const plain = await read([stan(1), '# method = sample\nlp__,mu\n-1,2\n']);
    expect(plain.draws.columns.map((column) => column.name)).toEqual(['lp__', 'mu']);
    expect(plain.draws.notes).toEqual([
      'Sampler columns that are missing from some files were left out.',
    ]);
  });

  it('may be tables that contain their chain numbers', async () => {
    const names = async (...chains: string[]) => {
      const { draws } = await read(chains.map((chain) => `chain,mu\n${chain},1\n${chain},2\n`));
      return draws.chains.map((chain) => chain.name);
    };
    expect(await names('12', '3')).toEqual(['chain#3', 'chain#12']);
    expect(await names('chain#7', '8')).toEqual(['chain#7', 'chain#8']);
    for (const others of [
      ['0', '5'],
      ['x6', '5'],
      ['5x', '6'],
      ['10000000', '6'],
      ['5', '5'],
    ])
      expect(await names(...others)).toEqual(['chain#1', 'chain#2']);
  });

  it('have notes with file names, and a single file without', async () => {
    const ragged = 'chain#1,a,1\nchain#1,a,2\nchain#1,b,3\n';
    const note = 'chain#1: some variables have more draws than others; the first 1 were imported.';
    expect((await read([ragged])).draws.notes).toEqual([note]);
    expect((await read([ragged, ragged])).draws.notes).toEqual([`f1: ${note}`, `f2: ${note}`]);
  });

  it('have at most a thousand chains together', async () => {
    const wide = (count: number) =>
      `chain,mu\n${Array.from({ length: count }, (_, i) => `${i},1\n`).join('')}`;
    expect((await read([wide(500), wide(500)])).draws.chains).toHaveLength(1000);
    expect(await refusal([wide(500), wide(501)])).toBe(
      'There are 1001 chains; at most 1000 can be imported.',
    );
  });

  it('keep warmup and the settings of the first, and lose sampler columns that some lack', async () => {
    const text = (id: number, names: string) =>
      `# id = ${id}\n# seed = ${id}\n# num_warmup = 1\n# save_warmup = 1\nlp__,${names}\n-1,${id},5\n-2,${id + 10},6\n`;
    const { draws } = await read([text(2, 'energy__,mu'), text(1, 'mu,treedepth__')], 'stan csv');
    expect(draws.columns.map((column) => column.name)).toEqual(['lp__', 'mu']);
    expect(draws.chains.map(({ warmup, draws: drawn }) => [[...warmup[1]], [...drawn[1]]])).toEqual(
      [
        [[1], [11]],
        [[5], [6]],
      ],
    );
    expect(draws.settings.seed).toBe(2);
  });

  it('must be of the same type', async () =>
    expect(await refusal([stan(1), 'iteration,chain,mu\n1,1,2\n'])).toBe(
      'f2: This file is turing csv, but the files before it are stan csv.',
    ));
});

describe('tables of draws', () => {
  it('in our own long form are read back', async () => {
    const rows = ['chain#1', 'chain#2'].flatMap((chain) =>
      ['lp__', 'mu', 'divergent__'].map((name) => longCsvRows(chain, name, Float64Array.of(0, 1))),
    );
    const { type, draws } = await read([rows.join('')]);
    expect(type).toBe('draws csv');
    expect(draws.columns).toEqual([
      { name: 'lp__', sampler: true },
      { name: 'mu' },
      { name: 'divergent__', sampler: true, type: 'bool' },
    ]);
    expect(draws.chains.map((chain) => chain.name)).toEqual(['chain#1', 'chain#2']);
    expect(draws.notes).toEqual([]);
  });

  it('are read with any number of byte order marks in front', async () => {
    for (const marks of ['', '\ufeff', '\ufeff\ufeff'])
      for (const text of ['chain,mu\n1,2\n', 'lp__,mu\n1,2\n', 'iteration,chain,mu\n1,1,2\n']) {
        const { draws } = await read([marks + text]);
        expect(draws.columns.at(-1)).toEqual({ name: 'mu' });
        expect(draws.columns[0]?.name).not.toContain('\ufeff');
      }
  });

  it('have intact names if a character is split between two pieces', async () => {
    const bytes = utf8('chain,µü\n1,2\n');
    const source = {
      ...sourceOf({ name: 'a', bytes }),
      *pieces() {
        for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
      },
    };
    const { draws } = await readDrawSources([source], memoryColumns);
    expect(draws.columns).toEqual([{ name: 'µü' }]);
  });

  it('with the signature of an archive are tables if they are no longer than its header', async () => {
    const text = `${'n'.repeat(256)},ustar\n1,2\n`;
    expect(text.slice(257, 262)).toBe('ustar');
    for (const length of [text.length, 512]) {
      const { draws } = await read([text.padEnd(length, '\n')]);
      expect(draws.columns.at(-1)).toEqual({ name: 'ustar' });
    }
  });

  it('are cut with a note if a variable ends early', async () => {
    const { draws } = await read(['chain#1,a,1\nchain#1,a,2\nchain#1,b,3\n']);
    expect(draws.chains[0].draws.map((column) => column.length)).toEqual([1, 1]);
    expect(draws.notes[0]).toMatch(/the first 1 were imported/);
  });
});

describe('a gzip file', () => {
  it('with a table is read as its content', async () => {
    const plain = await read([stan(1)]);
    expect(await read([gzipSync(stan(1))])).toEqual(plain);
    expect((await read([gzipSync('iteration,chain,mu\n1,1,2\n')])).type).toBe('turing csv');
  });

  it('with a netCDF file is refused with advice on what to do', async () =>
    expect(await refusal([gzipSync(Uint8Array.of(137, 72, 68, 70, 13, 10, 26, 10))])).toBe(
      'f1: A gzipped netCDF file cannot be read. Unpack it first: `gunzip FILE`.',
    ));
});

describe('an archive', () => {
  const chainFile = async (name: string, value: number) =>
    writeArvizFile(
      await loadHdf5(),
      {
        columns: [{ name: 'mu' }],
        chains: [
          {
            name,
            draws: [Float64Array.of(value)],
            warmup: [new Float64Array(0)],
            stepSize: null,
            warmupSeconds: null,
            samplingSeconds: null,
          },
        ],
      },
      { createdAt: '', library: 'x', libraryVersion: '' },
    );
  it('of one netCDF file per chain is read as one run', async () => {
    const files = await Promise.all(
      [1, 2].map(async (n) => ({
        path: `chain#${n}.nc`,
        bytes: await chainFile(`chain#${n}`, n),
        encoding: 'base64' as const,
      })),
    );
    const packed = packTar({ files, emptyFolders: [] }, { gzip: true });
    if (!packed.ok) throw new Error(packed.error.message);
    const { type, draws } = await read([packed.value]);
    expect(type).toBe('arviz netcdf');
    expect(draws.chains.map((chain) => chain.draws[0][0])).toEqual([1, 2]);
  });

  it('of tables is read like its files, each under its name', async () => {
    const packed = (...texts: string[]) => {
      const files = texts.map((text, i) => ({
        path: `run/c${i + 1}.csv`,
        bytes: utf8(text),
        encoding: 'text' as const,
      }));
      const tar = packTar({ files, emptyFolders: [] });
      if (!tar.ok) throw new Error(tar.error.message);
      return tar.value;
    };
    const { draws } = await read([packed(stan(2), stan(1))]);
    expect(draws.chains.map((chain) => chain.name)).toEqual(['chain#1', 'chain#2']);
    expect(await refusal([packed(stan(1), 'lp__,mu\n1,x\n1,2\n')])).toBe(
      'run/c2.csv: line 2: "x" is not a number.',
    );
    const bytes = packed(stan(1));
    const large = { ...sourceOf({ name: 'a.tar', bytes }), size: 64 * 2 ** 20 };
    expect((await readDrawSources([large], memoryColumns)).draws.chains).toHaveLength(1);
    await expect(
      readDrawSources([{ ...large, size: large.size + 1 }], memoryColumns),
    ).rejects.toThrow(
      'a.tar: The archive is larger than 64 MB. Unpack it and import the files in it.',
    );
    bytes.fill(0x62, 0, 1);
    expect(await refusal([bytes])).toBe('f1: This is not a tar archive.');
  });

  it('has the limits of every archive', async () => {
    const path = `${'d/'.repeat(32)}a.csv`;
    const packed = packTar({
      files: [{ path, bytes: utf8(stan(1)), encoding: 'text' }],
      emptyFolders: [],
    });
    expect(packed.ok && (await refusal([packed.value]))).toMatch(/ is deeper than 32 levels\.$/);
  });

  it('is not looked for in a netCDF file that can be opened in place', async () => {
    const hdf5 = await loadHdf5();
    const bytes = await chainFile('chain#1', 7);
    const path = '/in-place.nc';
    hdf5.fs.writeFile(path, bytes);
    const source: DrawSource = {
      ...sourceOf({ name: 'a.nc', bytes: bytes.subarray(0, 64) }),
      pieces: () => {
        throw new Error('read as a whole');
      },
      hdf5: () => Promise.resolve({ hdf5, path }),
    };
    const { draws } = await readDrawSources([source], memoryColumns);
    expect(draws.columns).toEqual([{ name: 'mu' }]);
    expect(draws.chains[0]?.draws).toEqual([Float64Array.of(7)]);
    hdf5.fs.unlink(path);
  });

  it('that unpacks to far more than its size, or to nothing, is refused', async () => {
    const comments = new TextEncoder().encode(`${'#'.repeat(2 ** 20 - 1)}\n`.repeat(120));
    expect(await refusal([gzipSync(comments)])).toMatch(/more than 200 times/);
    const empty = packTar({ files: [], emptyFolders: [] });
    expect(empty.ok && (await refusal([empty.value]))).toMatch(/neither CSV nor netCDF 4/);
  });
});

describe('refuses', () => {
  it.each<[string, string | Uint8Array, ImportType | undefined, RegExp]>([
    ['an empty file', '', undefined, /^f1: /],
    ['bytes', Uint8Array.from({ length: 99 }, (_, i) => i), undefined, /neither CSV nor netCDF 4/],
    ['text declared as netCDF', 'lp__,mu\n1,2\n', 'arviz netcdf', /has no netCDF signature/],
    [
      'netCDF declared as CSV',
      Uint8Array.of(137, 72, 68, 70, 13, 10, 26, 10),
      'stan csv',
      /netCDF file, not stan csv/,
    ],
    ['a header without draws', 'lp__,mu\n', undefined, /contains no draws/],
    ['only columns of the sampler', 'lp__,energy__\n1,2\n', undefined, /no column for a variable/],
    ['prose', 'Dear reader,\nthis is a letter.\n', undefined, /^f1: line/],
    [
      'more columns than allowed',
      `lp__,${'x,'.repeat(30_000)}y\n1\n`,
      undefined,
      /There are 30002 columns; at most 20000/,
    ],
    [
      'a new column in each row',
      Array.from({ length: 250_000 }, (_, i) => `c,v${i},1`).join('\n'),
      undefined,
      /more than 200000 columns/,
    ],
    [
      'a new chain in each row',
      Array.from({ length: 2000 }, (_, i) => `c${i},v,1`).join('\n'),
      undefined,
      /more than 1000 chains/,
    ],
  ])('%s', async (_, content, type, pattern) => {
    expect(await refusal([content], type)).toMatch(pattern);
  });

  it('a file that cannot be read, with the error of its reader', async () => {
    const fault = new RangeError('the disk is gone');
    const source: DrawSource = {
      ...sourceOf({ name: 'a', bytes: utf8(stan(1)) }),
      pieces: () => {
        throw fault;
      },
    };
    await expect(readDrawSources([source], memoryColumns)).rejects.toBe(fault);
  });

  it('no file at all', async () => expect(await refusal([])).toBe('No file was given.'));

  it('an archive of folders only', async () => {
    const tar = packTar({ files: [], emptyFolders: ['a'] });
    expect(tar.ok && (await refusal([tar.value]))).toBe('The archive contains no file with draws.');
  });

  it.each([
    ['a faulty Stan table', 'lp__,mu\n1,x\n1,2\n', 'f1: line 2: "x" is not a number.'],
    [
      'a faulty table of draws',
      'chain,mu\n1,2\n1\n1,2\n',
      'f1: line 3: has 1 columns instead of 2.',
    ],
    ['a faulty Turing table', 'iteration,chain,mu\n1,1,x\n', 'f1: line 2: "x" is not a number'],
    [
      'a line without end',
      `chain,mu\n${'1'.repeat(2 ** 24 + 1)}`,
      'f1: line 2 has more than 16777216 characters.',
    ],
  ])('%s, with the file and the line', async (_, text, message) =>
    expect(await refusal([text])).toBe(message),
  );

  it('too many columns, before any line is split, but not as many as the limit', async () => {
    const refused = async (text: string, columns: number) => {
      const limits = { ...defaultImportLimits, columns };
      return readDrawFiles([file('a', text)], { limits }).then(
        () => 'taken',
        (error: Error) => error.message,
      );
    };
    const message =
      'a: There are 4 columns; at most 3 can be imported. Leave out variables that are not needed.';
    expect(await refused('# a,b,c,d,e\n\nlp__,a,b,c\nx', 3)).toBe(message);
    expect(await refused('lp__,a,b,c', 3)).toBe(message);
    expect(await refused('lp__,a,b,', 3)).toBe(message);
    expect(await refused('\r\nlp__,a,b,c\nx\n', 3)).toBe(message);
    expect(await refused('# a,b,c,d,e\n\nlp__,a,b\n1,2,3\n', 3)).toBe('taken');
    const variables = ['a', 'b', 'c', 'd'].map((name) => `c,${name},1\n`);
    expect(await refused(variables.slice(0, 3).join(''), 3)).toBe('taken');
    expect(await refused(variables.join(''), 3)).toBe(message);
  });

  it('no values up to the limit', async () => {
    const limits = { ...defaultImportLimits, values: 32 };
    const files = [file('a', stan(1)), file('b', stan(2))];
    expect((await readDrawFiles(files, { limits })).draws.chains).toHaveLength(2);
  });

  it('more values over all files than the limit', async () => {
    const limits = { ...defaultImportLimits, values: 20 };
    await expect(
      readDrawFiles([file('a', stan(1)), file('b', stan(2))], { limits }),
    ).rejects.toThrow('b: There are 32 values; at most 20 can be imported.');
  });
});

it('readDrawFiles accepts 10 000 columns', async () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `x.${i + 1}`).join(',');
  const { draws } = await read([stan(1, names, 3)]);
  expect(draws.columns).toHaveLength(10_007);
  expect(draws.columns[10_006].name).toBe('x[10000]');
});
