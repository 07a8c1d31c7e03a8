/** Notes on a run in Markdown: shown under its verdict, written in the same place. */
import { useQueryClient } from '@tanstack/react-query';
import { objectKeys } from '../../../objects/query-keys.ts';
import { saveRunNote } from '../../../objects/run-note.ts';
import { useClient } from '../../../objects/use-client.ts';
import { Card } from '../../../ui/card.tsx';
import { LazyMarkdown } from '../../../ui/lazy-markdown.tsx';
import { MarkdownForm } from '../../../ui/markdown-form.tsx';
import { TextButton } from '../../../ui/text-button.tsx';
import classes from './run-note.module.css';

export interface RunNoteProps {
  readonly id: string;
  readonly note: string;
  readonly isEdited: boolean;
  /** Absent for readers without write access. */
  readonly onEdit?: () => void;
  readonly onClose: () => void;
}

export function RunNote({ id, note, isEdited, onEdit, onClose }: RunNoteProps) {
  if (isEdited && onEdit !== undefined) return <NoteForm id={id} note={note} onClose={onClose} />;
  if (note === '') return null;
  return (
    <Card className={classes.note} aria-label="Notes">
      <LazyMarkdown text={note} />
      {onEdit !== undefined && <TextButton onClick={onEdit}>Edit notes</TextButton>}
    </Card>
  );
}

function NoteForm({ id, note, onClose }: Pick<RunNoteProps, 'id' | 'note' | 'onClose'>) {
  const client = useClient();
  const queryClient = useQueryClient();
  const save = async (text: string, base: string) => {
    const saving = await saveRunNote(client, id, { text, base });
    if (saving.kind !== 'saved') return saving;
    // Its draws and log stay valid: only the note has changed.
    const { lists, detail } = objectKeys('experiment');
    await queryClient.invalidateQueries({ queryKey: detail(id), exact: true });
    void queryClient.invalidateQueries({ queryKey: lists });
    return saving;
  };
  return (
    <MarkdownForm
      label="Notes"
      help="Markdown. Stored with this experiment; shared only if you include them."
      text={note}
      base={note}
      saveText="Save notes"
      onSave={save}
      onClose={onClose}
    />
  );
}
