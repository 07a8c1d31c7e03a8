/** Everything known about the compared experiments, kept up to date while one of them is running. */

import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Summary, SummaryRow } from '../../../contract/draws.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import { itemAt } from '../../../shared/items.ts';
import { isLiveStatus } from '../../objects/live-status.ts';
import { hasCapability } from '../../objects/server.ts';
import { useClient } from '../../objects/use-client.ts';
import { useConfig } from '../../objects/use-config.ts';
import type { DrawsStore } from '../live/draws-store.ts';
import { totalDraws } from '../status/draw-counts.ts';
import { letterOf } from './compared-style.ts';
import type { RowsByName } from './compared-variables.ts';
import {
  comparedExperimentQueryOptions,
  comparedFileQueryOptions,
  comparedSummaryQueryOptions,
} from './queries.ts';

export interface ComparedRun {
  readonly id: string;
  /** 0-based position, which determines letter, colour, dash and symbol. */
  readonly index: number;
  readonly letter: string;
  /** Null while it is loading, or if it is not available. */
  readonly experiment: Experiment | null;
  readonly problem: ApiError | null;
  readonly summary: Summary | null;
  readonly summaryError: ApiError | null;
  /** Empty while there is no summary. */
  readonly rows: RowsByName;
  readonly isLive: boolean;
  /** How draws arrive; a file puts them all into `fileStore` in one step. */
  readonly source: 'columns' | 'file';
  readonly fileStore: DrawsStore | null;
  readonly retry: () => void;
}

const noRows: RowsByName = new Map();
const rowsBySummary = new WeakMap<Summary, RowsByName>();

function rowsOf(summary: Summary | undefined): RowsByName {
  if (summary === undefined) return noRows;
  let rows = rowsBySummary.get(summary);
  if (rows === undefined) {
    rows = new Map(summary.variables.map((row): [string, SummaryRow] => [row.variable, row]));
    rowsBySummary.set(summary, rows);
  }
  return rows;
}

/** Whether any chain has draws: others may still wait for a core. */
export const hasDraws = (experiment: Experiment) => totalDraws(experiment) > 0;

/** One entry per id, in order, whatever is known of it so far. */
export function useCompared(ids: readonly string[]): readonly ComparedRun[] {
  const client = useClient();
  const config = useConfig();
  const hasColumns = hasCapability(config, 'draws') && hasCapability(config, 'summary');
  const source = hasColumns ? 'columns' : 'file';
  const experiments = useQueries({
    queries: ids.map((id) => comparedExperimentQueryOptions(client, id)),
  });
  const summaries = useQueries({
    queries: ids.map((id, i) => {
      const experiment = experiments[i]?.data ?? { ...unknown, short_id: id };
      const options =
        source === 'columns'
          ? comparedSummaryQueryOptions(client, experiment)
          : comparedFileQueryOptions(client, experiment);
      return { ...options, enabled: config !== undefined && hasDraws(experiment) };
    }),
  });
  const runs = ids.map((id, index): ComparedRun => {
    const experiment = itemAt(experiments, index);
    const summary = itemAt(summaries, index);
    return {
      id,
      index,
      letter: letterOf(index),
      experiment: experiment.data ?? null,
      problem: experiment.data === undefined ? errorOf(experiment.error) : null,
      summary: summary.data?.summary ?? null,
      summaryError: errorOf(summary.error),
      rows: rowsOf(summary.data?.summary),
      isLive: experiment.data !== undefined && isLiveStatus(experiment.data.status),
      source,
      fileStore: summary.data?.store ?? null,
      retry: () => void (experiment.isError ? experiment.refetch() : summary.refetch()),
    };
  });
  // The same array while nothing has changed: figures and statistics depend on it.
  const marks = runs.flatMap((run) => [run.experiment, run.summary, run.problem, run.summaryError]);
  // oxlint-disable-next-line react/exhaustive-deps -- the marks are all that runs are made of
  return useMemo(() => runs, [ids.join(), source, ...padded(marks)]);
}

/** A fixed number of dependencies, whatever the number of experiments. */
function padded(marks: readonly unknown[]): readonly unknown[] {
  return Array.from({ length: 24 }, (_, i) => marks[i] ?? null);
}

function errorOf(error: unknown): ApiError | null {
  return error === null ? null : ApiError.from(error);
}

/** Stands in for an experiment that is loading: nothing is requested for it. */
const unknown: Experiment = {
  object_type: 'experiment',
  short_id: '',
  name: '',
  model_name: '',
  model_id: '',
  status: '',
  n_chains: 0,
  n_variables: 0,
  n_samples: 0,
  sample_update_time: '',
  run_on: '',
  workflow_id: '',
  workflow_name: '',
};
