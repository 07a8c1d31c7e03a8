/** The way from a finished run to other generated quantities of its draws. */
import { Menu } from '@mantine/core';
import { IconVariablePlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { Experiment } from '../../../../contract/experiment.ts';
import { isProgramRun } from '../run/run-facts.ts';

/** The model's files beside a run panel that reads the draws of this run; null where there are none, or no program of ours. */
export function quantitiesLink(experiment: Experiment) {
  const { model_id: modelId, input, short_id: from, n_samples: draws, meta } = experiment;
  if (!modelId || draws === 0 || !meta?.settings || isProgramRun(experiment)) return null;
  return {
    to: '/models/$modelId',
    params: { modelId },
    search: { from, data: input ?? '' },
  } as const;
}

/** Opens the program to be edited, and the run panel set to read the draws of this run. */
export function NewQuantities({ experiment }: { experiment: Experiment }) {
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
