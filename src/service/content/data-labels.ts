/** The dimension labels in data, as an experiment stores them. */
import type { DataMeta } from '../../formats/data-meta.ts';
import type { DimensionNames } from '../../language/dimensions.ts';

/** Characters of all labels together; every view of the experiment includes `meta`. */
export const mostLabelText = 64 * 1024;

/** Labels by size or index variable, as data have them. */
export type DataLabels = Readonly<Record<string, readonly string[]>>;

/** Facts about a run's data that must be known before it starts. */
export interface RunDataCheck {
  /** Why the run cannot read them; null: it can. */
  readonly fault: string | null;
  readonly labels: DataLabels;
}

/** Facts about a run's program that must be known before it starts. */
export interface ProgramCheck {
  /** Why it cannot run, with its errors rendered; null: it can. */
  readonly fault: string | null;
  /** Names of its variables' dimensions. */
  readonly dimensions: ReadonlyMap<string, readonly DimensionNames[]>;
}

/** Empty if there are more than an experiment stores. */
export function keptLabels({ labels }: Pick<DataMeta, 'labels'>): DataLabels {
  const size = Object.values(labels).reduce(
    (sum, texts) => texts.reduce((so, text) => so + text.length + 3, sum),
    0,
  );
  return size > mostLabelText ? {} : labels;
}
