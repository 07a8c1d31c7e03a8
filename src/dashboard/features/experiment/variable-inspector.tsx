/** One variable beside the table: density by chain and trace, with what they mean. */
import { ActionIcon, useComputedColorScheme } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { SummaryRow } from '../../../contract/draws.ts';
import { decimalsForMcse } from '../../../posterior/decimals.ts';
import { densityFigure } from '../../plots/density-figure.ts';
import { plotPalettes } from '../../plots/palette.ts';
import { Plot } from '../../plots/plot.tsx';
import { formatNumber } from '../../ui/numbers.ts';
import classes from './experiment.module.css';
import { checksOf } from './summary-columns.ts';
import { TraceCard } from './trace-card.tsx';
import { type LiveExperiment, useDraws } from './use-live-experiment.ts';

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
  const scheme = useComputedColorScheme('light');
  const figure = useMemo(
    () =>
      densityFigure(
        live.chainNames.map((name, index) => ({
          index,
          draws: draws.read(row.variable, name, 'sampling'),
        })),
        plotPalettes[scheme],
      ),
    [draws, live.chainNames, row.variable, scheme],
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
            <IconChevronUp size={16} stroke={1.6} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Next variable"
            disabled={onNext === undefined}
            onClick={onNext}
          >
            <IconChevronDown size={16} stroke={1.6} />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label="Close" onClick={onClose}>
            <IconX size={16} stroke={1.6} />
          </ActionIcon>
        </span>
      </header>
      <h2 className={classes.inspectorTitle}>Density, one line a chain</h2>
      <Plot figure={figure} height={130} label={`Density of ${row.variable}, one line a chain`} />
      <h2 className={classes.inspectorTitle}>Trace</h2>
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
  if (row.constant) return 'Every draw is the same value: there is nothing to judge.';
  if (row.non_finite > 0)
    return 'Some draws are not finite, so no statistic is defined. Look where the program divides or takes a logarithm.';
  const checks = checksOf(row, numChains);
  if (checks.tone === 'ok') {
    const decimals = decimalsForMcse(row.mcse_mean, row.mean ?? 0);
    return `Every chain tells the same story. MCSE of the mean is ${formatNumber(row.mcse_mean, Math.max(2, decimals))}.`;
  }
  if (row.rhat !== null && row.rhat > 1.05)
    return 'Chains disagree about this variable. More draws alone rarely mend it.';
  if (row.rhat !== null && row.rhat > 1.01)
    return 'Chains do not quite agree yet. More draws, or a longer warmup, may settle it.';
  return 'Few independent draws: run more samples before reporting its tails.';
}
