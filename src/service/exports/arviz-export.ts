/** A tar with one netCDF file per chain in ArviZ's groups; arrays with dimensions and labels, or element by element. */

import { axesOf, netcdfName, percentName, writeData } from '../../formats/arviz-file.ts';
import { arvizStatNames, type DrawGroup, drawGroups } from '../../formats/arviz-names.ts';
import { type ArvizGroupWriter, createArvizWriter } from '../../formats/arviz-writer.ts';
import { loadHdf5 } from '../../formats/hdf5.ts';
import { noteName, type SeenNames, segmentProblem } from '../../formats/path-segment.ts';
import { tarEnd, tarHeader, tarPadding } from '../../formats/tar-header.ts';
import { foldNames, type ShapedVariable } from '../../formats/variable-shape.ts';
import type { DataVariable } from '../../posterior/predictive/pairing.ts';
import { itemAt } from '../../shared/items.ts';
import { type DrawColumn, listColumns } from '../repositories/draws.ts';
import { listExportChains, readChainColumns } from './chain-columns.ts';
import { type ExportChain, ExportError, type ExportRequest } from './export-content.ts';

/** Numbers in one chain's file, which is built in memory: 512 MB. */
const MOST_VALUES = 2 ** 26;

/**
 * `arrays`: `theta` with its dimensions, and their labels as coordinates. `flat`: `theta%5B1%5D`, as documented clients
 * read `/sys/get-arviz-data`.
 */
export type ArvizShape = 'arrays' | 'flat';

/** Only one chain's file is in memory at a time. Throws {@link ExportError}. */
export async function* arvizContent(
  request: ExportRequest,
  shape: ArvizShape,
): AsyncGenerator<Buffer> {
  const columns = await listColumns(request.pool, request.draws.experimentId);
  // documented clients read only draws
  const data = shape === 'flat' ? [] : await request.readData();
  const chains = await listExportChains(request);
  const names = entryNames(chains.map(({ name }) => name));
  for (const [index, chain] of chains.entries()) {
    if (chain.length * columns.length > MOST_VALUES)
      throw new ExportError(
        `${chain.name} has ${chain.length * columns.length} values; a netCDF file holds at most ${MOST_VALUES}. Choose CSV, or fewer iterations (n_iteration).`,
      );
    const bytes = await chainFile(request, chain, { columns, shape, data });
    yield Buffer.from(tarHeader(itemAt(names, index), bytes.length));
    // Sent in pieces, so that a slow disk does not keep a second copy in memory.
    for (let from = 0; from < bytes.length; from += 2 ** 20)
      yield Buffer.from(
        bytes.buffer,
        bytes.byteOffset + from,
        Math.min(2 ** 20, bytes.length - from),
      );
    yield Buffer.from(tarPadding(bytes.length));
  }
  yield Buffer.from(tarEnd());
}

/** Files are called after their chains, or numbered if a name cannot be a file's; the name is in the file in any case. */
function entryNames(chains: readonly string[]): string[] {
  const seen: SeenNames = new Map();
  const take = (file: string) => segmentProblem(file) === null && noteName(seen, file) === null;
  const own = chains.map((name) => take(`${name}.nc`));
  return chains.map((name, index) => {
    if (own[index] === true) return `${name}.nc`;
    let number = index + 1;
    while (!take(`chain-${number}.nc`)) number++;
    return `chain-${number}.nc`;
  });
}

interface ChainFileParts {
  readonly columns: readonly DrawColumn[];
  readonly shape: ArvizShape;
  readonly data: readonly DataVariable[];
}

