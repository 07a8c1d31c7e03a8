/** Leave-one-out of a run: Pareto k of each observation, the observations with their data, and how to improve them. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { Loo } from '../../../../posterior/loo.ts';
import {
  type ObservationColumns,
  observationColumns,
} from '../../../../posterior/observation-columns.ts';
import { readLabels, shownName } from '../../../../posterior/variable-labels.ts';
import { itemAt } from '../../../../shared/items.ts';
import { useClient } from '../../../objects/use-client.ts';
import type { FigureRequest } from '../../../plots/figure-request.ts';
import { type CardOptions, PlotCard } from '../../../plots/plot-card.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { LooProgress, LooStart, useLooGate } from '../../live/loo-progress.tsx';
import type { LooModel } from '../../live/loo-statistics.ts';
import { matchedObservations } from '../../live/matched-observations.ts';
import { useLoo } from '../../live/use-loo.ts';
import { figureVariable, hasDraws, useDrawsOf } from '../run/figure-variables.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import own from './loo.module.css';
import { MomentMatching } from './moment-matching.tsx';
import { ObservationTable } from './observation-table.tsx';
import { observedQueryOptions } from './observed-data.ts';

export interface LooPartsProps {
  readonly live: LiveExperiment;
  /** Of the pointwise log likelihoods. */
  readonly rows: readonly SummaryRow[];
}

export function LooParts(props: LooPartsProps) {
  const { experiment } = props.live;
  const values = props.rows.length * experiment.n_chains * experiment.n_samples;
  const { isWanted, start, cancel } = useLooGate(values);
  if (!isWanted) return <LooStart values={values} onStart={start} />;
  return <Computed {...props} values={values} onCancel={cancel} />;
}

interface ComputedProps extends LooPartsProps {
  readonly values: number;
  readonly onCancel: (() => void) | undefined;
}

function Computed({ live, rows, values, onCancel }: ComputedProps) {
  const { experiment, chainNames } = live;
  const names = useMemo(() => rows.map(({ variable }) => variable), [rows]);
  const draws = useDrawsOf(live, names);
  const matched = matchedObservations(experiment);
  const variables = useMemo(
    () => rows.map((row) => figureVariable(draws, chainNames, row)),
    [rows, draws, chainNames],
  );
  const isWhole = variables.every(hasDraws);
  const models = useMemo((): LooModel[] | null => {
    if (!isWhole) return null;
    const logLik = variables.map(({ chains }) => chains.map(({ sampling }) => sampling));
    return [{ name: experiment.short_id, observations: names, logLik, matched }];
  }, [isWhole, variables, names, matched, experiment.short_id]);
  const { answer, last, error, done } = useLoo(models);
  const shown = answer ?? last;
  if (error !== null) return <Problem>Leave-one-out could not be computed: {error}</Problem>;
  if (shown === null)
    return (
      <LooProgress
        read={isWhole ? values : Math.min(values, numValues(variables))}
        values={values}
        done={done}
        observations={rows.length}
        onCancel={onCancel}
      />
    );
  return <Found live={live} rows={rows} loo={itemAt(shown.loos, 0)} />;
}

const numValues = (variables: readonly ReturnType<typeof figureVariable>[]) =>
  variables.reduce(
    (sum, { chains }) => chains.reduce((n, { sampling }) => n + sampling.length, sum),
    0,
  );

function Found({ live, rows, loo }: LooPartsProps & { readonly loo: Loo }) {
  const data = useObservationColumns(live, rows);
  const names = useMemo(() => rows.map(shownName), [rows]);
  const make = useCallback(
    (options: CardOptions): FigureRequest => ({
      kind: 'loo',
      loo,
      options: { ...options, names, columns: data.columns },
    }),
    [loo, names, data],
  );
  return (
    <div className={own.parts}>
      <PlotCard
        name="Pareto k by observation"
        caption={<strong>Pareto k</strong>}
        help="loo"
        hint="How reliable the contribution of each observation is."
        make={make}
        height={200}
      />
      <MomentMatching live={live} loo={loo} />
      <ObservationTable loo={loo} names={names} data={data} />
    </div>
  );
}

const nothing: ObservationColumns = { columns: [], omitted: 0 };

/** None while the data are loading, and in a share that omits them. */
function useObservationColumns(
  { experiment, access }: LiveExperiment,
  rows: readonly SummaryRow[],
): ObservationColumns {
  const observed = useQuery(observedQueryOptions(useClient(), experiment.short_id, access)).data
    ?.variables;
  const labels = experiment.meta?.labels;
  return useMemo(() => {
    if (observed === undefined) return nothing;
    const names = rows.map(({ variable }) => variable);
    return observationColumns(names, observed, readLabels(labels));
  }, [observed, rows, labels]);
}
