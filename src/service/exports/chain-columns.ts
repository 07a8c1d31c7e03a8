/** Chains of an export and their columns, one after the other, each with the chain's full length. */
import { itemAt } from '../../shared/items.ts';
import { type DrawSegment, listBounds } from '../repositories/draws.ts';
import { readVisible } from '../results/visible-draws.ts';
import type { ExportChain, ExportRequest } from './export-content.ts';

/** Chains with visible draws. */
export async function listExportChains({
  pool,
  draws,
  numIterations,
}: ExportRequest): Promise<ExportChain[]> {
  const chains: ExportChain[] = [];
  for (const { name, sampling } of await listBounds(pool, draws.experimentId)) {
    const bound =
      draws.bounds === null ? sampling : Math.min(sampling, draws.bounds.get(name) ?? 0);
    const length = numIterations === 0 ? bound : Math.min(bound, numIterations);
    if (length > 0) chains.push({ name, length });
  }
  return chains;
}

/** Every column of one chain, a few at a time; missing iterations are NaN. */
export async function* readChainColumns(
  { pool, draws, numIterations }: ExportRequest,
  chain: ExportChain,
): AsyncGenerator<{ readonly variable: string; readonly values: Float64Array }> {
  const range = { chain: [chain.name], phase: 'sampling', from: 0, to: numIterations } as const;
  for await (const segments of readVisible(pool, draws, range)) {
    for (let from = 0; from < segments.length; ) {
      const { variable } = itemAt(segments, from);
      let to = from + 1;
      while (segments[to]?.variable === variable) to++;
      yield { variable, values: whole(segments.slice(from, to), chain) };
      from = to;
    }
  }
}

function whole(segments: readonly DrawSegment[], { length }: ExportChain): Float64Array {
  const [first] = segments;
  if (segments.length === 1 && first?.firstIteration === 1 && first.values.length === length)
    return first.values;
  const values = new Float64Array(length).fill(NaN);
  for (const { firstIteration, values: part } of segments)
    values.set(part.subarray(0, length - firstIteration + 1), firstIteration - 1);
  return values;
}
