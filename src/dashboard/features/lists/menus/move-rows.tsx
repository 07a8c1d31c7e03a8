/** Transfers rows of a list to a team, or back to the user. */
import { Modal, NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import type { ObjectKind } from '../../../../contract/common.ts';
import { objectKeys } from '../../../objects/query-keys.ts';
import { useClient } from '../../../objects/use-client.ts';
import { Form } from '../../../ui/form.tsx';
import { SubmitButtons } from '../../../ui/form-actions.tsx';
import { formatCount } from '../../../ui/numbers.ts';
import { Problem } from '../../../ui/problem.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import classes from './row-forms.module.css';

export interface MoveRowsProps {
  readonly kind: ObjectKind;
  readonly objects: readonly { readonly id: string; readonly name: string }[];
  /** `name(@id)` of the user's teams. */
  readonly teams: readonly string[];
  readonly username: string;
  readonly onClose: () => void;
}

export function MoveRows({ kind, objects, teams, username, onClose }: MoveRowsProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [owner, setOwner] = useState(teams[0] ?? username);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const what = objects.length === 1 ? objects[0]?.name : `${formatCount(objects.length)} objects`;
  const move = async () => {
    setBusy(true);
    const failures: string[] = [];
    for (const { id, name } of objects) {
      const moving = client.moveObject({ params: { objid: id }, body: { owner } });
      const failed = (error: unknown) => failures.push(`${name}: ${ApiError.from(error).message}`);
      await moving.catch(failed);
    }
    await queryClient.invalidateQueries({ queryKey: objectKeys(kind).all });
    setBusy(false);
    setProblem(failures.join(' '));
    if (failures.length > 0) return;
    showToast({ message: `Moved ${what} to ${owner === username ? 'you' : owner}.` });
    onClose();
  };
  return (
    <Modal opened onClose={onClose} size={420} title={`Move ${what}`}>
      <Form className={classes.form} onSubmit={move}>
        <NativeSelect
          label="New owner"
          description="Every member of a team can see and change what it owns. Shares move with an object; what it is made of does not."
          data-autofocus
          data={[...teams, { value: username, label: `${username}, only you` }]}
          value={owner}
          onChange={(event) => setOwner(event.currentTarget.value)}
        />
        {problem !== '' && <Problem>Not moved: {problem}</Problem>}
        <div className={classes.buttons}>
          <SubmitButtons onCancel={onClose} loading={isBusy}>
            Move
          </SubmitButtons>
        </div>
      </Form>
    </Modal>
  );
}
