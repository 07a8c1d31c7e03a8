/**
 * One Parquet file per run: one row per draw, one column per variable, and `.chain`, `.iteration` and `.draw`, by which
 * R's posterior recognises a table of draws. Written one row group at a time.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type DrawColumn, listColumns } from '../repositories/draws.ts';
import { readVisible } from '../results/visible-draws.ts';
import { listExportChains } from './chain-columns.ts';
import { type ExportChain, ExportError, type ExportRequest } from './export-content.ts';

/** Numbers in a row group: 16 MB. */
const GROUP_VALUES = 2 ** 21;
/** Column descriptions: one per column and row group, in memory until the end. */
const MOST_DESCRIPTIONS = 2 ** 20;

export async function* parquetContent(request: ExportRequest): AsyncGenerator<Buffer> {
  const { draws } = request;
  const columns = await listColumns(request.pool, draws.experimentId);
  const chains = await listExportChains(request);
  const rows = Math.max(1, Math.floor(GROUP_VALUES / Math.max(1, columns.length)));
  const numGroups = chains.reduce((sum, { length }) => sum + Math.ceil(length / rows), 0);
  if (numGroups * columns.length > MOST_DESCRIPTIONS)
    throw new ExportError(
      `The run has ${columns.length} variables, too many for a Parquet file of all its draws. Choose CSV, or fewer iterations (n_iteration).`,
    );
  const writer = new ByteWriter();
  const hasLeftOut = draws.leftOut.length > 0;
  const file = new ParquetWriter({
    writer,
    schema: schemaOf(columns, hasLeftOut),
    // NaN has no place in a sort order
    statistics: false,
    createdBy: `Ergodic ${request.version}`,
    kvMetadata: [{ key: 'experiment', value: request.objid }],
  });
  let before = 0;
  for (const [c, chain] of chains.entries()) {
    for (let first = 1; first <= chain.length; first += rows) {
      const last = Math.min(chain.length, first + rows - 1);
      const count = last - first + 1;
      const numbers = (from: number) => Int32Array.from({ length: count }, (_, i) => from + i);
      const values = await readGroup(request, { chain, first, last, columns });
      await file.write({
        rowGroupSize: count,
        columnData: [
          { name: '.chain', data: new Int32Array(count).fill(c + 1) },
          { name: '.iteration', data: numbers(first) },
          { name: '.draw', data: numbers(before + first) },
          ...columns.map(({ name }, k) => ({ name, data: values[k] ?? new Float64Array(count) })),
          ...(hasLeftOut
            ? [
                {
                  name: '.left_out',
                  data: Array<boolean>(count).fill(draws.leftOut.includes(chain.name)),
                },
              ]
            : []),
        ],
      });
      yield taken(writer);
    }
    before += chain.length;
  }
  await file.finish();
  yield taken(writer);
}

function schemaOf(columns: readonly DrawColumn[], hasLeftOut: boolean) {
  const leaf = (name: string, type: 'INT32' | 'DOUBLE' | 'BOOLEAN') => ({
    name,
    type,
    repetition_type: 'REQUIRED' as const,
  });
  const leaves = [
    ...['.chain', '.iteration', '.draw'].map((name) => leaf(name, 'INT32')),
    ...columns.map(({ name }) => leaf(name, 'DOUBLE')),
    ...(hasLeftOut ? [leaf('.left_out', 'BOOLEAN')] : []),
  ];
  return [{ name: 'draws', num_children: leaves.length }, ...leaves];
}

/** The bytes written since the last call. */
function taken(writer: ByteWriter): Buffer {
  const bytes = Buffer.from(writer.getBytes());
  writer.index = 0;
  return bytes;
}

interface Group {
  readonly chain: ExportChain;
  readonly first: number;
  readonly last: number;
  readonly columns: readonly DrawColumn[];
}

/** Values by column; NaN if a draw lacks one. */
async function readGroup(
  { pool, draws }: ExportRequest,
  { chain, first, last, columns }: Group,
): Promise<Float64Array[]> {
  const places = new Map(columns.map(({ name }, k) => [name, k]));
  const values = columns.map(() => new Float64Array(last - first + 1).fill(Number.NaN));
  const range = { chain: [chain.name], phase: 'sampling', from: first, to: last } as const;
  for await (const segments of readVisible(pool, draws, range))
    for (const { variable, firstIteration, values: part } of segments)
      values[places.get(variable) ?? -1]?.set(part, firstIteration - first);
  return values;
}
