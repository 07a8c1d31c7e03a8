/** The numbers of the comparison: rows by variable and experiment, and the same as a table for export. */
import type { SummaryRow } from '../../../contract/draws.ts';
import { cell, type FigureTable, numberColumn, textColumn } from '../../../figures/figure.ts';
import { decimalsForMcse } from '../../../posterior/decimals.ts';
import { shownName } from '../../../posterior/variable-labels.ts';
import { type Difference, differenceOf, meanDifference } from './differences.ts';
import type { ComparedRun } from './use-compared.ts';

export interface NumbersRow {
  readonly run: ComparedRun;
  /** Null: the experiment has no such variable. */
  readonly row: SummaryRow | null;
  /** `baseline` = is the baseline; null = not computed, or the other side has no such variable. */
  readonly mean: Difference | 'baseline' | null;
  readonly sd: Difference | 'baseline' | null;
}

export interface NumbersGroup {
  readonly variable: string;
  /** With the labels of its dimensions. */
  readonly name: string;
  /** Decimals of the most precise estimate, used for all experiments. */
  readonly decimals: number;
  readonly rows: readonly NumbersRow[];
}

/** MCSE of the sd by experiment and variable; empty until computed. */
export type SdErrors = ReadonlyMap<string, number>;
export const sdKey = (run: Pick<ComparedRun, 'id'>, variable: string) => `${run.id} ${variable}`;

export function numbersOf(
  runs: readonly ComparedRun[],
  base: ComparedRun,
  variables: readonly string[],
  sdErrors: SdErrors,
): readonly NumbersGroup[] {
  return variables.map((variable) => {
    const of = base.rows.get(variable) ?? null;
    const rows = runs.map((run): NumbersRow => {
      const row = run.rows.get(variable) ?? null;
      if (run === base) return { run, row, mean: 'baseline', sd: 'baseline' };
      if (row === null || of === null) return { run, row, mean: null, sd: null };
      const error = (one: ComparedRun) => sdErrors.get(sdKey(one, variable)) ?? null;
      const areConstant = row.constant && of.constant;
      const sd =
        areConstant || error(run) === null || error(base) === null
          ? null
          : differenceOf(
              { value: row.sd, mcse: row.constant ? 0 : error(run) },
              { value: of.sd, mcse: of.constant ? 0 : error(base) },
              of.sd,
            );
      return { run, row, mean: meanDifference(row, of), sd };
    });
    const known = rows.flatMap(({ row }) => row ?? []);
    const decimals = Math.max(
      0,
      ...known.map((row) => decimalsForMcse(row.mcse_mean, row.mean ?? 0)),
    );
    const name = shownName(known.find(({ label }) => label !== undefined) ?? { variable });
    return { variable, name, decimals, rows };
  });
}

const statistics = [
  'mean',
  'mcse_mean',
  'sd',
  'median',
  'q5',
  'q25',
  'q75',
  'q95',
  'rhat',
  'ess_bulk',
  'ess_tail',
] as const;

export function numbersTable(groups: readonly NumbersGroup[]): FigureTable {
  const of = (difference: NumbersRow['mean'], key: 'value' | 'inMcse') =>
    difference === null || difference === 'baseline' ? null : cell(difference[key]);
  return {
    columns: [
      textColumn('variable'),
      textColumn('experiment'),
      textColumn('id'),
      ...statistics.map((name) => numberColumn(name)),
      numberColumn('mean_difference'),
      numberColumn('mean_difference_in_mcse'),
      numberColumn('sd_difference'),
      numberColumn('sd_difference_in_mcse'),
    ],
    rows: groups.flatMap(({ variable, rows }) =>
      rows.flatMap(({ run, row, mean, sd }) =>
        row === null
          ? []
          : [
              [
                variable,
                run.letter,
                run.id,
                ...statistics.map((name) => cell(row[name])),
                of(mean, 'value'),
                of(mean, 'inMcse'),
                of(sd, 'value'),
                of(sd, 'inMcse'),
              ],
            ],
      ),
    ),
  };
}
