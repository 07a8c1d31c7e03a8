/** The tags of a run, in a dialog. */
import { Button, Modal, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { FormActions } from '../../../ui/form-actions.tsx';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';

export interface TagsFormProps {
  readonly tags: readonly string[];
  /** True once the server has stored them. */
  readonly onSave: (tags: readonly string[]) => Promise<boolean>;
  readonly onClose: () => void;
}

export function TagsForm({ tags, onSave, onClose }: TagsFormProps) {
  useReturnFocus();
  const [chosen, setChosen] = useState<readonly string[]>(tags);
  const [isBusy, setBusy] = useState(false);
  const save = () => {
    setBusy(true);
    void onSave(chosen).then((isSaved) => {
      setBusy(false);
      if (isSaved) onClose();
    });
  };
  return (
    <Modal opened onClose={onClose} title="Tags" size="md">
      <TagsInput
        label="Tags of this experiment"
        description="Enter adds a tag."
        data-autofocus
        maxTags={32}
        value={[...chosen]}
        onChange={setChosen}
      />
      <FormActions end>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="filled" loading={isBusy} onClick={save}>
          Save tags
        </Button>
      </FormActions>
    </Modal>
  );
}
