/** How many more draws per chain; loaded when its popover is first opened. */
import { Button, NumberInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';

/** Maximum that the server accepts. */
const mostDraws = 1e8;

interface DrawsFormProps {
  readonly asRun: number;
  readonly onExtend: (draws: number) => Promise<boolean>;
  readonly onDone: () => void;
}

export function DrawsForm({ asRun, onExtend, onDone }: DrawsFormProps) {
  const [draws, setDraws] = useState<number | string>(asRun);
  const [busy, setBusy] = useState(false);
  const trouble = troubleOf(draws);
  const input = useRef<HTMLInputElement>(null);
  // it mounts after the popover has looked for an element to focus
  useEffect(() => input.current?.focus(), []);
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
        ref={input}
        value={draws}
        onChange={setDraws}
        error={trouble}
        mb={12}
      />
      <Button variant="filled" type="submit" fullWidth loading={busy} disabled={trouble !== null}>
        Continue sampling
      </Button>
    </form>
  );
}

/** Why this number of draws cannot be requested; null if it can. */
function troubleOf(draws: number | string): string | null {
  const wanted = draws === '' ? Number.NaN : Number(draws);
  if (!Number.isInteger(wanted) || wanted < 1) return 'Enter a whole number above 0.';
  return wanted > mostDraws ? 'At most 100 million at once.' : null;
}
