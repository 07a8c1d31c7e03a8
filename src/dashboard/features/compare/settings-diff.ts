/** The settings of the experiments, side by side. */
import type { Experiment } from '../../../contract/experiment.ts';

export interface SettingRow {
  readonly key: string;
  /** One text per experiment; null if unknown. */
  readonly values: readonly (string | null)[];
  readonly differs: boolean;
}

/** Facts first, then settings by name. A setting that no experiment reports has no row. */
export function settingRows(experiments: readonly Experiment[]): readonly SettingRow[] {
  const facts: [string, (experiment: Experiment) => string | null][] = [
    ['model', ({ model_name }) => model_name || null],
    ['model version', ({ meta }) => (meta?.model_version ? `v${meta.model_version}` : null)],
    ['data', ({ meta }) => meta?.data_name || null],
    ['chains', ({ n_chains }) => (n_chains > 0 ? String(n_chains) : null)],
    ['draws per chain', ({ n_samples }) => (n_samples > 0 ? String(n_samples) : null)],
    ['run on', ({ run_on }) => run_on || null],
  ];
  const keys = new Set(experiments.flatMap(({ meta }) => Object.keys(meta?.settings ?? {})));
  const rows = [
    ...facts.map(([key, value]) => rowOf(key, experiments.map(value))),
    ...[...keys]
      .toSorted((a, b) => a.localeCompare(b))
      .map((key) =>
        rowOf(
          key,
          experiments.map(({ meta }) => settingText(meta?.settings?.[key])),
        ),
      ),
  ];
  return rows.filter(({ values }) => values.some((value) => value !== null));
}

function rowOf(key: string, values: readonly (string | null)[]): SettingRow {
  return { key, values, differs: new Set(values).size > 1 };
}

function settingText(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
