/** The frame of a tab that plots the ticked variables: the tree of variables, with the plots next to it. */
import { type ReactNode, useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import classes from '../run/experiment.module.css';
import type { ChosenVariables } from '../run/remembered-variables.ts';
import type { VariableGroup, VariableOrder } from '../run/variable-groups.ts';
import { readChoice, writeChoice } from './chosen-variables.ts';
import { VariableTree } from './variable-tree.tsx';

export interface PlottedVariablesProps {
  /** What the plots are, for screen readers. */
  readonly label: string;
  readonly rows: readonly SummaryRow[];
  readonly choice: ChosenVariables;
  readonly groups: readonly VariableGroup[];
  readonly shown: ReadonlySet<string>;
  readonly search: string;
  readonly order: VariableOrder;
  readonly onChange: (change: { q?: string; order?: VariableOrder }) => void;
  readonly onSortAgain?: () => void;
  readonly children: ReactNode;
}

export function PlottedVariables(props: PlottedVariablesProps) {
  const { rows, choice, onChange } = props;
  return (
    <div className={classes.traces}>
      <VariableTree
        groups={props.groups}
        total={rows.length}
        shown={props.shown}
        onShownChange={(next) => choice.onChoose(writeChoice(next, rows, choice.opening))}
        search={props.search}
        onSearchChange={(q) => onChange({ q })}
        order={props.order}
        onOrderChange={(order) => onChange({ order })}
        onSortAgain={props.onSortAgain}
      />
      <section className={classes.plots} aria-label={props.label}>
        {props.children}
      </section>
    </div>
  );
}

/** The ticked names, and the rows of those that the tree shows, in its order. */
export function usePlotted(
  groups: readonly VariableGroup[],
  rows: readonly SummaryRow[],
  vars: readonly string[],
) {
  const shown = useMemo(() => readChoice(vars, rows), [vars, rows]);
  const plotted = useMemo(
    () => groups.flatMap((group) => group.rows).filter((row) => shown.has(row.variable)),
    [groups, shown],
  );
  return { shown, plotted };
}