async function chainFile(
  request: ExportRequest,
  chain: ExportChain,
  { columns, shape, data }: ChainFileParts,
): Promise<Uint8Array> {
  const { leftOut } = request.draws;
  const writer = createArvizWriter(await loadHdf5(), {
    createdAt: new Date().toISOString(),
    library: 'Ergodic',
    libraryVersion: request.version,
    others:
      leftOut.length === 0
        ? {}
        : {
            chains_left_out: leftOut.join(', '),
            left_out: leftOut.includes(chain.name) ? 'yes' : 'no',
          },
  });
  try {
    const size = { chains: [chain.name], numDraws: chain.length };
    const posterior = writer.group('posterior', size);
    const stats = columns.some((column) => isStat(column.name))
      ? writer.group('sample_stats', size)
      : null;
    const groups = new Map<DrawGroup, ArvizGroupWriter>([['posterior', posterior]]);
    const groupOf = drawGroups(
      columns.map(({ name, block }) => ({ variable: name, ...(block && { block }) })),
    );
    // documented clients look for everything in the posterior
    const groupFor = (column: string): ArvizGroupWriter => {
      const group = shape === 'flat' ? 'posterior' : groupOf(column);
      const known = groups.get(group) ?? writer.group(group, size);
      groups.set(group, known);
      return known;
    };
    const addVariable = variableAdder(groupFor, request, { columns, shape, length: chain.length });
    const typeOf = typesOf(columns);
    for await (const { variable, values } of readChainColumns(request, chain)) {
      if (stats !== null && isStat(variable))
        stats.add({
          name: arvizStatNames.get(variable) ?? percentName(variable),
          dims: [],
          values,
          ...typeOf(variable),
        });
      else addVariable(variable, values);
    }
    const variables = columns.map(({ name }) => name);
    writeData(writer, data, { variables, labels: request.draws.labels });
    return writer.finish();
  } finally {
    writer.discard();
  }
}

function typesOf(columns: readonly DrawColumn[]) {
  const types = new Map(columns.map((column) => [column.name, column.type]));
  return (name: string) => {
    const type = types.get(name) ?? knownTypes[name];
    return type === undefined ? {} : { type };
  };
}

/** Accepts columns one by one. Those of an array are collected until it is complete, then written as one variable. */
function variableAdder(
  groupFor: (column: string) => ArvizGroupWriter,
  { draws }: Pick<ExportRequest, 'draws'>,
  { columns, shape, length }: AdderOptions,
): (column: string, values: Float64Array) => void {
  const typeOf = typesOf(columns);
  if (shape === 'flat')
    return (column, values) =>
      groupFor(column).add({ name: percentName(column), dims: [], values, ...typeOf(column) });
  const plain = plainNames(columns.map(({ name }) => name).filter((name) => !isStat(name)));
  const arrays = new Map(
    foldNames([...plain.values()]).flatMap((array) =>
      array.elements.map((element) => [element, array] as const),
    ),
  );
  const held = new Map<ShapedVariable, Map<string, Float64Array>>();
  return (name, values) => {
    const column = plain.get(name) ?? name;
    const array = arrays.get(column) ?? { name: column, dims: [], elements: [column] };
    const parts = held.get(array) ?? new Map<string, Float64Array>();
    held.set(array, parts.set(column, values));
    if (parts.size < array.elements.length) return;
    held.delete(array);
    groupFor(name).add({
      name: netcdfName(array.name),
      dims: array.dims,
      axes: axesOf(array.name, draws.labels),
      values: interleaved(array, parts, length),
      ...typeOf(name),
    });
  };
}

/** Renames `theta[1]/val`, the form of documented clients, to `theta[1]` unless another variable has that name. */
function plainNames(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set(names);
  return new Map(
    names.map((name) => {
      const plain = name.replace(/\/val$/, '');
      return [name, taken.has(plain) ? name : plain];
    }),
  );
}

interface AdderOptions {
  readonly columns: readonly DrawColumn[];
  readonly shape: ArvizShape;
  /** Draws of the chain. */
  readonly length: number;
}

/** One draw after the other, with the last index of the array running fastest. */
function interleaved(
  { elements }: ShapedVariable,
  parts: ReadonlyMap<string, Float64Array>,
  length: number,
): Float64Array {
  const [only] = elements.length === 1 ? parts.values() : [];
  if (only !== undefined) return only;
  const values = new Float64Array(length * elements.length);
  for (const [e, element] of elements.entries()) {
    const part = parts.get(element);
    for (let d = 0; d < length; d++) values[d * elements.length + e] = part?.[d] ?? Number.NaN;
  }
  return values;
}

const isStat = (name: string): boolean => name.endsWith('__');

/** Columns of the sampler whose type is fixed, whatever their runner declared. */
const knownTypes: Readonly<Record<string, DrawColumn['type']>> = {
  divergent__: 'bool',
  treedepth__: 'int',
  n_leapfrog__: 'int',
};
