/** The history of a project: its runs with verdict, changes and notes, and the texts between them, by time. */
import { Button } from '@mantine/core';
import { IconPencilPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Experiment } from '../../../contract/experiment.ts';
import type { ProjectEntry } from '../../../contract/project.ts';
import { notebookItems } from '../../../formats/notebook.ts';
import { LazyMarkdown } from '../../ui/lazy-markdown.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Note } from '../../ui/note.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { NotebookRun } from './notebook-run.tsx';
import { NotebookTime } from './notebook-time.tsx';
import classes from './project.module.css';
import type { ProjectWriting } from './use-project.ts';

const MarkdownForm = lazyPart(() => import('../../ui/markdown-form.tsx'), 'MarkdownForm');

export interface NotebookProps {
  readonly runs: readonly Experiment[];
  readonly entries: readonly ProjectEntry[];
  /** Null for users who can only read. */
  readonly writing: ProjectWriting | null;
  /** Address of the run's page; null: it has none. */
  readonly pathOf?: (run: Experiment) => string | null;
}

const ownPath = ({ short_id: id }: Experiment) => `/experiments/${id}`;

export function Notebook({ runs, entries, writing, pathOf = ownPath }: NotebookProps) {
  const items = notebookItems(runs, entries);
  return (
    <section className={classes.notebook} aria-labelledby="notebook">
      <h2 id="notebook">Notebook</h2>
      {items.length === 0 && (
        <Note>
          {writing === null
            ? 'The notebook is empty.'
            : 'Runs that you add appear here in order of time, with their verdicts and what each changed. Between them, write down what you decided, and why.'}
        </Note>
      )}
      <ol>
        {items.map((item) =>
          item.kind === 'run' ? (
            <NotebookRun
              key={item.run.short_id}
              item={item}
              path={pathOf(item.run)}
              isOwn={writing !== null}
              onSave={writing?.saveRunNote}
            />
          ) : (
            <NotebookEntry key={item.entry.id} entry={item.entry} writing={writing} />
          ),
        )}
      </ol>
      {writing !== null && <Composer onAdd={writing.addEntry} />}
    </section>
  );
}

function Composer({ onAdd }: { readonly onAdd: ProjectWriting['addEntry'] }) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <Button leftSection={<IconPencilPlus size={16} />} onClick={() => setOpen(true)}>
        Write an entry
      </Button>
    );
  return (
    <MarkdownForm
      label="New entry"
      help="Markdown. Shown in the notebook at the time it was written."
      text=""
      base={0}
      saveText="Add entry"
      mayBeEmpty={false}
      onSave={(text) => onAdd(text)}
      onClose={() => setOpen(false)}
    />
  );
}

interface NotebookEntryProps {
  readonly entry: ProjectEntry;
  readonly writing: ProjectWriting | null;
}

/** A text of the notebook, edited and deleted in place. */
function NotebookEntry({ entry, writing }: NotebookEntryProps) {
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
