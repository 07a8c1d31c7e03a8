/** Reads draws from ArviZ's netCDF 4 files, of its versions of many years and of other writers. */
import type { Dataset, Group } from 'h5wasm';
import { plainName } from './arviz-file.ts';
import { besideGroups, sampleStatColumns } from './arviz-names.ts';
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

/** Draws of the group `posterior`, or of the file itself when it has none. Throws {@link ImportError}. */
export function readArvizFile(
  hdf5: Hdf5,
  bytes: Uint8Array,
  limits: ImportLimits = defaultImportLimits,
): ImportedDraws {
  const kind = sniffNetcdf(bytes);
  if (kind === 'netcdf3')
    throw new ImportError(
      'This is a netCDF 3 file. Convert it to netCDF 4: `nccopy -k netCDF-4 old.nc new.nc`, or with ArviZ `idata.to_netcdf("new.nc")`.',
    );
  if (kind === null)
    throw new ImportError('This is not a netCDF file: it has no netCDF signature.');
  const name = draftName();
  hdf5.fs.writeFile(name, bytes);
  try {
    const file = new hdf5.File(name, 'r');
    try {
      return readGroups(hdf5, file, limits);
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`The file is damaged or truncated: ${innermost(error)}.`);
  } finally {
    hdf5.fs.unlink(name);
  }
}

/** The innermost of what HDF5 complains of: its answer is a list from the outer call to the inner. */
function innermost(error: unknown): string {
  const text = String(error instanceof Error ? error.message : error);
  const reasons = [...text.matchAll(/\(\): ([^\n]*)/g)].map((match) => match[1]);
  return (reasons[reasons.length - 1] ?? text.split('\n')[0]).slice(0, 200);
}

interface Source {
  readonly hdf5: Hdf5;
  readonly limits: ImportLimits;
  /** Values read so far. */
  spent: number;
  readonly notes: string[];
}

