/** Pairs: up to eight variables against each other, each on its chosen scale, divergences on top. */
import { MultiSelect } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { shownName } from '../../../../posterior/variable-labels.ts';
import type { FigureRequest } from '../../../plots/figure-request.ts';
import { type CardOptions, PlotCard } from '../../../plots/plot-card.tsx';
import { usePlotHeight } from '../../../plots/use-plot-height.ts';
import { findChoices } from '../../status/find-variables.ts';
import classes from '../run/experiment.module.css';
import {
  boundsOf,
  fadedBy,
  figureVariable,
  hasDraws,
  useDrawsOf,
} from '../run/figure-variables.ts';
import { NoDraws } from '../run/no-draws.tsx';
import type { TabProps } from '../run/tab-props.ts';
import { readChoice } from './chosen-variables.ts';
import { ScaleChoice } from './scale-choice.tsx';
import { variableChoices } from './variable-choices.ts';
import { readScale } from './variable-scale.tsx';

const most = 8;
const usual = 4;
const noRows: readonly SummaryRow[] = [];

/** Variables of the plot: the requested ones if the run has them, otherwise the first chosen ones that vary. */
export function pairNames(
  pairs: readonly string[],
  rows: readonly SummaryRow[],
  chosen: readonly string[] = [],
): readonly string[] {
  const here = new Set(rows.map((row) => row.variable));
  const asked = [...new Set(pairs)].filter((name) => here.has(name)).slice(0, most);
  if (asked.length > 0) return asked;
  const usable = readChoice(chosen, rows);
  return rows
    .filter((row) => usable.has(row.variable) && !row.constant)
    .slice(0, usual)
    .map((row) => row.variable);
}

export function PairsTab(props: TabProps) {
  const { live, focus, search, onSearchChange } = props;
  const { vars } = props.choice;
  const { pairs, scales } = search;
  const rows = live.summary?.variables ?? noRows;
  const names = useMemo(() => pairNames(pairs, rows, vars), [pairs, rows, vars]);
  const choices = useMemo(() => variableChoices(rows), [rows]);
  const used = useMemo(() => {
    const byName = new Map(rows.map((row) => [row.variable, row]));
    return names.flatMap((name) => byName.get(name) ?? []);
  }, [names, rows]);
  const draws = useDrawsOf(live, names);
  const { chainNames } = live;
  const make = useCallback(
    (options: CardOptions): FigureRequest | null => {
      const variables = used.map((row) => ({
        ...figureVariable(draws, chainNames, row, true),
        ...boundsOf(row),
        scale: readScale(scales, row.variable),
      }));
      if (variables.length < 2 || !variables.every(hasDraws)) return null;
      return { kind: 'pair', variables, options };
    },
    [used, scales, draws, chainNames],
  );
  // Cells are wider than tall, even on the widest screen.
  const height = usePlotHeight(Math.min(900, Math.max(420, 150 * names.length)));
  if (rows.length === 0) return <NoDraws live={live} />;
  return (
    <section aria-label="Pairs">
      <div className={classes.toolbar}>
        <MultiSelect
          aria-label="Variables of the pairs plot"
          className={classes.pairsPick}
          searchable
          hidePickedOptions
          limit={200}
          maxValues={most}
          data={choices}
          filter={findChoices}
          value={[...names]}
          onChange={(names) => onSearchChange({ pairs: names })}
        />
        <span className={classes.note}>
          Up to {most} variables. Red: divergent. Above the diagonal: correlations.
        </span>
        <ScaleChoice
          rows={used}
          scales={scales}
          onScales={(next) => onSearchChange({ scales: next })}
        />
      </div>
      <div style={{ maxWidth: 1.9 * height }}>
        <PlotCard
          name={`Pairs of ${used.map(shownName).join(', ')}`}
          caption={<strong>Pairs</strong>}
          help="pairs"
          make={make}
          height={height}
          faded={fadedBy(focus, chainNames.length)}
          hidden={focus.hidden}
          absence={names.length < 2 ? 'Choose a second variable.' : undefined}
        />
      </div>
    </section>
  );
}
