/** What the address of an experiment page says; apart from the page, so that the route stays light. */
import type { SummarySort } from './summary-columns.ts';
import type { VariableOrder } from './variable-groups.ts';

export const experimentTabs = ['traces', 'summary', 'logs', 'files'] as const;
export type ExperimentTab = (typeof experimentTabs)[number];

/** What the address says about the page. */
export interface ExperimentSearch {
  readonly tab: ExperimentTab;
  readonly q: string;
  readonly order: VariableOrder;
  readonly sort: SummarySort;
  readonly selected: string;
}
