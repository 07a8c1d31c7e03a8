/** Reads draws from ArviZ's netCDF 4 files, from many of its versions and from other writers. */
import type { Dataset, Group } from 'h5wasm';
import { plainName } from './arviz-file.ts';
import { besideGroups, sampleStatColumns } from './arviz-names.ts';
import { type ColumnStore, memoryColumns } from './growing-column.ts';
import { draftName, type Hdf5 } from './hdf5.ts';
import { attributeOf, numbersOf, sizeOf } from './hdf5-values.ts';
import {
  checkSize,
  defaultImportLimits,
  ImportError,
  type ImportedChain,
  type ImportedColumn,
  type ImportedDraws,
  type ImportLimits,
  samplerColumn,
} from './imported-draws.ts';
import { sniffNetcdf } from './netcdf-mark.ts';
import { flatNames } from './variable-shape.ts';

/** Draws of the group `posterior`, or of the file itself if it has none. Throws {@link ImportError}. */
export function readArvizFile(
  hdf5: Hdf5,
  bytes: Uint8Array,
  limits: ImportLimits = defaultImportLimits,
): ImportedDraws {
  checkSignature(bytes);
  const name = draftName();
  hdf5.fs.writeFile(name, bytes);
  try {
    const file = openFile(hdf5, name);
    try {
      return readGroups({ hdf5, limits, store: memoryColumns }, file);
    } finally {
      file.close();
    }
  } catch (error) {
    throw importError(error);
  } finally {
    hdf5.fs.unlink(name);
  }
}

export interface PlacedFile {
  readonly hdf5: Hdf5;
  readonly path: string;
  readonly head: Uint8Array;
}

/** The same for a file that the library reads in place as its columns are loaded: it stays open until the thread ends. */
export function readArvizInPlace(
  { hdf5, path, head }: PlacedFile,
  { limits, store }: { readonly limits: ImportLimits; readonly store: ColumnStore },
): ImportedDraws {
  checkSignature(head);
  try {
    return readGroups({ hdf5, limits, store, inPlace: true }, openFile(hdf5, path));
  } catch (error) {
    throw importError(error);
  }
}

/** Read mode, the library's default. */
const openFile = (hdf5: Hdf5, path: string) => new hdf5.File(path);

function checkSignature(head: Uint8Array): void {
  const kind = sniffNetcdf(head);
  if (kind === 'netcdf3')
    throw new ImportError(
      'This is a netCDF 3 file. Convert it to netCDF 4: `nccopy -k netCDF-4 old.nc new.nc`, or with ArviZ `idata.to_netcdf("new.nc")`.',
    );
  if (kind === null)
    throw new ImportError('This is not a netCDF file: it has no netCDF signature.');
}

function importError(error: unknown): ImportError {
  if (error instanceof ImportError) return error;
  return new ImportError(`The file is damaged or truncated: ${innermost(error)}.`);
}

/** The innermost HDF5 error: the library reports a list, from the outermost call to the innermost. */
function innermost(error: unknown): string {
  const text = String(error instanceof Error ? error.message : error);
  const reasons = [...text.matchAll(/\(\): ([^\n]*)/g)].map((match) => match[1]);
  return (reasons[reasons.length - 1] ?? text.split('\n')[0]).slice(0, 200);
}

interface Opened {
  readonly hdf5: Hdf5;
  readonly limits: ImportLimits;
  readonly store: ColumnStore;
  /** Numbers are read on demand. */
  readonly inPlace?: boolean;
}

interface Source extends Opened {
  /** Values read so far. */
  spent: number;
  /** Columns of all groups so far. */
  columns: number;
  readonly notes: string[];
}

