/** Notes on a run in Markdown: shown under its verdict, written in the same place. */
import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { Suspense, useState } from 'react';
import { Card } from '../../../ui/card.tsx';
import { FormActions } from '../../../ui/form-actions.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { TextButton } from '../../../ui/text-button.tsx';
import classes from './run-note.module.css';

const Markdown = lazyPart(() => import('../../../ui/markdown.tsx'), 'Markdown');

export interface RunNoteProps {
  readonly note: string;
  readonly isEdited: boolean;
  /** Absent for those who only read. */
  readonly onEdit?: () => void;
  /** True once the server has it. */
  readonly onSave?: (note: string) => Promise<boolean>;
  readonly onClose: () => void;
}

export function RunNote({ note, isEdited, onEdit, onSave, onClose }: RunNoteProps) {
  if (isEdited && onSave !== undefined)
    return <NoteForm note={note} onSave={onSave} onClose={onClose} />;
  if (note === '') return null;
  return (
    <Card className={classes.note} aria-label="Notes">
      <Suspense fallback={<p className={classes.plain}>{note}</p>}>
        <Markdown text={note} />
      </Suspense>
      {onEdit !== undefined && <TextButton onClick={onEdit}>Edit notes</TextButton>}
    </Card>
  );
}

function NoteForm({
  note,
  onSave,
  onClose,
}: Required<Pick<RunNoteProps, 'note' | 'onSave' | 'onClose'>>) {
  const [text, setText] = useState(note);
  const [view, setView] = useState('write');
  const [isBusy, setBusy] = useState(false);
  const save = () => {
    setBusy(true);
    void onSave(text.trim()).then((isSaved) => {
      setBusy(false);
      if (isSaved) onClose();
    });
  };
  return (
    <Card className={classes.form} aria-label="Notes">
      <SegmentedControl
        size="xs"
        aria-label="Notes as"
        value={view}
        onChange={setView}
        data={[
          { value: 'write', label: 'Write' },
          { value: 'preview', label: 'Preview' },
        ]}
      />
      {view === 'write' ? (
        <Textarea
          aria-label="Notes in Markdown"
          description="Markdown. Stored with this experiment; shared only if you include them."
          inputWrapperOrder={['input', 'description']}
          autosize
          autoFocus
          minRows={4}
          maxRows={16}
          maxLength={20_000}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      ) : (
        <Suspense fallback={<p className={classes.plain}>{text}</p>}>
          <Markdown text={text} />
        </Suspense>
      )}
      <FormActions>
        <Button loading={isBusy} onClick={save}>
          Save notes
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </FormActions>
    </Card>
  );
}
