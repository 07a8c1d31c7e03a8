/** Reads the files of a finished run, of any known kind, into chains with common columns. */

import { defaultArchiveLimits } from './archive.ts';
import { readArvizFile, readArvizInPlace } from './arviz-reader.ts';
import {
  bytesOf,
  type DrawFile,
  type DrawSource,
  isGzip,
  sourceOf,
  unpackedSource,
} from './draw-source.ts';
import { DrawsTableError } from './draws-table.ts';
import { type ColumnStore, memoryColumns, type NumberColumn } from './growing-column.ts';
import { guessType } from './guess-draws.ts';
import { loadHdf5 } from './hdf5.ts';
import {
  checkSize,
  defaultImportLimits,
  ImportError,
  type ImportedChain,
  type ImportedColumn,
  type ImportedDraws,
  type ImportLimits,
  type ImportType,
  samplerColumn,
} from './imported-draws.ts';
import { createDrawsCsvReader } from './long-csv.ts';
import { sniffNetcdf } from './netcdf-mark.ts';
import { createStanCsvReader } from './stan-csv-reader.ts';
import { importStanChain } from './stan-import.ts';
import { unpackTar } from './tar.ts';
import { LineError, LongLineError } from './text-lines.ts';
import { createTuringCsvReader } from './turing-csv.ts';

export interface ReadOptions {
  /** Null: guess from each file. */
  readonly type?: ImportType | null;
  readonly limits?: ImportLimits;
}

export interface DrawFilesContent<C = Float64Array> {
  readonly type: ImportType;
  /** Chains are called `chain#1`, …; all have the same columns. */
  readonly draws: ImportedDraws<C>;
}

/** More chains than this are not a run, but a column that does not number chains. */
const MOST_CHAINS = 1000;

/**
 * Every file is one or more chains of the same run. Throws {@link ImportError}, which names the file and says what is
 * wrong with it, or how it differs from the others.
 */
export async function readDrawFiles(
  files: readonly DrawFile[],
  options: ReadOptions = {},
): Promise<DrawFilesContent> {
  return readDrawSources(files.map(sourceOf), memoryColumns, options);
}

/** The same for files that may exceed memory, and whose numbers go to a store. */
export function readDrawSources<C extends NumberColumn<C>>(
  sources: readonly DrawSource[],
  store: ColumnStore<C>,
  options?: ReadOptions,
): Promise<DrawFilesContent<C>>;
export async function readDrawSources(
  sources: readonly DrawSource[],
  store: ColumnStore,
  { type = null, limits = defaultImportLimits }: ReadOptions = {},
): Promise<DrawFilesContent> {
  if (sources.length === 0) throw new ImportError('No file was given.');
  const read: { name: string; draws: ImportedDraws }[] = [];
  let kind: ImportType | null = null;
  let values = 0;
  for (const source of sources) {
    for (const file of await named(source.name, async () => openPacked(source))) {
      const draws = await named(file.name, async () => {
        const found = type ?? guessType({ name: file.name, bytes: file.head() });
        if (kind !== null && kind !== found)
          throw new ImportError(`This file is ${found}, but the files before it are ${kind}.`);
        kind = found;
        const one = await readFile(file, { type: found, limits, store });
        const count = countValues(one);
        if (count === 0) throw new ImportError('The file contains no draws.');
        values += count;
        checkSize(one.columns.length, values, limits);
        return one;
      });
      read.push({ name: file.name, draws });
    }
  }
  if (kind === null) throw new ImportError('The archive contains no file with draws.');
  return { type: kind, draws: joinFiles(read) };
}

/** Maximum bytes of an archive, packed and unpacked, since it is held in memory. */
const ARCHIVE_BYTES = 64 * 2 ** 20;
const UNPACKED_BYTES = 256 * 2 ** 20;

