/** Actions on the ticked experiments: compare two to six. */
import { Text } from '@mantine/core';
import { IconLayoutColumns } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { Experiment } from '../../../contract/experiment.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { usePageAction } from '../../ui/page-actions.ts';

/** No more fit side by side; the comparison page says so too. */
const mostCompared = 6;

export interface SelectionActionsProps {
  readonly rows: readonly Experiment[];
}

export function SelectionActions({ rows }: SelectionActionsProps) {
  const reason =
    rows.length < 2
      ? 'Tick one more to compare'
      : rows.length > mostCompared
        ? `Compare up to ${mostCompared}`
        : null;
  const navigate = useNavigate();
  const ids = rows.map((row) => row.short_id).join(',');
  usePageAction(
    { label: `Compare the ${rows.length} selected`, detail: 'side by side', keys: [] },
    reason === null ? () => void navigate({ to: '/experiments/compare', search: { ids } }) : null,
  );
  return (
    <>
      {reason === null ? (
        <LinkButton
          variant="filled"
          size="xs"
          to="/experiments/compare"
          search={{ ids }}
          leftSection={<IconLayoutColumns size={16} />}
        >
          Compare
        </LinkButton>
      ) : (
        <Text component="span" size="xs" c="dimmed">
          {reason}
        </Text>
      )}
    </>
  );
}