function readGroups(hdf5: Hdf5, file: Group, limits: ImportLimits): ImportedDraws {
  const source: Source = { hdf5, limits, spent: 0, notes: [] };
  const group = (name: string): Group | null => {
    if (!file.keys().includes(name)) return null;
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
  // other writers call what they have there by the names of the data
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
  const chains = draws.chains.map((chain, index): ImportedChain => {
    const at = hasWarmup ? warmup.chains.indexOf(chain) : -1;
    return {
      name: typeof chain === 'string' ? chain : '',
      draws: columns.map((column) => column.chains[index]),
      warmup: columns.map((column) =>
        at === -1 ? new Float64Array(0) : (warm.get(column.name) as Variable).chains[at],
      ),
      stepSize: lastOf(columns, 'stepsize__', index),
      warmupSeconds: null,
      samplingSeconds: null,
    };
  });
  return {
    columns: columns.map(({ column }) => column),
    chains,
    settings: settingsOf(posterior),
    notes: source.notes,
  };
}

function lastOf(columns: readonly Variable[], name: string, chain: number): number | null {
  const values = columns.find((column) => column.name === name)?.chains[chain];
  const last = values?.[values.length - 1];
  return last === undefined || !Number.isFinite(last) ? null : last;
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

/** One flat column over all chains. */
interface Variable {
  readonly name: string;
  readonly column: ImportedColumn;
  readonly chains: readonly Float64Array[];
}

interface GroupDraws {
  readonly chains: readonly (number | string)[];
  /** False: the file does not say which chain is which; they count as 0, 1, … */
  readonly areNamed: boolean;
  readonly numDraws: number;
  readonly variables: readonly Variable[];
}

function readOptional(source: Source, group: Group | null): GroupDraws | null {
  const read = group === null ? null : readGroup(source, group);
  return read !== null && read.variables.length > 0 ? read : null;
}

/** What of `sample_stats` we have a column for; the chains must be those of `draws`. */
function readStats(source: Source, group: Group | null, draws: GroupDraws | null): Variable[] {
  return group === null ? [] : readBeside(source, group, draws, sampleStatColumns(group.keys()));
}

/** Variables of a group whose chains and draws must be those of `draws`; `known` as for `readGroup`. */
function readBeside(
  source: Source,
  group: Group | null,
  draws: GroupDraws | null,
  known: ReadonlyMap<string, string> | null = null,
): Variable[] {
  if (group === null || draws === null) return [];
  const read = readGroup(source, group, known);
  if (read.variables.length === 0) return [];
  const areNamed = draws.areNamed && read.areNamed;
  const order = draws.chains.map((chain, index) =>
    areNamed ? read.chains.indexOf(chain) : index < read.chains.length ? index : -1,
  );
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
    const layout = layoutOf(dataset, axes);
    const { type } = sizeOf(dataset);
    if (type === null) {
      source.notes.push(`${group.path}/${name} has no numbers and was left out.`);
      continue;
    }
    const coordinates = chainNames(source, group, layout.numChains);
    areNamed = coordinates !== null;
    const names = coordinates ?? Array.from({ length: layout.numChains }, (_, index) => index);
    if (chains !== null && (chains.length !== layout.numChains || numDraws !== layout.numDraws))
      throw new ImportError(`"${name}" has other chains or draws than the variables before it.`);
    chains = names;
    numDraws = layout.numDraws;
    if (known !== null && layout.dims.length > 0) continue;
    const plain = known?.get(name) ?? plainName(name);
    const numElements = layout.dims.reduce((product, length) => product * length, 1);
    source.spent += layout.size;
    checkSize(variables.length + numElements, source.spent, source.limits);
    const flat = flatNames(plain, layout.dims);
    const values = numbersOf(dataset);
    flat.forEach((element, e) => {
      const column =
        known === null ? { name: element, ...(type && { type }) } : samplerColumn(element);
      variables.push({
        name: element,
        column,
        chains: names.map((_, c) => pick(values, layout, { c, e })),
      });
    });
  }
  return { chains: chains ?? [], areNamed, numDraws, variables };
}

/** Which axis is the chain, which the draw; −1: there is no chain. Null: no variable over draws, or a scale itself. */
function axesOf(dataset: Dataset): { chain: number; draw: number } | null {
  const { shape } = sizeOf(dataset);
  if (shape.length === 0 || dataset.get_scale_name() !== null) return null;
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
  /** Steps in the flat values: from chain to chain, from draw to draw, and along the other axes. */
  readonly chainStride: number;
  readonly drawStride: number;
  readonly strides: readonly number[];
}

function layoutOf(dataset: Dataset, axes: { chain: number; draw: number }): Layout {
  const { shape } = sizeOf(dataset);
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

/** Draws of element `e` (counted with the last axis fastest) in chain `c`. */
function pick(
  values: Float64Array,
  layout: Layout,
  { c, e }: { c: number; e: number },
): Float64Array {
  let from = c * layout.chainStride;
  let rest = e;
  for (let axis = layout.dims.length - 1; axis >= 0; axis--) {
    from += (rest % layout.dims[axis]) * layout.strides[axis];
    rest = Math.floor(rest / layout.dims[axis]);
  }
  const column = new Float64Array(layout.numDraws);
  for (let d = 0; d < column.length; d++) column[d] = values[from + d * layout.drawStride];
  return column;
}

/** Coordinates of the chains: numbers, or names; null when the file has none. */
function chainNames(source: Source, group: Group, numChains: number): (number | string)[] | null {
  if (numChains > 10_000 || !group.keys().includes('chain')) return null;
  const dataset = group.get('chain');
  if (!(dataset instanceof source.hdf5.Dataset)) return null;
  const { shape, type } = sizeOf(dataset);
  // netCDF marks so what stands for a dimension without coordinates.
  const isBare =
    dataset.get_scale_name()?.startsWith('This is a netCDF dimension but not') === true;
  if (isBare || shape.length !== 1 || shape[0] !== numChains) return null;
  if (type !== null) return [...numbersOf(dataset)];
  const value = dataset.value;
  if (!Array.isArray(value)) return null;
  return value.map((name) => plainName(typeof name === 'string' ? name : ''));
}