/** The files in a tar, so that the output of `fmt=arviz` can be read back; a gzip file's content; others as is. */
function openPacked(source: DrawSource): DrawSource[] {
  const head = source.head();
  const isPacked = isGzip(head);
  const unpacked = isPacked ? unpackedSource(source) : source;
  if (!isTar(isPacked ? unpacked.head() : head)) return [unpacked];
  if (source.size > ARCHIVE_BYTES)
    throw new ImportError(
      `The archive is larger than ${ARCHIVE_BYTES / 2 ** 20} MB. Unpack it and import the files in it.`,
    );
  const found = unpackTar(bytesOf(source), {
    ...defaultArchiveLimits,
    fileBytes: UNPACKED_BYTES,
    totalBytes: UNPACKED_BYTES,
  });
  if (!found.ok) throw new ImportError(found.error.message);
  return found.value.files.map(({ path, bytes }) => sourceOf({ name: path, bytes }));
}

const isTar = (head: Uint8Array): boolean =>
  head.length > 512 && String.fromCharCode(...head.subarray(257, 262)) === 'ustar';

async function named<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ImportError || error instanceof DrawsTableError)
      throw new ImportError(`${name}: ${error.message}`);
    if (error instanceof LineError || error instanceof LongLineError)
      throw new ImportError(`${name}: ${error.message}.`);
    throw error;
  }
}

interface FileOptions {
  readonly type: ImportType;
  readonly limits: ImportLimits;
  readonly store: ColumnStore;
}

async function readFile(source: DrawSource, options: FileOptions): Promise<ImportedDraws> {
  const { type, limits, store } = options;
  const head = source.head();
  if (type === 'arviz netcdf') return readNetcdf(source, options);
  if (sniffNetcdf(head) !== null) throw new ImportError(`This is a netCDF file, not ${type}.`);
  checkSize(countHeaderCells(head), 0, limits);
  switch (type) {
    case 'stan csv': {
      const reader = createStanCsvReader(store);
      pushText(source, (text) => reader.push(text));
      return importStanChain(reader.end());
    }
    case 'turing csv': {
      const reader = createTuringCsvReader(store);
      pushText(source, (text) => reader.push(text));
      return reader.end();
    }
    case 'draws csv':
      return readTable(source, options);
  }
}

async function readNetcdf(
  source: DrawSource,
  { limits, store }: FileOptions,
): Promise<ImportedDraws> {
  if (source.isUnpacked === true)
    throw new ImportError('A gzipped netCDF file cannot be read. Unpack it first: `gunzip FILE`.');
  if (source.hdf5 === undefined) return readArvizFile(await loadHdf5(), bytesOf(source), limits);
  const { hdf5, path } = await source.hdf5();
  return readArvizInPlace({ hdf5, path, head: source.head() }, { limits, store });
}

/** Piece by piece: a string of the entire file would cost as much again. */
function pushText(source: DrawSource, push: (text: string) => void): void {
  const decoder = new TextDecoder();
  for (const piece of source.pieces()) push(decoder.decode(piece, { stream: true }));
  push(decoder.decode());
}

/** Cells of the first non-comment line, before the rest is split. */
function countHeaderCells(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const line = bytes.subarray(at, end === -1 ? bytes.length : end);
    if (line.length > 1 && line[0] !== 35) {
      let cells = 1;
      for (const byte of line) if (byte === 44) cells++;
      return cells;
    }
    at += line.length + 1;
  }
  return 0;
}

