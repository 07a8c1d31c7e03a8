/** The less frequent actions on an experiment, in the three-dot menu. */
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { lazyPart } from '../../../ui/lazy-part.ts';
import type { MoreActionsProps } from './more-items.tsx';

const MoreItems = lazyPart(() => import('./more-items.tsx'), 'MoreItems');
const LogDensityDialog = lazyPart(() => import('./log-density-dialog.tsx'), 'LogDensityDialog');

export function MoreActions(props: MoreActionsProps) {
  const { experiment } = props;
  const [isDensityOpen, setDensityOpen] = useState(false);
  return (
    <>
      {/* What it opens takes the focus, so focus must not return to the dots. */}
      <Menu returnFocus={false}>
        <Menu.Target>
          <ActionIcon variant="default" aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MoreItems {...props} onLogDensity={() => setDensityOpen(true)} />
        </Menu.Dropdown>
      </Menu>
      {isDensityOpen && experiment !== null && (
        <LogDensityDialog experiment={experiment} onClose={() => setDensityOpen(false)} />
      )}
    </>
  );
}
