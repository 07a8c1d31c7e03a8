/** Variables as entries of a select: grouped by their role in the program, found by name and by label. */
import type { SummaryRow } from '../../../../contract/draws.ts';
import {
  inKindOrder,
  kindLabels,
  kindOf,
  variableKinds,
} from '../../../../posterior/variable-kinds.ts';
import { shownName } from '../../../../posterior/variable-labels.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}
interface ChoiceGroup {
  readonly group: string;
  readonly items: Choice[];
}

/** One group per kind; entries without groups if there is only one kind. */
export function variableChoices(rows: readonly SummaryRow[]): (Choice | ChoiceGroup)[] {
  const choiceOf = (row: SummaryRow) => ({ value: row.variable, label: shownName(row) });
  const groups = variableKinds.flatMap((kind) => {
    const items = rows.filter((row) => kindOf(row) === kind).map(choiceOf);
    return items.length === 0 ? [] : [{ group: kindLabels[kind], items }];
  });
  const [only] = groups.length === 1 ? groups : [];
  return only === undefined ? groups : only.items;
}

/** Within each kind the worst R-hat first; what runners report about themselves is left out, except `lp__`. */
export function worstOfEachKind(rows: readonly SummaryRow[]): readonly SummaryRow[] {
  const judged = rows.filter((row) => kindOf(row) !== 'sampler' || row.variable === 'lp__');
  return inKindOrder(judged.toSorted((a, b) => (b.rhat ?? 0) - (a.rhat ?? 0)));
}
