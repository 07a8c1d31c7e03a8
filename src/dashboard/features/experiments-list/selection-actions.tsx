/** What can be done with the experiments that are ticked: compare two to six, share one. */
import { Button, Text } from '@mantine/core';
import { IconLayoutColumns, IconShare3 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { Experiment } from '../../../contract/experiment.ts';

/** More stand not side by side; the page of the comparison says so too. */
const mostCompared = 6;

export interface SelectionActionsProps {
  readonly rows: readonly Experiment[];
  readonly onShare: (experiment: Experiment) => void;
}

export function SelectionActions({ rows, onShare }: SelectionActionsProps) {
  const icon = { size: 16 } as const;
  const [only] = rows.length === 1 ? rows : [];
  const reason =
    rows.length < 2
      ? 'Tick one more to compare'
      : rows.length > mostCompared
        ? `Compare up to ${mostCompared}`
        : null;
  return (
    <>
      {reason === null ? (
        <Button
          size="xs"
          renderRoot={(props: ComponentProps<'a'>) => (
            <Link
              to="/experiments/compare"
              search={{ ids: rows.map((row) => row.short_id).join(',') }}
              {...props}
            />
          )}
          leftSection={<IconLayoutColumns {...icon} />}
        >
          Compare
        </Button>
      ) : (
        <Text component="span" size="xs" c="dimmed">
          {reason}
        </Text>
      )}
      {only !== undefined && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconShare3 {...icon} />}
          onClick={() => onShare(only)}
        >
          Share
        </Button>
      )}
    </>
  );
}
