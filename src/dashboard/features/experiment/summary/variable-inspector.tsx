/** One variable next to the table: density by chain and trace, with what they mean. */
import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { decimalsForMcse } from '../../../../posterior/decimals.ts';
import { shownName } from '../../../../posterior/variable-labels.ts';
import { formatCount, formatNumber } from '../../../ui/numbers.ts';
import { TraceCard } from '../plots/trace-card.tsx';
import { CheckCard } from '../plots/variable-checks.tsx';
import { figureVariable } from '../run/figure-variables.ts';
import { type LiveExperiment, useDraws } from '../run/use-live-experiment.ts';
import { checksOf } from './summary-columns.ts';
import classes from './variable-inspector.module.css';

const allChains = { pointed: null, hidden: new Set<number>() };

export interface VariableInspectorProps {
  readonly live: LiveExperiment;
  readonly row: SummaryRow;
  readonly onClose: () => void;
  readonly onPrevious?: () => void;
  readonly onNext?: () => void;
}

export function VariableInspector(props: VariableInspectorProps) {
  const { live, row } = props;
  const draws = useDraws(live, row.variable);
  const { variable, label, lower, upper } = row;
  const name = shownName(row);
  const own = useMemo(
    () => ({ ...figureVariable(draws, live.chainNames, { variable, label }), lower, upper }),
    [draws, live.chainNames, variable, label, lower, upper],
  );
  return (
    <aside className={classes.inspector} aria-label={`Plots of ${name}`}>
      <InspectorHead {...props} name={name} />
      <CheckCard
        kind="density"
        own={own}
        name={`Density of ${name}`}
        label={`Density of ${name}, one line per chain`}
        caption="Density, one line per chain"
        height={130}
      />
      <TraceCard
        live={live}
        variable={variable}
        row={row}
        focus={allChains}
        showWarmup={false}
        showDivergences
        height={110}
      />
      <CheckCard
        kind="rank-histogram"
        own={own}
        name={`Ranks of ${name}`}
        label={`Ranks of ${name} by chain`}
        caption="Ranks"
        hint="Level bars: the chains agree."
        height={100}
      />
      <p className={classes.inspectorFoot}>{advice(row, live.summary?.n_chains ?? 1)}</p>
    </aside>
  );
}

interface InspectorHeadProps extends VariableInspectorProps {
  readonly name: string;
}

/** The name, and buttons to its neighbours in the table and to close; at either end of the table one is disabled. */
function InspectorHead({ row, name, onClose, onPrevious, onNext }: InspectorHeadProps) {
  return (
    <header className={classes.inspectorHead}>
      <code title={row.variable}>{name}</code>
      <span className={classes.inspectorButtons}>
        <ActionIcon
          aria-label="Previous variable"
          disabled={onPrevious === undefined}
          onClick={onPrevious}
        >
          <IconChevronUp size={16} />
        </ActionIcon>
        <ActionIcon aria-label="Next variable" disabled={onNext === undefined} onClick={onNext}>
          <IconChevronDown size={16} />
        </ActionIcon>
        <ActionIcon aria-label="Close" onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </span>
    </header>
  );
}

/** "Report the mean to one decimal: its MCSE is 0.05.": digits that two Monte Carlo errors leave unchanged. */
function reportText({ mean, mcse_mean: mcse }: Pick<SummaryRow, 'mean' | 'mcse_mean'>): string {
  if (mean === null || mcse === null || !(mcse > 0)) return 'The chains agree.';
  const digits = Math.floor(-Math.log10(2 * mcse) + 1e-9);
  const error = formatNumber(mcse, Math.max(2, decimalsForMcse(mcse, mean)));
  return `The chains agree. Report the mean ${digitsText(digits)}: its MCSE is ${error}.`;
}

function digitsText(digits: number): string {
  if (digits === 0) return 'as a whole number';
  if (digits < 0) return `to the nearest ${formatCount(10 ** -digits)}`;
  const count = ['one', 'two', 'three', 'four', 'five'][digits - 1] ?? digits;
  return `to ${count} ${digits === 1 ? 'decimal' : 'decimals'}`;
}

function advice(row: SummaryRow, numChains: number): string {
  if (row.constant) return 'Every draw has the same value: there is nothing to check.';
  if (row.non_finite > 0)
    return 'Some draws are not finite, so no statistic is defined. Check where the program divides or takes a logarithm.';
  const checks = checksOf(row, numChains);
  if (checks.tone === 'none')
    return 'There are no chains to compare: an approximation is judged by its Pareto k.';
  if (checks.tone === 'ok') {
    return reportText(row);
  }
  if (row.rhat !== null && row.rhat > 1.05)
    return 'Chains disagree about this variable. More draws alone rarely fix it.';
  if (row.rhat !== null && row.rhat > 1.01)
    return 'Chains do not quite agree yet. More draws, or a longer warmup, may help.';
  return 'Few independent draws: draw more before reporting its tails.';
}
