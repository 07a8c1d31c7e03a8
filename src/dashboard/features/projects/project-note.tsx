/** What a project is about, in Markdown, edited in place. */
import type { Project } from '../../../contract/project.ts';
import type { Saving } from '../../objects/run-note.ts';
import { Card } from '../../ui/card.tsx';
import { LazyMarkdown } from '../../ui/lazy-markdown.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { TextButton } from '../../ui/text-button.tsx';
import classes from './project.module.css';

const MarkdownForm = lazyPart(() => import('../../ui/markdown-form.tsx'), 'MarkdownForm');

export interface ProjectNoteProps {
  readonly project: Project;
  readonly isEdited?: boolean;
  /** Absent for users who can only read. */
  readonly onEdit?: (isEdited: boolean) => void;
  readonly onSave?: (text: string, base: number) => Promise<Saving<number>>;
}

export function ProjectNote({ project, isEdited, onEdit, onSave }: ProjectNoteProps) {
  const { note, version } = project;
  if (isEdited && onSave !== undefined)
    return (
      <MarkdownForm
        label="Note"
        help="Markdown. Part of every share of this project."
        text={note}
        base={version}
        saveText="Save note"
        onSave={(text, base) => onSave(text, base as number)}
        onClose={() => onEdit?.(false)}
      />
    );
  if (note === '') return null;
  return (
    <Card className={classes.note} aria-label="Note">
      <LazyMarkdown text={note} />
      {onEdit !== undefined && (
        <span className={classes.tools}>
          <TextButton onClick={() => onEdit(true)}>Edit note</TextButton>
        </span>
      )}
    </Card>
  );
}
