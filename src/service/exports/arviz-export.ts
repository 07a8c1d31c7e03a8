/** A tar of one netCDF file a chain, as `/sys/get-arviz-data` has it: ArviZ's groups, percent-encoded variable names. */

import { percentName } from '../../formats/arviz-file.ts';
import { arvizStatNames } from '../../formats/arviz-names.ts';
import { createArvizWriter } from '../../formats/arviz-writer.ts';
import { loadHdf5 } from '../../formats/hdf5.ts';
import { segmentProblem } from '../../formats/path-segment.ts';
import { tarEnd, tarHeader, tarPadding } from '../../formats/tar-header.ts';
import { type DrawColumn, listColumns } from '../repositories/draws.ts';
import { listExportChains, readChainColumns } from './chain-columns.ts';
import { type ExportChain, ExportError, type ExportRequest } from './export-content.ts';

/** Numbers of one chain's file, which is made in memory: 512 MB. */
const MOST_VALUES = 2 ** 26;

/** One chain's file is in memory at a time. Throws {@link ExportError}. */
export async function* arvizContent(request: ExportRequest): AsyncGenerator<Buffer> {
  const columns = await listColumns(request.pool, request.draws.experimentId);
  for (const chain of await listExportChains(request)) {
    if (chain.length * columns.length > MOST_VALUES)
      throw new ExportError(
        `${chain.name} has ${chain.length * columns.length} values; a netCDF file holds at most ${MOST_VALUES}. Choose the CSV, or fewer iterations (n_iteration).`,
      );
    const bytes = await chainFile(request, chain, columns);
    const name = segmentProblem(chain.name) === null ? chain.name : percentName(chain.name);
    yield Buffer.from(tarHeader(`${name}.nc`, bytes.length));
    // In pieces, so that a slow disk holds no second copy.
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

async function chainFile(
  request: ExportRequest,
  chain: ExportChain,
  columns: readonly DrawColumn[],
): Promise<Uint8Array> {
  const writer = createArvizWriter(await loadHdf5(), {
    createdAt: new Date().toISOString(),
    library: 'Ergodic',
    libraryVersion: request.version,
  });
  try {
    const shape = { chains: [chain.name], numDraws: chain.length };
    const types = new Map(columns.map((column) => [column.name, column.type]));
    const posterior = writer.group('posterior', shape);
    const stats = columns.some((column) => isStat(column.name))
      ? writer.group('sample_stats', shape)
      : null;
    for await (const { variable, values } of readChainColumns(request, chain)) {
      const type = types.get(variable) ?? knownTypes[variable];
      const one = { dims: [], values, ...(type === undefined ? {} : { type }) };
      if (stats !== null && isStat(variable))
        stats.add({ name: arvizStatNames.get(variable) ?? percentName(variable), ...one });
      else posterior.add({ name: percentName(variable), ...one });
    }
    return writer.finish();
  } finally {
    writer.discard();
  }
}

const isStat = (name: string): boolean => name.endsWith('__');

/** Columns of the sampler that are not plain numbers, whatever their runner said. */
const knownTypes: Readonly<Record<string, DrawColumn['type']>> = {
  divergent__: 'bool',
  treedepth__: 'int',
  n_leapfrog__: 'int',
};