function readGroups(opened: Opened, file: Group): ImportedDraws {
  const { hdf5, store } = opened;
  const source: Source = { ...opened, spent: 0, columns: 0, notes: [] };
  const group = (name: string): Group | null => {
    const found = file.get(name);
    return found instanceof hdf5.Group ? found : null;
  };
  const posterior = group('posterior') ?? file;
  const draws = readGroup(source, posterior);
  if (draws.variables.length === 0) {
    const there = file.keys().slice(0, 8).join(', ');
    throw new ImportError(
      `There is no group "posterior" with variables over chain and draw${there === '' ? '' : `; the file holds ${there}`}.`,
    );
  }
  // other writers name these after the data
  const isOurs = attributeOf(file, 'creation_library') === 'Ergodic';
  const beside = (prefix: string, main: GroupDraws | null) =>
    (isOurs ? besideGroups : []).flatMap((name) => readBeside(source, group(prefix + name), main));
  const stats = readStats(source, group('sample_stats'), draws);
  const warmup = readOptional(source, group('warmup_posterior'));
  const warmupStats = readStats(source, group('warmup_sample_stats'), warmup);
  const columns = [...draws.variables, ...beside('', draws), ...stats];
  const warm = new Map(
    [...(warmup?.variables ?? []), ...beside('warmup_', warmup), ...warmupStats].map((one) => [
      one.name,
      one,
    ]),
  );
  const hasWarmup = warmup !== null && columns.every((column) => warm.has(column.name));
  const warmupOrder = hasWarmup ? chainOrder(draws, warmup) : draws.chains.map(() => -1);
  const marks = isOurs ? String(attributeOf(file, 'left_out') ?? '').split(', ') : [];
  const chains = draws.chains.map((chain, index): ImportedChain => {
    const at = warmupOrder[index];
    return {
      name: typeof chain === 'string' ? chain : '',
      draws: columns.map((column) => column.chains[index]),
      warmup: columns.map((column) =>
        at === -1
          ? store.keep(new Float64Array(0))
          : (warm.get(column.name) as Variable).chains[at],
      ),
      stepSize: lastOf(source, columns, index),
      warmupSeconds: null,
      samplingSeconds: null,
      ...(marks[index] === 'yes' && { leftOut: true }),
    };
  });
  return {
    columns: columns.map(({ column }) => column),
    chains,
    settings: settingsOf(posterior),
    notes: source.notes,
  };
}

/** The step size at the last draw. */
function lastOf({ store }: Source, columns: readonly Variable[], chain: number): number | null {
  const values = columns.find((column) => column.name === 'stepsize__')?.chains[chain];
  if (values === undefined) return null;
  const [last] = store.load(values.subarray(values.length - 1));
  return Number.isFinite(last) ? last : null;
}

function settingsOf(group: Group): Record<string, number | string> {
  const settings: Record<string, number | string> = {};
  for (const [attribute, key] of [
    ['inference_library', 'inference_library'],
    ['inference_library_version', 'inference_library_version'],
    ['created_at', 'created_at'],
    ['tuning_steps', 'num_warmup'],
    ['sampling_time', 'sampling_seconds'],
  ]) {
    const value = attributeOf(group, attribute);
    if (typeof value === 'string' || typeof value === 'number') settings[key] = value;
  }
  return settings;
}

/** One flat column across all chains. */
interface Variable {
  readonly name: string;
  readonly column: ImportedColumn;
  readonly chains: readonly Float64Array[];
}

interface GroupDraws {
  readonly chains: readonly (number | string)[];
  /** False: the file does not identify its chains, so they are matched by position. */
  readonly areNamed: boolean;
  readonly numDraws: number;
  readonly variables: readonly Variable[];
}

function readOptional(source: Source, group: Group | null): GroupDraws | null {
  const read = group === null ? null : readGroup(source, group);
  return read !== null && read.variables.length > 0 ? read : null;
}

/** The part of `sample_stats` that has columns here; its chains must be those of `draws`. */
function readStats(source: Source, group: Group | null, draws: GroupDraws | null): Variable[] {
  return group === null ? [] : readBeside(source, group, draws, sampleStatColumns(group.keys()));
}

/** Variables of a group whose chains and draws must match those of `draws`; `known` as for `readGroup`. */
function readBeside(
  source: Source,
  group: Group | null,
  draws: GroupDraws | null,
  known: ReadonlyMap<string, string> | null = null,
): Variable[] {
  if (group === null || draws === null) return [];
  const read = readGroup(source, group, known);
  if (read.variables.length === 0) return [];
  const order = chainOrder(draws, read);
  if (read.numDraws !== draws.numDraws || order.includes(-1)) {
    source.notes.push(
      `${group.path} has different chains or draws from the posterior and was left out.`,
    );
    return [];
  }
  return read.variables.map((variable) => ({
    ...variable,
    chains: order.map((index) => variable.chains[index]),
  }));
}

