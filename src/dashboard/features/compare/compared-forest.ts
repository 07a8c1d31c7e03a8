/** The intervals of compared experiments as lines of a forest plot, for files. */
import type { ForestRow } from '../../../figures/forest-figure.ts';
import type { ComparedRun } from './use-compared.ts';

/** One line per variable and experiment, grouped by variable. */
export function comparedForestRows(
  runs: readonly ComparedRun[],
  variables: readonly string[],
): readonly ForestRow[] {
  return variables.flatMap((variable) =>
    runs.flatMap((run): ForestRow[] => {
      const row = run.rows.get(variable);
      if (row === undefined) return [];
      const { label, median, q5, q25, q75, q95, rhat } = row;
      return [
        {
          variable,
          ...(label === undefined ? {} : { label }),
          mark: run.letter,
          median,
          q5,
          q25,
          q75,
          q95,
          rhat,
          index: run.index,
        },
      ];
    }),
  );
}
