/** The ranks of a calibration as a table, one line per quantity and simulation. */
import { textCell } from './csv-cell.ts';

type PerSimulation = readonly (number | null)[] | undefined;

/** The results for one quantity; one entry per simulation. */
export interface RankedQuantity {
  readonly variable: string;
  readonly rank?: PerSimulation;
  readonly draws?: PerSimulation;
  readonly position?: PerSimulation;
  readonly truth?: PerSimulation;
}

const columns = ['rank', 'draws', 'position', 'truth'] as const;

/**
 * `chains`: one per simulation. `rank` of the true value among `draws` thinned draws; `position` the same in [0, 1].
 * Unknown values are empty cells.
 */
export function rankCsv(chains: readonly string[], quantities: readonly RankedQuantity[]): string {
  const lines = quantities.flatMap((quantity) =>
    quantity.rank === undefined
      ? []
      : chains.map((chain, i) =>
          [
            textCell(quantity.variable),
            textCell(chain),
            ...columns.map((column) => quantity[column]?.[i] ?? ''),
          ].join(','),
        ),
  );
  return `${[['variable', 'chain', ...columns].join(','), ...lines].join('\n')}\n`;
}
