/** The long CSV of a run: chain, variable, value; no header, iterations in order, saved draws of the sampling phase. */
import { longCsvRows } from '../../formats/long-csv.ts';
import { listColumns } from '../repositories/draws.ts';
import { readVisible } from '../results/visible-draws.ts';
import { listExportChains } from './chain-columns.ts';
import type { ExportRequest } from './export-content.ts';

export async function* csvContent(request: ExportRequest): AsyncGenerator<Buffer> {
  const { pool, draws, numIterations } = request;
  // Stan's own flags are numbers in its CSV files
  const flags = new Set(
    (await listColumns(pool, draws.experimentId))
      .filter(({ name, type }) => type === 'bool' && !name.endsWith('__'))
      .map(({ name }) => name),
  );
  for await (const segments of readVisible(pool, draws, {
    phase: 'sampling',
    from: 0,
    to: numIterations,
  })) {
    for (const { name, variable, values } of segments) {
      // in pieces: a column of a long run may exceed the longest possible string
      for (let from = 0; from < values.length; from += 100_000)
        yield Buffer.from(
          longCsvRows(name, variable, values.subarray(from, from + 100_000), flags.has(variable)),
        );
    }
  }
  yield* leftOutRows(request);
}

/** If the owner left chains out of summary and plots: a column that is 1 in their draws and 0 in the others'. */
async function* leftOutRows(request: ExportRequest): AsyncGenerator<Buffer> {
  const { leftOut } = request.draws;
  if (leftOut.length === 0) return;
  for (const { name, length } of await listExportChains(request)) {
    const mark = new Float64Array(length).fill(leftOut.includes(name) ? 1 : 0);
    for (let from = 0; from < length; from += 100_000)
      yield Buffer.from(
        longCsvRows(name, 'left_out__', mark.subarray(from, from + 100_000), false),
      );
  }
}