function readTable(source: DrawSource, { limits, store }: FileOptions): ImportedDraws {
  const bounds = { chains: MOST_CHAINS, columns: 10 * limits.columns };
  const reader = createDrawsCsvReader(bounds, store);
  pushText(source, (text) => reader.push(text));
  const { chains, variables: all } = reader.end();
  // how our own file marks them
  const mark = all.find(({ variable }) => variable === 'left_out__');
  const variables = all.filter((variable) => variable !== mark);
  const isLeftOut = (index: number) =>
    mark !== undefined && store.load(mark.chains[index].subarray(0, 1))[0] === 1;
  const notes: string[] = [];
  const whole = chains.map((_, index) => {
    const lengths = variables.map((variable) => variable.chains[index].length);
    const length = Math.min(...lengths);
    if (lengths.some((one) => one !== length))
      notes.push(
        `${chains[index]}: some variables have more draws than others; the first ${length} were imported.`,
      );
    return length;
  });
  return {
    columns: variables.map(
      ({ variable }): ImportedColumn =>
        variable.endsWith('__') ? samplerColumn(variable) : { name: variable },
    ),
    chains: chains.map(
      (name, index): ImportedChain => ({
        name,
        draws: variables.map((variable) => variable.chains[index].subarray(0, whole[index])),
        warmup: variables.map(() => store.keep(new Float64Array(0))),
        stepSize: null,
        warmupSeconds: null,
        samplingSeconds: null,
        ...(isLeftOut(index) && { leftOut: true }),
      }),
    ),
    settings: {},
    notes,
  };
}

function countValues({ chains }: ImportedDraws): number {
  let count = 0;
  for (const { draws, warmup } of chains)
    for (const column of [...draws, ...warmup]) count += column.length;
  return count;
}

/** All chains with the columns of the first file. Sampler columns that some file lacks are left out. */
function joinFiles(files: readonly { name: string; draws: ImportedDraws }[]): ImportedDraws {
  const [first, ...others] = files;
  const ofSampler = (column: ImportedColumn) => column.sampler === true;
  const shared = new Set(first.draws.columns.map((column) => column.name));
  const notes = files.flatMap(({ name, draws }) =>
    draws.notes.map((note) => (files.length > 1 ? `${name}: ${note}` : note)),
  );
  for (const { name, draws } of others) {
    const own = new Set(draws.columns.map((column) => column.name));
    const missing = first.draws.columns.find(
      (column) => !ofSampler(column) && !own.has(column.name),
    );
    const extra = draws.columns.find((column) => !ofSampler(column) && !shared.has(column.name));
    if (missing !== undefined)
      throw new ImportError(`${name} lacks the variable ${missing.name}, which ${first.name} has.`);
    if (extra !== undefined)
      throw new ImportError(`${name} has the variable ${extra.name}, which ${first.name} lacks.`);
  }
  const columns = first.draws.columns.filter(
    (column) =>
      !ofSampler(column) ||
      others.every(({ draws }) => draws.columns.some((other) => other.name === column.name)),
  );
  if (columns.length < first.draws.columns.length)
    notes.push('Sampler columns that are missing from some files were left out.');
  const chains = files.flatMap(({ draws }) => {
    const places = new Map(draws.columns.map((column, index) => [column.name, index]));
    const indices = columns.map((column) => places.get(column.name) as number);
    return draws.chains.map((chain) => ({
      ...chain,
      draws: indices.map((index) => chain.draws[index]),
      warmup: indices.map((index) => chain.warmup[index]),
    }));
  });
  if (chains.length > MOST_CHAINS)
    throw new ImportError(
      `There are ${chains.length} chains; at most ${MOST_CHAINS} can be imported.`,
    );
  return { columns, chains: nameChains(chains), settings: first.draws.settings, notes };
}

/** Chains keep their numbers if these are unique; otherwise they are numbered in order. */
function nameChains(chains: readonly ImportedChain[]): ImportedChain[] {
  const numbers = chains.map(({ name }) =>
    Number(/^(?:chain#)?([1-9]\d{0,6})$/.exec(name)?.[1] ?? NaN),
  );
  const areKnown = numbers.every(Number.isInteger) && new Set(numbers).size === chains.length;
  return chains
    .map((chain, index) => ({ chain, number: areKnown ? numbers[index] : index + 1 }))
    .sort((a, b) => a.number - b.number)
    .map(({ chain, number }) => ({ ...chain, name: `chain#${number}` }));
}