/** Position of each chain in another group: by name if both have names, otherwise by position; −1: absent. */
function chainOrder(draws: GroupDraws, other: GroupDraws): number[] {
  const areNamed = draws.areNamed && other.areNamed;
  return draws.chains.map((chain, index) =>
    areNamed ? other.chains.indexOf(chain) : index < other.chains.length ? index : -1,
  );
}

const SCALES = new Set(['chain', 'draw']);

/** Every variable over chain and draw; with `known`, only these names, as scalars of the sampler. */
function readGroup(
  source: Source,
  group: Group,
  known: ReadonlyMap<string, string> | null = null,
): GroupDraws {
  const variables: Variable[] = [];
  let chains: readonly (number | string)[] | null = null;
  let numDraws = -1;
  let areNamed = false;
  for (const name of group.keys()) {
    if (SCALES.has(name) || (known !== null && !known.has(name))) continue;
    const dataset = group.get(name);
    if (!(dataset instanceof source.hdf5.Dataset)) continue;
    const axes = axesOf(dataset);
    if (axes === null) continue;
    const layout = layoutOf(sizeOf(dataset).shape, axes);
    const { type } = sizeOf(dataset);
    if (type === null) {
      source.notes.push(`${group.path}/${name} has no numbers and was left out.`);
      continue;
    }
    const coordinates = chainNames(source, group, layout.numChains);
    areNamed = coordinates !== null;
    const names = coordinates ?? Array<string>(layout.numChains).fill('');
    if (chains !== null && (chains.length !== layout.numChains || numDraws !== layout.numDraws))
      throw new ImportError(
        `"${name}" has different chains or draws from the variables before it.`,
      );
    chains = names;
    numDraws = layout.numDraws;
    if (known !== null && layout.dims.length > 0) continue;
    const plain = known?.get(name) ?? plainName(name);
    const numElements = layout.dims.reduce((product, length) => product * length, 1);
    source.spent += layout.size;
    checkSize(variables.length + numElements, source.spent, source.limits);
    const flat = flatNames(plain, layout.dims);
    source.columns += flat.length;
    const open =
      source.inPlace === true ? openBlocks(source, dataset, axes) : openWhole(dataset, layout);
    flat.forEach((element, e) => {
      const column =
        known === null ? { name: element, ...(type && { type }) } : samplerColumn(element);
      variables.push({
        name: element,
        column,
        chains: names.map((_, c) =>
          source.store.lazy(layout.numDraws, (from, to) => open({ c, e, from, to })),
        ),
      });
    });
  }
  return { chains: chains ?? [], areNamed, numDraws, variables };
}

/** Which axis is the chain and which the draw; −1: there is no chain. Null: not over draws, or itself a scale. */
function axesOf(dataset: Dataset): { chain: number; draw: number } | null {
  const { shape } = sizeOf(dataset);
  if (dataset.get_scale_name() !== null) return null;
  const scales = shape.map((_, axis) => {
    const [path] = dataset.get_attached_scales(axis);
    return path === undefined ? null : path.slice(path.lastIndexOf('/') + 1);
  });
  const draw = scales.indexOf('draw');
  if (draw !== -1) return { chain: scales.indexOf('chain'), draw };
  // Files without any scales: chain and draw come first.
  return shape.length >= 2 && scales.every((scale) => scale === null)
    ? { chain: 0, draw: 1 }
    : null;
}

interface Layout {
  readonly numChains: number;
  readonly numDraws: number;
  /** Lengths of the other axes. */
  readonly dims: readonly number[];
  readonly size: number;
  /** Strides in the flat values: from chain to chain, from draw to draw, and along the other axes. */
  readonly chainStride: number;
  readonly drawStride: number;
  readonly strides: readonly number[];
}

