/** How well the sampler worked: its statistics, then ranks, autocorrelation and ESS of one variable, LOO, sensitivity. */
import { ActionIcon, Select } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { looRefusal } from '../../../../posterior/loo-refusal.ts';
import { isLogLik } from '../../../../posterior/variable-kinds.ts';
import { HelpLink } from '../../../ui/help-link.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { findChoices } from '../../status/find-variables.ts';
import classes from '../run/experiment.module.css';
import { NoDraws } from '../run/no-draws.tsx';
import type { TabProps } from '../run/tab-props.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import { SamplerSection } from './sampler-section.tsx';
import { SensitivitySection } from './sensitivity-section.tsx';
import { VariableChecks } from './variable-checks.tsx';
import { variableChoices, worstOfEachKind } from './variable-choices.ts';

const LooParts = lazyPart(
  () => import('./loo-parts.tsx'),
  'LooParts',
  <p className={classes.dim}>Reading the draws…</p>,
);

const noRows: readonly SummaryRow[] = [];

export function DiagnosticsTab({ live, focus, search, onSearchChange }: TabProps) {
  const { selected, at } = search;
  const onSelect = (variable: string) => onSearchChange({ selected: variable, at: '' });
  const rows = live.summary?.variables ?? noRows;
  const worstFirst = useMemo(() => worstOfEachKind(rows), [rows]);
  const choices = useMemo(() => variableChoices(worstFirst), [worstFirst]);
  const found = worstFirst.findIndex(({ variable }) => variable === selected);
  const index = Math.max(0, found);
  const row = worstFirst[index];
  if (row === undefined) return <NoDraws live={live} />;
  const step = (by: number) => {
    const next = worstFirst[index + by];
    if (next !== undefined) onSelect(next.variable);
  };
  return (
    <div className={classes.sections}>
      <SamplerSection live={live} focus={focus} at={at} rows={worstFirst} />
      <section aria-label="One variable">
        <div className={classes.toolbar}>
          <h2 className={classes.sectionTitle}>One variable</h2>
          <Select
            aria-label="Variable"
            searchable
            allowDeselect={false}
            limit={200}
            value={row.variable}
            data={choices}
            filter={findChoices}
            onChange={(value) => onSelect(value ?? '')}
            w={260}
          />
          <span>
            <ActionIcon
              aria-label="Previous variable"
              disabled={index === 0}
              onClick={() => step(-1)}
            >
              <IconChevronLeft size={16} />
            </ActionIcon>
            <ActionIcon
              aria-label="Next variable"
              disabled={index === worstFirst.length - 1}
              onClick={() => step(1)}
            >
              <IconChevronRight size={16} />
            </ActionIcon>
          </span>
          <span className={classes.toolbarNote}>
            {choices.some((choice) => 'group' in choice)
              ? 'Worst R-hat of each group first'
              : 'Worst R-hat first'}
          </span>
        </div>
        <VariableChecks live={live} focus={focus} row={row} />
      </section>
      <LooSection live={live} rows={rows} />
      <SensitivitySection live={live} rows={rows} />
    </div>
  );
}

/** Leave-one-out cross-validation, if the program computes `log_lik`. */
function LooSection({ live, rows }: { live: LiveExperiment; rows: readonly SummaryRow[] }) {
  const observations = useMemo(() => rows.filter(({ variable }) => isLogLik(variable)), [rows]);
  if (observations.length < 2) return null;
  const refusal = looRefusal(live.experiment.meta?.settings?.algorithm);
  return (
    <section aria-label="Leave-one-out">
      <div className={classes.toolbar}>
        <h2 className={classes.sectionTitle}>Leave-one-out</h2>
        <HelpLink topic="loo" of="leave-one-out and Pareto k" />
      </div>
      {refusal === null ? (
        <LooParts live={live} rows={observations} />
      ) : (
        <p className={classes.dim}>Leave-one-out is not possible: {refusal}.</p>
      )}
    </section>
  );
}
