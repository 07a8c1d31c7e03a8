/** The long CSV of a run: chain, variable, value; no header, iterations in order, saved draws of the sampling phase. */
import { longCsvRows } from '../../formats/long-csv.ts';
import { listColumns } from '../repositories/draws.ts';
import { readVisible } from '../results/visible-draws.ts';
import type { ExportRequest } from './export-content.ts';

export async function* csvContent({
  pool,
  draws,
  numIterations,
}: ExportRequest): AsyncGenerator<Buffer> {
  // Stan's own flags are numbers in its files
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
      // in pieces: a column of a long run is more text than one string may hold
      for (let from = 0; from < values.length; from += 100_000)
        yield Buffer.from(
          longCsvRows(name, variable, values.subarray(from, from + 100_000), flags.has(variable)),
        );
    }
  }
}
