/** Opens the labels of dimensions, if the run has arrays. */
import { Button } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useState } from 'react';
import { elementOf } from '../../../../posterior/variable-kinds.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';

const LabelsDialog = lazyPart(() => import('./labels-dialog.tsx'), 'LabelsDialog');

export function LabelsButton({ live }: { live: LiveExperiment }) {
  const [isOpen, setOpen] = useState(false);
  if (live.summary?.variables.some(({ variable }) => elementOf(variable)) !== true) return null;
  return (
    <>
      <Button
        leftSection={<IconTag size={16} />}
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
      >
        Labels
      </Button>
      {isOpen && <LabelsDialog live={live} onClose={() => setOpen(false)} />}
    </>
  );
}
