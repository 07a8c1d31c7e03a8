/** Makes an ended run longer: how many more draws per chain, and on it goes. */
import { Button, NumberInput, Popover } from '@mantine/core';
import { IconPlayerTrackNext } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Experiment } from '../../../../contract/experiment.ts';
import { drawsAsked } from '../run/run-facts.ts';

export interface MoreDrawsProps {
  readonly experiment: Experiment;
  readonly onExtend: (draws: number) => Promise<boolean>;
}

/** What the server takes at once. */
const mostDraws = 1e8;

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
        <Button
          variant="default"
          leftSection={<IconPlayerTrackNext size={16} />}
          onClick={() => setOpened(!opened)}
        >
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

interface DrawsFormProps {
  readonly asRun: number;
  readonly onExtend: MoreDrawsProps['onExtend'];
  readonly onDone: () => void;
}

function DrawsForm({ asRun, onExtend, onDone }: DrawsFormProps) {
  const [draws, setDraws] = useState<number | string>(asRun);
  const [busy, setBusy] = useState(false);
  const trouble = troubleOf(draws);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (trouble !== null || busy) return;
    setBusy(true);
    void onExtend(Number(draws))
      .then((started) => started && onDone())
      .finally(() => setBusy(false));
  };
  return (
    <form onSubmit={submit} noValidate>
      <NumberInput
        label="More draws per chain"
        data-autofocus
        value={draws}
        onChange={setDraws}
        error={trouble}
        mb={12}
      />
      <Button type="submit" fullWidth loading={busy} disabled={trouble !== null}>
        Continue sampling
      </Button>
    </form>
  );
}

/** Why this number of draws cannot be requested; null: it can. */
function troubleOf(draws: number | string): string | null {
  const wanted = draws === '' ? Number.NaN : Number(draws);
  if (!Number.isInteger(wanted) || wanted < 1) return 'Enter a whole number above 0.';
  return wanted > mostDraws ? 'At most 100 million at once.' : null;
}
