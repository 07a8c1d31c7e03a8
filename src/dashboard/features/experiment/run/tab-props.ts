/** What the tabs with plots and numbers get from the experiment page; some need only a part of it. */
import type { ChainFocus } from './chain-strip.tsx';
import type { ExperimentSearch } from './experiment-search.ts';
import type { ChosenVariables } from './remembered-variables.ts';
import type { LiveExperiment } from './use-live-experiment.ts';

export interface TabProps {
  readonly live: LiveExperiment;
  readonly focus: ChainFocus;
  /** What the tabs plot. */
  readonly choice: ChosenVariables;
  readonly search: ExperimentSearch;
  readonly onSearchChange: (change: Partial<ExperimentSearch>) => void;
}
