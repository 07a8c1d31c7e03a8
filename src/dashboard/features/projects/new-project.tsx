/** A new project: its name; everything else is done on its page. */
import { Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { expectKind } from '../../../client/expect-kind.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { Form } from '../../ui/form.tsx';
import { FormActions, SubmitButtons } from '../../ui/form-actions.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';

export interface NewProjectProps {
  readonly onMade: (id: string) => void;
  readonly onClose: () => void;
}

export function NewProject({ onMade, onClose }: NewProjectProps) {
  useReturnFocus();
  const [name, setName] = useState('');
  const make = useAction(
    async (client, wanted: string) => {
      const payload = { object_type: 'project', name: wanted } as const;
      return expectKind(await client.createObject({ body: { payload } }), 'project').short_id;
    },
    { changes: [objectKeys('project').lists], onDone: onMade },
  );
  return (
    <Modal opened onClose={onClose} size={420} title="New project">
      <Form
        onSubmit={() => {
          if (name.trim() !== '') void make.run(name.trim());
        }}
      >
        <TextInput
          label="Name"
          description="The question it is about, such as “Does coaching raise test scores?”"
          inputWrapperOrder={['label', 'input', 'description']}
          data-autofocus
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {make.problem !== null && <Problem gap="above">Not created: {make.problem}</Problem>}
        <FormActions end apart>
          <SubmitButtons onCancel={onClose} loading={make.isBusy} disabled={name.trim() === ''}>
            Create project
          </SubmitButtons>
        </FormActions>
      </Form>
    </Modal>
  );
}