function layoutOf(
  shape: readonly number[],
  axes: { readonly chain: number; readonly draw: number },
): Layout {
  const strides = shape.map((_, axis) =>
    shape.slice(axis + 1).reduce((product, length) => product * length, 1),
  );
  const others = shape
    .map((_, axis) => axis)
    .filter((axis) => ![axes.chain, axes.draw].includes(axis));
  return {
    numChains: axes.chain === -1 ? 1 : shape[axes.chain],
    numDraws: shape[axes.draw],
    dims: others.map((axis) => shape[axis]),
    size: shape.reduce((product, length) => product * length, 1),
    chainStride: axes.chain === -1 ? 0 : strides[axes.chain],
    drawStride: strides[axes.draw],
    strides: others.map((axis) => strides[axis]),
  };
}

/** Draws `from` to `to` of element `e` (counted with the last axis fastest) in chain `c`. */
interface Wanted {
  readonly c: number;
  readonly e: number;
  readonly from: number;
  readonly to: number;
}

function pick(values: Float64Array, layout: Layout, { c, e, from, to }: Wanted): Float64Array {
  let start = c * layout.chainStride;
  let rest = e;
  for (let axis = layout.dims.length - 1; axis >= 0; axis--) {
    start += (rest % layout.dims[axis]) * layout.strides[axis];
    rest = Math.floor(rest / layout.dims[axis]);
  }
  const column = new Float64Array(to - from);
  for (let d = 0; d < column.length; d++)
    column[d] = values[start + (from + d) * layout.drawStride];
  return column;
}

type ReadElement = (wanted: Wanted) => Float64Array;

function openWhole(dataset: Dataset, layout: Layout): ReadElement {
  const values = numbersOf(dataset);
  return (wanted) => pick(values, layout, wanted);
}

/** Values cached at a time over all variables: 16 MB. */
const VALUES_HELD = 2 ** 21;

/**
 * Caches one block of draws of one chain: columns are loaded together, so the elements of a variable request the same
 * block one after the other.
 */
function openBlocks(
  source: Source,
  dataset: Dataset,
  axes: { readonly chain: number; readonly draw: number },
): ReadElement {
  const { shape } = sizeOf(dataset);
  let held: { c: number; first: number; values: Float64Array; layout: Layout } | null = null;
  const read = (c: number, block: number, length: number) => {
    const first = block * length;
    if (held?.c === c && held.first === first) return held;
    const ranges = shape.map((size, axis): [number, number] => {
      if (axis === axes.chain) return [c, c + 1];
      return axis === axes.draw ? [first, Math.min(size, first + length)] : [0, size];
    });
    const lengths = ranges.map(([low, high]) => high - low);
    held = { c, first, values: numbersOf(dataset, ranges), layout: layoutOf(lengths, axes) };
    return held;
  };
  return ({ c, e, from, to }) => {
    const length = Math.max(1, Math.floor(VALUES_HELD / source.columns));
    const column = new Float64Array(to - from);
    for (let at = from; at < to; ) {
      const block = Math.floor(at / length);
      const end = Math.min(to, (block + 1) * length);
      const { values, layout } = read(c, block, length);
      const inBlock = { c: 0, e, from: at - block * length, to: end - block * length };
      column.set(pick(values, layout, inBlock), at - from);
      at = end;
    }
    return column;
  };
}

/** Coordinates of the chains: numbers or names; null if the file has none, or several chains share one. */
function chainNames(source: Source, group: Group, numChains: number): (number | string)[] | null {
  const names = coordinatesOf(source, group, numChains);
  return new Set(names).size === numChains ? names : null;
}

function coordinatesOf(
  source: Source,
  group: Group,
  numChains: number,
): (number | string)[] | null {
  if (numChains > 10_000) return null;
  const dataset = group.get('chain');
  if (!(dataset instanceof source.hdf5.Dataset)) return null;
  const { shape, type } = sizeOf(dataset);
  // netCDF's mark for a dimension without coordinates
  const isBare =
    dataset.get_scale_name()?.startsWith('This is a netCDF dimension but not') === true;
  if (isBare || shape.length !== 1 || shape[0] !== numChains) return null;
  if (type !== null) return [...numbersOf(dataset)];
  const value = dataset.value;
  if (!Array.isArray(value)) return null;
  return value.map((name) => plainName(typeof name === 'string' ? name : ''));
}
