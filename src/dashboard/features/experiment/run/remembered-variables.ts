/** The variables last chosen for a model, remembered by this browser, and those that a share was created with. */
import { useState } from 'react';
import type { Experiment } from '../../../../contract/experiment.ts';
import { isText, readStoredList, writeStoredList } from '../../../ui/stored-list.ts';

const keyOf = ({ model_id, model_name }: Experiment) =>
  `ergodic.variables.${model_id || model_name}`;

/** A choice as written in the address; empty: none was made. */
export function rememberedVariables(experiment: Experiment): readonly string[] {
  return readStoredList(keyOf(experiment), isText);
}

/** Which variables the plots of a page show. */
export interface ChosenVariables {
  /** A choice as written in the address: names, and names of entire arrays; empty: the default. */
  readonly vars: readonly string[];
  /** The initial choice of a snapshot; the address need not repeat it. Empty: the default. */
  readonly opening: readonly string[];
  /** What is shown without a choice in the address. */
  readonly usual: readonly string[];
  readonly onChoose: (written: readonly string[]) => void;
}

/**
 * The choice in the address; otherwise, on the owner's page, the last one for the model, and in a snapshot what its
 * owner saw. A choice in a snapshot is stored only in the address.
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
        writeStoredList(keyOf(experiment), written);
        setRemembered(written);
      }
      onChange(written);
    },
  };
}
