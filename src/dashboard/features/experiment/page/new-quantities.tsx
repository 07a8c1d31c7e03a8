/** The run menu's items about its program: other generated quantities, and the log density at a point. */
import { Menu } from '@mantine/core';
import { IconMathFunction, IconVariablePlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { Experiment } from '../../../../contract/experiment.ts';
import { useCapability } from '../../../objects/use-config.ts';
import { isProgramRun } from '../run/run-facts.ts';

/** The model's files with a run panel that reads this run's draws; null if it has none or is not from our engine. */
export function quantitiesLink(experiment: Experiment) {
  const { model_id: modelId, input, short_id: from, n_samples: draws, meta } = experiment;
  if (!modelId || draws === 0 || !meta?.settings || isProgramRun(experiment)) return null;
  return {
    to: '/models/$modelId',
    params: { modelId },
    search: { from, data: input ?? '' },
  } as const;
}

export interface ProgramItemsProps {
  readonly experiment: Experiment;
  readonly onLogDensity: () => void;
}

export function ProgramItems({ experiment, onLogDensity }: ProgramItemsProps) {
  const hasDensity = useCapability('log_density');
  const hasProgram = Boolean(experiment.meta?.settings) && !isProgramRun(experiment);
  return (
    <>
      <NewQuantities experiment={experiment} />
      {hasProgram && hasDensity && (
        <Menu.Item leftSection={<IconMathFunction size={16} />} onClick={onLogDensity}>
          Log density at a point
        </Menu.Item>
      )}
    </>
  );
}

/** Opens the program in the editor, with the run panel set to read the draws of this run. */
function NewQuantities({ experiment }: { experiment: Experiment }) {
  const link = quantitiesLink(experiment);
  if (link === null) return null;
  return (
    <Menu.Item
      renderRoot={(props: ComponentProps<'a'>) => <Link {...link} {...props} />}
      leftSection={<IconVariablePlus size={16} />}
      title="Edit the generated quantities and compute them at the draws of this run"
    >
      New quantities
    </Menu.Item>
  );
}
