/** Lines of plots, one per chain or one for all chains: named, coloured, dashed and faded alike in every figure. */
import {
  chainLabel,
  chainOpacity,
  type FigureChain,
  type FigureOptions,
  pooledDraws,
} from './figure.ts';
import { chainColor, chainDash } from './palette.ts';

export interface ChainLine {
  readonly name: string;
  /** The chain's position in the run; null = all chains together. */
  readonly index: number | null;
}

/** The result of `of` for the sampling draws of all chains together, or of each chain alone. */
export function linesOf<T>(
  chains: readonly FigureChain[],
  pooled: boolean,
  of: (draws: Float64Array) => T,
): (T & ChainLine)[] {
  if (pooled) return [{ ...of(pooledDraws(chains)), ...lineOf(null) }];
  return chains.map((chain) => ({ ...of(chain.sampling), ...lineOf(chain.index) }));
}

function lineOf(index: number | null): ChainLine {
  return { name: index === null ? 'All chains' : chainLabel({ index }), index };
}

/** The style of a chain's line, or of the line of all chains, as a trace without numbers. */
export function chainTrace(
  index: number | null,
  options: FigureOptions,
  shape?: 'hv',
): Record<string, unknown> {
  const { palette } = options;
  const style = {
    ...(shape !== undefined && { shape }),
    width: 1.6,
    color: index === null ? palette.pooled : chainColor(palette, index),
    dash: index === null ? 'solid' : chainDash(index),
  };
  return {
    type: 'scatter',
    mode: 'lines',
    name: lineOf(index).name,
    line: style,
    opacity: index === null ? 1 : chainOpacity(index, options),
  };
}
