/** The variables that were last chosen for a model, remembered by this browser, and those that a share was made with. */
import { useState } from 'react';
import type { Experiment } from '../../../../contract/experiment.ts';

const keyOf = ({ model_id, model_name }: Experiment) =>
  `ergodic.variables.${model_id || model_name}`;

/** As the address writes a choice; empty: none was made. */
export function rememberedVariables(experiment: Experiment): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(experiment)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
  } catch {
    // No storage, or not what was written: nothing is remembered.
    return [];
  }
}

function remember(experiment: Experiment, written: readonly string[]): void {
  try {
    if (written.length === 0) localStorage.removeItem(keyOf(experiment));
    else localStorage.setItem(keyOf(experiment), JSON.stringify(written));
  } catch {
    // A browser without storage forgets the choice, no more.
  }
}

/** Which variables the plots of a page show. */
export interface ChosenVariables {
  /** As the address writes a choice: names, and names of whole arrays; empty: the usual ones. */
  readonly vars: readonly string[];
  /** With which a snapshot opens; the address need not repeat it. Empty: the usual ones. */
  readonly opening: readonly string[];
  /** What is shown while the address says nothing. */
  readonly usual: readonly string[];
  readonly onChoose: (written: readonly string[]) => void;
}

/**
 * What the address says; else, on the owner's page, the last choice for the model, and in a snapshot what its owner
 * saw. A choice in a snapshot is kept by the address alone.
 */
export function useChosenVariables(
  experiment: Experiment,
  isShare: boolean,
  {
    vars,
    onChange,
  }: { readonly vars: readonly string[]; readonly onChange: (vars: readonly string[]) => void },
): ChosenVariables {
  const [remembered, setRemembered] = useState(() =>
    isShare ? [] : rememberedVariables(experiment),
  );
  const opening = (isShare ? experiment.meta?.shown_variables : null) ?? [];
  const usual = isShare ? opening : remembered;
  return {
    vars: vars.length > 0 ? vars : usual,
    opening,
    usual,
    onChoose: (written) => {
      if (!isShare) {
        remember(experiment, written);
        setRemembered(written);
      }
      onChange(written);
    },
  };
}
