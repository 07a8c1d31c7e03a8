/** ArviZ files from draws in memory: all chains with shaped variables, or one chain as in `/sys/get-arviz-data`. */

import type { DataVariable } from '../posterior/predictive/pairing.ts';
import { type DimensionLabels, noLabels } from '../posterior/variable-labels.ts';
import { arvizStatNames, type DataGroup, dataGroups, drawGroups } from './arviz-names.ts';
import {
  type ArvizAttributes,
  type ArvizAxis,
  type ArvizGroupWriter,
  type ArvizWriter,
  createArvizWriter,
} from './arviz-writer.ts';
import type { Hdf5 } from './hdf5.ts';
import type { ImportedChain, ImportedColumn, ImportedDraws } from './imported-draws.ts';
import { foldNames } from './variable-shape.ts';

export interface ArvizExtras {
  readonly labels?: DimensionLabels;
  /** The data that the program read. */
  readonly data?: readonly DataVariable[];
}

/** All chains in one file, cut to the shortest, since arrays cannot be ragged. Warmup gets its own groups. */
export function writeArvizFile(
  hdf5: Hdf5,
  draws: Pick<ImportedDraws, 'columns' | 'chains'>,
  attributes: ArvizAttributes,
  { labels = noLabels, data = [] }: ArvizExtras = {},
): Uint8Array {
  const writer = createArvizWriter(hdf5, attributes);
  try {
    writePhase(writer, draws, { phase: 'draws', prefix: '', labels });
    const hasWarmup = draws.chains.some((chain) => (chain.warmup[0]?.length ?? 0) > 0);
    if (hasWarmup) writePhase(writer, draws, { phase: 'warmup', prefix: 'warmup_', labels });
    writeData(writer, data, { variables: draws.columns.map(({ name }) => name), labels });
    return writer.finish();
  } finally {
    writer.discard();
  }
}

interface PhasePlace {
  readonly phase: 'draws' | 'warmup';
  readonly prefix: '' | 'warmup_';
  readonly labels: DimensionLabels;
}

function writePhase(
  writer: ArvizWriter,
  { columns, chains }: Pick<ImportedDraws, 'columns' | 'chains'>,
  { phase, prefix, labels }: PhasePlace,
): void {
  const used = chains.filter((chain) => (chain[phase][0]?.length ?? 0) > 0);
  const numDraws = used.length === 0 ? 0 : Math.min(...used.map((chain) => chain[phase][0].length));
  const shape = { chains: used.map((_, index) => index), numDraws };
  const places = new Map(columns.map((column, index) => [column.name, index]));
  const isStat = (column: ImportedColumn) => column.sampler === true || column.name === 'lp__';
  const groups = new Map<string, ArvizGroupWriter>();
  const groupFor = (name: ReturnType<ReturnType<typeof drawGroups>>) => {
    const group = groups.get(name) ?? writer.group(`${prefix}${name}`, shape);
    groups.set(name, group);
    return group;
  };
  groupFor('posterior');
  const names = columns.filter((column) => !isStat(column)).map((column) => column.name);
  const groupOf = drawGroups(names.map((variable) => ({ variable })));
  for (const { name, dims, elements } of foldNames(names)) {
    const indices = elements.map((element) => places.get(element) as number);
    const { type } = columns[indices[0]];
    const values = interleave(used, phase, { indices, numDraws });
    const group = groupFor(groupOf(elements[0] ?? name));
    group.add({ name: netcdfName(name), dims, axes: axesOf(name, labels), values, type });
  }
  const stats = columns.filter(isStat);
  if (stats.length === 0) return;
  const group = writer.group(`${prefix}sample_stats`, shape);
  for (const { name, type } of stats) {
    const indices = [places.get(name) as number];
    const values = interleave(used, phase, { indices, numDraws });
    group.add({ name: arvizStatNames.get(name) ?? netcdfName(name), dims: [], values, type });
  }
}

/** Outcomes and other data in their groups; `variables` are those of the run. Whole numbers are written as such. */
export function writeData(
  writer: Pick<ArvizWriter, 'dataGroup'>,
  data: readonly DataVariable[],
  { variables, labels }: { variables: readonly string[]; labels: DimensionLabels },
): void {
  const groupOf = dataGroups(variables, data);
  const groups = new Map<DataGroup, ArvizGroupWriter>();
  for (const one of data) {
    // an array without elements cannot be stored in netCDF either
    if (one.values.length === 0) continue;
    const group = groups.get(groupOf(one)) ?? writer.dataGroup(groupOf(one));
    groups.set(groupOf(one), group);
    const { dims, values } = one;
    const axes = axesOf(one.name, labels);
    group.add({ name: netcdfName(one.name), dims, axes, values, type: 'int' });
  }
}

/** Names and labels of an array's dimensions. */
export function axesOf(array: string, { dims, coords }: DimensionLabels): ArvizAxis[] {
  return (dims[array] ?? []).map((name) => ({
    name: netcdfName(name),
    labels: coords[name] ?? [],
  }));
}

/** Draws of one variable's elements: chain by chain, draw by draw, element by element. */
function interleave(
  chains: readonly ImportedChain[],
  phase: PhasePlace['phase'],
  { indices, numDraws }: { readonly indices: readonly number[]; readonly numDraws: number },
): Float64Array {
  const values = new Float64Array(chains.length * numDraws * indices.length);
  for (const [c, chain] of chains.entries()) {
    for (const [e, index] of indices.entries()) {
      const column = chain[phase][index];
      for (let d = 0; d < numDraws; d++)
        values[(c * numDraws + d) * indices.length + e] = column[d];
    }
  }
  return values;
}

/** HDF5 reads a slash as a path. Names with one are percent-encoded, which our readers undo. */
export function netcdfName(name: string): string {
  return name.includes('/') || name === '.' ? percentName(name) : name;
}

/** Percent-encoded throughout: `theta%5B1%5D`. */
export function percentName(name: string): string {
  return name === '.' ? '%2E' : encodeURIComponent(name);
}

/** Undoes {@link percentName}; other names stay as they are. */
export function plainName(name: string): string {
  try {
    const plain = decodeURIComponent(name);
    return percentName(plain) === name ? plain : name;
  } catch {
    return name;
  }
}
