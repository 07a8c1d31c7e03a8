/** Fires an event by hand, and reports what that called. */
import { Button, TextInput } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { useState } from 'react';
import type { FunctionRun } from '../../../contract/relations.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { Form } from '../../ui/form.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Problem } from '../../ui/problem.tsx';
import { JsonBox } from '../relations/json-box.tsx';
import { findJsonFault } from '../relations/json-place.ts';
import classes from './events.module.css';

export interface FireFormProps {
  readonly id: string;
  /** The calls known beforehand. */
  readonly runs: readonly FunctionRun[] | undefined;
}

export function FireForm({ id, runs }: FireFormProps) {
  const [params, setParams] = useState('');
  const [lockKey, setLockKey] = useState('');
  const [message, setMessage] = useState<string | null>(null);
  const isJson = params.trim() === '' || findJsonFault(params) === null;
  const { run, isBusy, problem } = useAction(
    async (client) => {
      setMessage(null);
      const payload = { object_type: 'event' as const, params, lock_key: lockKey };
      const answer = await client.updateObject({ params: { objid: id }, body: { payload } });
      setMessage(firedText(runs, answer !== null && 'runs' in answer ? answer.runs : undefined));
    },
    { changes: [objectKeys('event').detail(id)] },
  );
  return (
    <Form
      className={classes.form}
      aria-label="Fire this event"
      onSubmit={() => {
        if (isJson) void run();
      }}
    >
      <JsonBox
        label="Parameters"
        description="JSON passed to each call."
        minRows={2}
        value={params}
        onChange={setParams}
      />
      <TextInput
        label="Lock key"
        description="Calls with the same key run one at a time. Leave empty for no lock."
        value={lockKey}
        onChange={(event) => setLockKey(event.currentTarget.value)}
      />
      <FormActions tight>
        <Button
          type="submit"
          loading={isBusy}
          disabled={!isJson}
          leftSection={<IconBolt size={16} />}
        >
          Fire event
        </Button>
        <span role="status">{message}</span>
      </FormActions>
      {problem !== null && <Problem>Not fired: {problem}</Problem>}
    </Form>
  );
}

/** "Fired: 2 calls, listed below." */
function firedText(
  before: readonly FunctionRun[] | undefined,
  after: readonly FunctionRun[] | undefined,
): string {
  if (after === undefined) return 'Fired.';
  const known = new Set(before?.map(({ id }) => id));
  const count = after.filter(({ id }) => !known.has(id)).length;
  if (count === 0) return 'Fired. Nothing was called: no relation uses this event.';
  return `Fired: ${count === 1 ? 'one call' : `${count} calls`}, listed below.`;
}
