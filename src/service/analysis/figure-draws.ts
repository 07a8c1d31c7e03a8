/** Draws of one experiment as figures need them: one variable at a time, with chains numbered and divergences marked. */
import type { FigureChain, FigureVariable } from '../../figures/figure.ts';
import { isSamplerColumn } from '../../posterior/draws.ts';
import { labelOf } from '../../posterior/variable-labels.ts';
import type { CoreContext } from '../context.ts';
import { type DrawSegment, listBounds, listColumns } from '../repositories/draws.ts';
import { superchainsOf } from '../results/superchains.ts';
import { isRunnerInternal } from '../results/variable-names.ts';
import { readVisible, type VisibleDraws } from '../results/visible-draws.ts';

export interface FigureDraws {
  /** Variables of the program and `lp__`, in the order of the run. */
  readonly variables: readonly string[];
  /** All columns, including the sampler's. */
  readonly columns: readonly string[];
  /** Chains that have draws, in order. */
  readonly chains: readonly { readonly index: number; readonly name: string }[];
  /** Saved draws of the longest visible chain. */
  readonly numDraws: number;
  /** One column, with divergences marked if they are recorded. Chains without the column are left out. */
  read(column: string): Promise<FigureVariable>;
}

export interface FigureDrawsOptions {
  /** Names of chains; absent: all that are not left out of summary and plots. */
  readonly chains?: readonly string[];
  /** How many draws of each chain, starting with the first; 0: all. */
  readonly numIterations?: number;
}

export async function openFigureDraws(
  { pool }: Pick<CoreContext, 'pool'>,
  visible: VisibleDraws,
  { chains: wanted, numIterations = 0 }: FigureDrawsOptions = {},
): Promise<FigureDraws> {
  const stored = await listColumns(pool, visible.experimentId);
  const columns = stored.map((column) => column.name);
  const bounds = new Map(stored.map(({ name, lower, upper }) => [name, { lower, upper }]));
  const reaches = await listBounds(pool, visible.experimentId);
  const superchains = superchainsOf(reaches);
  const lengths = reaches.map((chain, index) => {
    const bound = visible.bounds === null ? chain.sampling : (visible.bounds.get(chain.name) ?? 0);
    const length = Math.min(chain.sampling, bound);
    const draws = numIterations === 0 ? length : Math.min(length, numIterations);
    return { index, name: chain.name, draws };
  });
  const isWanted = (name: string) => wanted?.includes(name) ?? !visible.leftOut.includes(name);
  const used = lengths.filter(({ name, draws }) => draws > 0 && isWanted(name));
  const readColumn = async (column: string) => {
    const parts = new Map<string, DrawSegment[]>();
    const range = {
      variable: [column],
      chain: used.map((chain) => chain.name),
      phase: 'sampling',
      from: 0,
      to: numIterations,
    } as const;
    for await (const segments of readVisible(pool, visible, range)) {
      for (const segment of segments)
        parts.set(segment.name, [...(parts.get(segment.name) ?? []), segment]);
    }
    return new Map([...parts].map(([name, segments]) => [name, joined(segments)]));
  };
  let flags: Promise<Map<string, Float64Array>> | null = null;
  return {
    variables: columns.filter((name) => !isSamplerColumn(name) && !isRunnerInternal(name)),
    columns,
    chains: used.map(({ index, name }) => ({ index, name })),
    numDraws: used.reduce((most, { draws }) => Math.max(most, draws), 0),
    async read(column) {
      flags ??= columns.includes('divergent__')
        ? readColumn('divergent__')
        : Promise.resolve(new Map<string, Float64Array>());
      const [values, divergent] = [await readColumn(column), await flags];
      const chains = used.flatMap(({ index, name }): FigureChain[] => {
        const sampling = values.get(name);
        return sampling === undefined
          ? []
          : [
              {
                index,
                name,
                superchain: superchains?.get(name),
                sampling,
                divergent: divergent.get(name),
              },
            ];
      });
      const label = labelOf(column, visible.labels);
      return { variable: column, label, chains, ...bounds.get(column) };
    },
  };
}

function joined(segments: readonly DrawSegment[]): Float64Array {
  const [first] = segments;
  if (first !== undefined && segments.length === 1) return first.values;
  const values = new Float64Array(segments.reduce((sum, { values: part }) => sum + part.length, 0));
  let at = 0;
  for (const { values: part } of segments) {
    values.set(part, at);
    at += part.length;
  }
  return values;
}
