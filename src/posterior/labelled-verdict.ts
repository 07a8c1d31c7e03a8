/** Verdicts with the labels of the variables they name. */
import { type DimensionLabels, hasLabels, nameWithLabel } from './variable-labels.ts';
import type { LabelledVerdict } from './verdict-label.ts';

/**
 * The verdict with the labels of its variables, "R-hat of theta[3] (School C) is 1.042, above 1.01". Labels change
 * after a run is judged, so they are inserted when a verdict is shown or sent, never when it is stored.
 */
export function withLabels<V extends LabelledVerdict>(verdict: V, labels: DimensionLabels): V {
  if (verdict.checks === undefined || !hasLabels(labels)) return verdict;
  let { headline } = verdict;
  const checks = verdict.checks.map((check) => {
    const { message, variable } = check;
    if (message === undefined || variable === undefined) return check;
    const named = nameWithLabel(variable, labels);
    if (named === undefined) return check;
    const labelled = message.replace(variable, () => named);
    headline = headline?.replace(message, () => labelled);
    return { ...check, message: labelled };
  });
  return { ...verdict, checks, ...(headline === undefined ? {} : { headline }) };
}
