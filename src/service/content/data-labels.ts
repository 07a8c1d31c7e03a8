/** The labels of dimensions that data bring along, as an experiment keeps them. */
import type { DataMeta } from '../../formats/data-meta.ts';
import type { DimensionNames } from '../../language/dimensions.ts';

/** Characters of all labels together; `meta` goes with every look at the experiment. */
export const mostLabelText = 64 * 1024;

/** Labels by size or index variable, as data have them. */
export type DataLabels = Readonly<Record<string, readonly string[]>>;

/** What is to be known of the data of a run before it starts. */
export interface RunDataCheck {
  /** Why the run cannot read them; null: it can. */
  readonly fault: string | null;
  readonly labels: DataLabels;
}

/** What is to be known of the program of a run before it starts. */
export interface ProgramCheck {
  /** Why it cannot run, its errors rendered; null: it can. */
  readonly fault: string | null;
  /** What the dimensions of its variables are called. */
  readonly dimensions: ReadonlyMap<string, readonly DimensionNames[]>;
}

/** None where there are more than an experiment keeps. */
export function keptLabels({ labels }: Pick<DataMeta, 'labels'>): DataLabels {
  const size = Object.values(labels).reduce(
    (sum, texts) => texts.reduce((so, text) => so + text.length + 3, sum),
    0,
  );
  return size > mostLabelText ? {} : labels;
}
