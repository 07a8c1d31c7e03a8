/** The card of a predictive check, or one for each group of observations. */
import { useCallback, useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { PredictiveCheck } from '../../../../figures/predictive-frame.ts';
import { looRefusal } from '../../../../posterior/loo-refusal.ts';
import {
  groupings,
  groupsBy,
  mostGroups,
  type ObservationGroup,
  type PredictivePair,
} from '../../../../posterior/predictive/pairing.ts';
import classes from '../run/experiment.module.css';
import { HeavyCard, type HeavyCardProps } from './heavy-card.tsx';
import { checkOf, type PredictiveScope } from './predictive-tools.tsx';

export interface PredictiveCardsProps extends PredictiveScope {
  readonly pair: PredictivePair;
  readonly rows: readonly SummaryRow[];
  readonly isPrior: boolean;
}

const titles: Readonly<Record<PredictiveCheck, string>> = {
  density: 'Density',
  ecdf: 'Distribution function',
  intervals: 'Intervals',
  statistics: 'Test statistics',
  rootogram: 'Rootogram',
  bars: 'Frequencies',
  calibration: 'Calibration',
  'loo-pit': 'LOO-PIT',
};

const hints: Readonly<Record<PredictiveCheck, string>> = {
  density: 'Dark: the data. Light: data that the model generates. They should look alike.',
  ecdf: 'Dark: the data. Light: data that the model generates. They should look alike.',
  intervals: 'About half of the data should lie in the thick bars, nine in ten in the thin ones.',
  statistics:
    'Line: the data. Bars: data that the model generates. p is the share of these that are at least as large.',
  rootogram:
    'Bars hang from the number that the model expects for each count. They should end at zero.',
  bars: 'Bars: the data. Dots and lines: mean and 90 % interval of what the model generates.',
  calibration: 'The line should stay in the band around the diagonal.',
  'loo-pit':
    'The line should stay in the band. A slope or a bend shows how the predictions are off.',
};

/** All observations, or those of a group. */
type Group = Omit<ObservationGroup, 'label'> & { readonly label: string | undefined };

export function PredictiveCards(props: PredictiveCardsProps) {
  const { pair, data, choice, outcome } = props;
  const check = checkOf(outcome, choice);
  const groups = useMemo((): readonly Group[] => {
    const by = groupings(pair.observed, data.variables).find(({ name }) => name === choice.group);
    if (by !== undefined) return groupsBy(by);
    return [{ label: undefined, members: Array.from(pair.observed.values, (_, i) => i) }];
  }, [pair, data, choice.group]);
  if (check === 'loo-pit' && pair.logLik === null)
    return (
      <p className={classes.dim}>
        LOO-PIT needs the log likelihood of each observation. Add it to{' '}
        <code>generated quantities</code> as <code>log_lik</code>, or{' '}
        <code>log_lik_{pair.observed.name}</code> if the program replicates other data too, with as
        many elements as <code>{pair.observed.name}</code>.
      </p>
    );
  const refusal = looRefusal(props.live.experiment.meta?.settings?.algorithm);
  if (check === 'loo-pit' && refusal !== null)
    return <p className={classes.dim}>LOO-PIT is not possible: {refusal}.</p>;
  const shown = groups.slice(0, mostGroups);
  return (
    <>
      <div className={shown.length > 1 ? classes.plotGrid : undefined}>
        {shown.map((group) => (
          <CheckCard key={group.label ?? ''} {...props} group={group} check={check} />
        ))}
      </div>
      {groups.length > shown.length && (
        <p className={classes.note}>
          The {shown.length} largest of {groups.length} groups.
        </p>
      )}
    </>
  );
}

function CheckCard({
  live,
  pair,
  rows,
  outcome,
  isPrior,
  check,
  group,
}: PredictiveCardsProps & { readonly group: Group; readonly check: PredictiveCheck }) {
  const { members, label } = group;
  const used = useMemo(() => {
    const byName = new Map(rows.map((row) => [row.variable, row]));
    const names = [
      ...members.map((i) => pair.replicated.variables[i]),
      ...(check === 'loo-pit' ? members.map((i) => pair.logLik?.variables[i]) : []),
    ];
    return names.flatMap((name) => byName.get(name ?? '') ?? []);
  }, [rows, members, pair, check]);
  const ask: HeavyCardProps['ask'] = useCallback(
    (variables, options) => ({
      kind: 'predictive',
      input: {
        check,
        outcome,
        observed: pair.observed.name,
        y: Float64Array.from(members, (i) => pair.observed.values[i] ?? Number.NaN),
        replicated: variables.slice(0, members.length),
        replicatedName: pair.replicated.name,
        logLik: variables.slice(members.length),
        places: members.map((i) => i + 1),
        group: label,
        isPrior,
      },
      options,
    }),
    [check, outcome, pair, members, label, isPrior],
  );
  const title = titles[check];
  const names = `${pair.observed.name} and ${pair.replicated.name}`;
  return (
    <HeavyCard
      live={live}
      rows={used}
      name={`${title} of ${names}${label === undefined ? '' : `, ${label}`}`}
      caption={
        <>
          <strong>{title}</strong>
          {label !== undefined && ` · ${label} (${members.length})`}
        </>
      }
      help="predictive"
      hint={label === undefined ? hints[check] : ''}
      ask={ask}
    />
  );
}
