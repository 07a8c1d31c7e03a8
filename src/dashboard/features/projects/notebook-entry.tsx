/** A text of the notebook, edited and deleted in place. */
import { useState } from 'react';
import type { ProjectEntry } from '../../../contract/project.ts';
import { LazyMarkdown } from '../../ui/lazy-markdown.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { TextButton } from '../../ui/text-button.tsx';
import { NotebookTime } from './notebook-time.tsx';
import classes from './project.module.css';
import type { ProjectWriting } from './use-project.ts';

const MarkdownForm = lazyPart(() => import('../../ui/markdown-form.tsx'), 'MarkdownForm');

export interface NotebookEntryProps {
  readonly entry: ProjectEntry;
  readonly writing: ProjectWriting | null;
}

export function NotebookEntry({ entry, writing }: NotebookEntryProps) {
  const [isEdited, setEdited] = useState(false);
  const { text, version, created_at: at, updated_at: changed } = entry;
  return (
    <li className={classes.item} data-kind="entry">
      <div className={classes.line}>
        <NotebookTime at={at} changed={version > 1 ? changed : undefined} />
        {writing !== null && !isEdited && (
          <span className={classes.tools}>
            <TextButton onClick={() => setEdited(true)}>Edit</TextButton>
            <TextButton onClick={() => void writing.removeEntry(entry)}>Delete</TextButton>
          </span>
        )}
      </div>
      {isEdited && writing !== null ? (
        <MarkdownForm
          label="Entry"
          help="Markdown. Part of every share of this project."
          text={text}
          base={version}
          saveText="Save entry"
          mayBeEmpty={false}
          onSave={(next, base) => writing.saveEntry(entry, next, base as number)}
          onClose={() => setEdited(false)}
        />
      ) : (
        <LazyMarkdown text={text} />
      )}
    </li>
  );
}
