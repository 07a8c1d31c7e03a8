/** One variable beside the table: density by chain and trace, with what they mean. */
import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useCallback } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { decimalsForMcse } from '../../../../posterior/decimals.ts';
import type { FigureRequest } from '../../../plots/figure-request.ts';
import { type CardOptions, PlotCard } from '../../../plots/plot-card.tsx';
import { formatNumber } from '../../../ui/numbers.ts';
import { TraceCard } from '../plots/trace-card.tsx';
import { figureVariable, hasDraws } from '../run/figure-variables.ts';
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

export function VariableInspector({
  live,
  row,
  onClose,
  onPrevious,
  onNext,
}: VariableInspectorProps) {
  const draws = useDraws(live, row.variable);
  const { lower, upper } = row;
  const make = useCallback(
    (options: CardOptions): FigureRequest | null => {
      const own = figureVariable(draws, live.chainNames, row.variable);
      const variable = { ...own, lower, upper };
      return hasDraws(variable) ? { kind: 'density', variable, options } : null;
    },
    [draws, live.chainNames, row.variable, lower, upper],
  );
  return (
    <aside className={classes.inspector} aria-label={`Plots of ${row.variable}`}>
      <header className={classes.inspectorHead}>
        <code>{row.variable}</code>
        <span className={classes.inspectorButtons}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Previous variable"
            disabled={onPrevious === undefined}
            onClick={onPrevious}
          >
            <IconChevronUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Next variable"
            disabled={onNext === undefined}
            onClick={onNext}
          >
            <IconChevronDown size={16} />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label="Close" onClick={onClose}>
            <IconX size={16} />
          </ActionIcon>
        </span>
      </header>
      <PlotCard
        name={`Density of ${row.variable}`}
        label={`Density of ${row.variable}, one line per chain`}
        caption="Density, one line per chain"
        make={make}
        height={130}
      />
      <TraceCard
        live={live}
        variable={row.variable}
        row={row}
        focus={allChains}
        showWarmup={false}
        showDivergences
        height={110}
      />
      <p className={classes.inspectorFoot}>{advice(row, live.summary?.n_chains ?? 1)}</p>
    </aside>
  );
}

function advice(row: SummaryRow, numChains: number): string {
  if (row.constant) return 'Every draw has the same value: there is nothing to check.';
  if (row.non_finite > 0)
    return 'Some draws are not finite, so no statistic is defined. Look where the program divides or takes a logarithm.';
  const checks = checksOf(row, numChains);
  if (checks.tone === 'ok') {
    const decimals = decimalsForMcse(row.mcse_mean, row.mean ?? 0);
    return `The chains agree. MCSE of the mean is ${formatNumber(row.mcse_mean, Math.max(2, decimals))}.`;
  }
  if (row.rhat !== null && row.rhat > 1.05)
    return 'Chains disagree about this variable. More draws alone rarely fix it.';
  if (row.rhat !== null && row.rhat > 1.01)
    return 'Chains do not quite agree yet. More draws, or a longer warmup, may help.';
  return 'Few independent draws: draw more before reporting its tails.';
}
