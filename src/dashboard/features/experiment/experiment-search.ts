/** What the address of an experiment page says; apart from the page, so that the route stays light. */
import * as z from 'zod/mini';
import { textSearch } from '../../ui/list-search.ts';
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

const sorts = /^(model|worst|-?(mean|mcse_mean|sd|median|q5|q95|rhat|ess_bulk|ess_tail))$/;

/** The schema of both the owner's page and the snapshot; each opens with its own tab. A bad value falls back. */
export function experimentSearchSchema(tab: ExperimentTab) {
  return z.object({
    tab: z.catch(z._default(z.enum(experimentTabs), tab), tab),
    q: textSearch,
    order: z.catch(z._default(z.enum(['worst', 'model']), 'worst'), 'worst'),
    sort: z.catch(z._default(z.custom<SummarySort>(isSort), 'model'), 'model'),
    selected: textSearch,
  });
}

function isSort(value: unknown): boolean {
  return typeof value === 'string' && sorts.test(value);
}
