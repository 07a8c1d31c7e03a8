/** Continues a run that has ended: asks how many more draws per chain, then resumes it. */
import { Button, Popover } from '@mantine/core';
import { IconPlayerTrackNext } from '@tabler/icons-react';
import { useState } from 'react';
import type { Experiment } from '../../../../contract/experiment.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { drawsAsked } from '../run/run-facts.ts';

const DrawsForm = lazyPart(
  () => import('./draws-form.tsx'),
  'DrawsForm',
  <p role="status">Opening…</p>,
);

export interface MoreDrawsProps {
  readonly experiment: Experiment;
  readonly onExtend: (draws: number) => Promise<boolean>;
}

export function MoreDraws({ experiment, onExtend }: MoreDrawsProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={240}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button leftSection={<IconPlayerTrackNext size={16} />} onClick={() => setOpened(!opened)}>
          More draws
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <DrawsForm
          asRun={drawsAsked(experiment)}
          onExtend={onExtend}
          onDone={() => setOpened(false)}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
