/** A run in the notebook: its verdict in one line, the changes from the run before it, and its note. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Experiment } from '../../../contract/experiment.ts';
import { changeText, type NotebookItem, type RunChange } from '../../../formats/notebook.ts';
import { counted } from '../../../posterior/verdict-label.ts';
import { isLiveStatus } from '../../objects/live-status.ts';
import type { Saving } from '../../objects/run-note.ts';
import { LazyMarkdown } from '../../ui/lazy-markdown.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { TextButton } from '../../ui/text-button.tsx';
import { StatusBadge } from '../status/status-badge.tsx';
import { VerdictMark } from '../status/verdict-mark.tsx';
import { NotebookTime } from './notebook-time.tsx';
import classes from './project.module.css';

const MarkdownForm = lazyPart(() => import('../../ui/markdown-form.tsx'), 'MarkdownForm');

export interface NotebookRunProps {
  readonly item: Extract<NotebookItem<Experiment>, { kind: 'run' }>;
  /** Its page; null: it has none. */
  readonly path: string | null;
  /** The reader has the live objects, so what differs can be looked at. */
  readonly isOwn: boolean;
  /** Absent for users who can only read. */
  readonly onSave?: (run: Experiment, text: string, base: string) => Promise<Saving<string>>;
}

export function NotebookRun({ item, path, isOwn, onSave }: NotebookRunProps) {
  const { run, at } = item;
  const { short_id: id, name, n_chains: chains, n_samples: draws } = run;
  const facts = [
    versioned('model', run.model_name, run.meta?.model_version),
    versioned('data', run.meta?.data_name, run.meta?.data_version),
    chains > 0 ? drawsText(chains, draws, isLiveStatus(run.status)) : '',
  ].filter((fact) => fact !== '');
  return (
    <li className={classes.item} data-kind="run">
      <div className={classes.line}>
        <NotebookTime at={at} />
      </div>
      <h3 className={classes.runName}>
        {path === null ? name || id : <Link to={path}>{name || id}</Link>}
      </h3>
      <div className={classes.verdict}>
        {run.status !== 'FIN' && <StatusBadge experiment={run} />}
        {run.status !== 'NEW' && <VerdictMark experiment={run} />}
      </div>
      <p className={classes.dim}>{facts.join(' · ')}</p>
      <Changes item={item} isOwn={isOwn} />
      <RunNote run={run} onSave={onSave} />
    </li>
  );
}

function drawsText(chains: number, draws: number, isLive: boolean): string {
  if (draws === 0) return isLive ? 'no draws yet' : 'no draws';
  return `${counted(chains, 'chain')} of ${counted(draws, 'draw')}`;
}

function versioned(
  kind: string,
  name: string | null | undefined,
  version: number | null | undefined,
): string {
  if (!name) return '';
  return version ? `${kind} ${name} v${version}` : `${kind} ${name}`;
}

function Changes({ item, isOwn }: Pick<NotebookRunProps, 'item' | 'isOwn'>) {
  const { run, previous, changes } = item;
  if (previous === null) return null;
  if (changes.length === 0)
    return <p className={classes.dim}>No recorded change since the previous run.</p>;
  return (
    <ul className={classes.changes} aria-label="Changed since the previous run">
      {changes.map((change) => (
        <li key={`${change.what} ${change.name}`}>
          <Change change={change} run={run} previous={previous} isOwn={isOwn} />
        </li>
      ))}
    </ul>
  );
}

interface ChangeProps {
  readonly change: RunChange;
  readonly run: Experiment;
  readonly previous: Experiment;
  readonly isOwn: boolean;
}

/** A changed program links to its comparison. */
function Change({ change, run, previous, isOwn }: ChangeProps) {
  const text = changeText(change);
  const { model_id: modelId } = run;
  if (isOwn && change.what === 'program' && modelId)
    return (
      <Link
        to="/models/$modelId"
        params={{ modelId }}
        search={{
          tab: 'versions',
          version: String(run.meta?.model_version),
          against: String(previous.meta?.model_version),
        }}
        title="See what changed in the program"
      >
        {text}
      </Link>
    );
  if (isOwn && change.what === 'model')
    return (
      <Link
        to="/experiments/compare"
        search={{ ids: `${previous.short_id},${run.short_id}` }}
        title="Compare both runs"
      >
        {text}
      </Link>
    );
  return text;
}

function RunNote({
  run,
  onSave,
}: {
  readonly run: Experiment;
  onSave: NotebookRunProps['onSave'];
}) {
  const [isEdited, setEdited] = useState(false);
  const note = run.meta?.note ?? '';
  if (isEdited && onSave !== undefined)
    return (
      <MarkdownForm
        label={`Note on ${run.name || run.short_id}`}
        help="Markdown. The note of the run, wherever it is shown; shared only if you include it."
        text={note}
        base={note}
        saveText="Save note"
        onSave={(text, base) => onSave(run, text, base as string)}
        onClose={() => setEdited(false)}
      />
    );
  return (
    <>
      {note !== '' && <LazyMarkdown text={note} />}
      {onSave !== undefined && (
        <p className={classes.tools}>
          <TextButton onClick={() => setEdited(true)}>
            {note === '' ? 'Write a note' : 'Edit note'}
          </TextButton>
        </p>
      )}
    </>
  );
}
