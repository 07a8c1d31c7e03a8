/** What is compared with what, and how: the tools above the predictive checks. */
import { SegmentedControl, Select } from '@mantine/core';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { checksOf, type PredictiveCheck } from '../../../../figures/predictive-frame.ts';
import {
  groupings,
  observedFor,
  type PredictivePair,
  type RunArray,
} from '../../../../posterior/predictive/pairing.ts';
import { type OutcomeKind, outcomeKinds } from '../../../../posterior/predictive/replications.ts';
import classes from '../run/experiment.module.css';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import type { ObservedData } from './observed-data.ts';
import own from './predictive.module.css';
import type { PredictiveChoice } from './predictive-choice.ts';

export interface PredictiveScope {
  readonly live: LiveExperiment;
  readonly data: ObservedData;
  readonly choice: PredictiveChoice;
  readonly pair: PredictivePair | null;
  readonly arrays: readonly RunArray[];
  readonly outcome: OutcomeKind;
}

const checkLabels: Readonly<Record<PredictiveCheck, string>> = {
  density: 'Density',
  ecdf: 'ECDF',
  intervals: 'Intervals',
  statistics: 'Statistics',
  rootogram: 'Rootogram',
  bars: 'Bars',
  calibration: 'Calibration',
  'loo-pit': 'LOO-PIT',
};

const outcomeLabels: Readonly<Record<OutcomeKind, string>> = {
  continuous: 'Continuous',
  count: 'Counts',
  binary: 'Binary',
};

/** The check to show: the chosen one if the outcome has it. */
export function checkOf(outcome: OutcomeKind, { check }: PredictiveChoice): PredictiveCheck {
  const [first, ...others] = checksOf[outcome];
  return others.find((one) => one === check) ?? first ?? 'density';
}

/** As chosen, or judged by the data and the medians of the replications: those of fractions are rarely integers. */
export function outcomeOf(
  { observed, replicated }: PredictivePair,
  rows: readonly SummaryRow[],
  { outcome }: PredictiveChoice,
): OutcomeKind {
  const chosen = outcomeKinds.find((kind) => kind === outcome);
  if (chosen !== undefined) return chosen;
  const names = new Set(replicated.variables);
  const medians = rows.flatMap(({ variable, median }) =>
    names.has(variable) && median !== null ? [median] : [],
  );
  const { values } = observed;
  if (
    values.every((value) => value === 0 || value === 1) &&
    medians.every((median) => median >= 0 && median <= 1)
  )
    return 'binary';
  const whole = medians.filter((median) => Number.isInteger(2 * median)).length;
  const isCount = values.every((value) => value >= 0 && Number.isInteger(value));
  return isCount && whole >= 0.9 * medians.length ? 'count' : 'continuous';
}

export function PredictiveTools({
  data,
  choice,
  pair,
  arrays,
  outcome,
  onChoose,
}: PredictiveScope & { readonly onChoose: (change: Partial<PredictiveChoice>) => void }) {
  const usable = arrays.filter((array) => observedFor(array, data.variables).length > 0);
  if (usable.length === 0) return null;
  const observed = pair === null ? [] : observedFor(pair.replicated, data.variables);
  const groups = pair === null ? [] : groupings(pair.observed, data.variables);
  const group = groups.find(({ name }) => name === choice.group);
  return (
    <>
      {pair !== null && (
        <div className={`${classes.toolbar} ${own.kinds}`}>
          <SegmentedControl
            aria-label="Kind of check"
            value={checkOf(outcome, choice)}
            onChange={(check) => onChoose({ check })}
            data={checksOf[outcome].map((check) => ({ value: check, label: checkLabels[check] }))}
          />
        </div>
      )}
      <div className={classes.toolbar}>
        <Select
          label="Replicated"
          size="xs"
          w={150}
          placeholder="Choose"
          allowDeselect={false}
          searchable={usable.length > 8}
          value={pair?.replicated.name ?? null}
          data={usable.map(({ name }) => name)}
          onChange={(name) => onChoose({ replicated: name ?? '', observed: '', group: '' })}
        />
        {pair !== null && (
          <>
            <Select
              label="Data"
              size="xs"
              w={150}
              allowDeselect={false}
              value={pair.observed.name}
              data={observed.map(({ name }) => name)}
              onChange={(name) => onChoose({ observed: name ?? '', group: '' })}
            />
            <Select
              label="Outcome"
              size="xs"
              w={130}
              allowDeselect={false}
              value={outcome}
              data={outcomeKinds.map((kind) => ({ value: kind, label: outcomeLabels[kind] }))}
              onChange={(kind) => onChoose({ outcome: kind ?? '', check: '' })}
            />
            {groups.length > 0 && (
              <Select
                label="By group"
                size="xs"
                w={150}
                clearable
                placeholder="All together"
                value={group?.name ?? null}
                data={groups.map(({ name }) => name)}
                onChange={(name) => onChoose({ group: name ?? '' })}
              />
            )}
          </>
        )}
      </div>
    </>
  );
}
