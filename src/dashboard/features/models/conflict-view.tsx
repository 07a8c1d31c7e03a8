/** Two conflicting saves: theirs and mine side by side, a choice per file, nothing lost. */
import { ActionIcon, Button, useComputedColorScheme } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCopy, IconDeviceFloppy } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Model } from '../../../contract/model.ts';
import type { DiffPlaces } from '../../editor/diff-view.tsx';
import { toContent } from '../../editor/file-tree.ts';
import { DiffView } from '../../editor/lazy-editor.ts';
import {
  type Choice,
  defaultChoices,
  type FileDifference,
  textOf,
} from '../../editor/merge-trees.ts';
import { useAction } from '../../objects/use-action.ts';
import { FileIcon } from '../../ui/file-icon.tsx';
import { formatBytes } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './conflict-view.module.css';
import type { Conflict, EditSession } from './edit-session.ts';

export interface ConflictViewProps {
  readonly session: EditSession;
  readonly model: Model;
  readonly conflict: Conflict;
  readonly onOpenModel: (modelId: string) => void;
}

const changedText = {
  both: 'both changed',
  mine: 'only mine changed',
  theirs: 'only theirs changed',
};

export function ConflictView(props: ConflictViewProps) {
  const { session, conflict } = props;
  const { theirs, differences } = conflict;
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(() =>
    defaultChoices(differences),
  );
  const [path, setPath] = useState(
    () => (differences.find(({ changedBy }) => changedBy === 'both') ?? differences[0])?.path ?? '',
  );
  const open = differences.find((difference) => difference.path === path);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <ConflictHead {...props} choices={choices} />
      </div>
      <FileList differences={differences} choices={choices} path={path} onPath={setPath} />
      {open !== undefined && (
        <OpenFile
          key={open.path}
          difference={open}
          choice={choices.get(open.path)}
          theirs={theirs}
          version={session.snapshot().version}
          onChoose={(choice) => setChoices(new Map(choices).set(open.path, choice))}
        />
      )}
    </div>
  );
}

interface ConflictHeadProps extends ConflictViewProps {
  readonly choices: ReadonlyMap<string, Choice>;
}

/** What happened, what is still to be chosen, and the ways out. */
function ConflictHead({ session, model, conflict, choices, onOpenModel }: ConflictHeadProps) {
  const { theirs, differences } = conflict;
  const { version, saving } = session.snapshot();
  const undecided = differences.filter((difference) => !choices.has(difference.path)).length;
  const saveCopy = useAction(
    async (client) => {
      const payload = {
        object_type: 'model' as const,
        name: `${model.name || model.short_id} (mine)`,
        content: toContent(session.snapshot().tree),
      };
      return expectKind(await client.createObject({ body: { payload } }), 'model');
    },
    { failed: 'Not saved', onDone: (made) => onOpenModel(made.short_id) },
  );
  return (
    <PageHead
      title={
        theirs.version === undefined || version === undefined
          ? 'The model was saved elsewhere while you were editing'
          : `v${theirs.version} was saved while you were editing v${version}`
      }
      facts={[
        'Nothing is lost: your draft stays in this browser until you choose.',
        <strong key="left">{undecidedText(undecided)}</strong>,
      ]}
      actions={
        <>
          <Button onClick={() => session.leaveConflict()}>Keep editing</Button>
          <Button leftSection={<IconCopy size={16} />} onClick={() => void saveCopy.run()}>
            Save mine as a new model
          </Button>
          <Button
            variant="filled"
            leftSection={<IconDeviceFloppy size={16} />}
            disabled={undecided > 0}
            loading={saving}
            onClick={() => void session.resolveConflict(choices)}
          >
            {theirs.version === undefined ? 'Save' : `Save as v${theirs.version + 1}`}
          </Button>
        </>
      }
    />
  );
}

function undecidedText(count: number): string {
  if (count === 0) return 'Every file has a choice.';
  return count === 1 ? '1 file still needs a choice.' : `${count} files still need a choice.`;
}

interface FileListProps {
  readonly differences: readonly FileDifference[];
  readonly choices: ReadonlyMap<string, Choice>;
  readonly path: string;
  readonly onPath: (path: string) => void;
}

function FileList({ differences, choices, path: shown, onPath }: FileListProps) {
  return (
    <nav className={classes.files} aria-label="Files that differ">
      <h2>Files that differ</h2>
      <ul>
        {differences.map(({ path, changedBy }) => (
          <li key={path}>
            <button
              type="button"
              aria-current={path === shown || undefined}
              onClick={() => onPath(path)}
            >
              <FileIcon name={path} />
              <span className={classes.path}>{path}</span>
              <span className={classes.changed}>{changedText[changedBy]}</span>
              <span className={classes.choice} data-open={!choices.has(path) || undefined}>
                {choiceText(choices.get(path))}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface OpenFileProps {
  readonly difference: FileDifference;
  readonly choice: Choice | undefined;
  readonly theirs: Model;
  /** The version that was edited; undefined if the server does not count versions. */
  readonly version: number | undefined;
  readonly onChoose: (choice: Choice) => void;
}

/** One file, both sides, and the choice between them. */
function OpenFile({ difference, choice, theirs, version, onChoose }: OpenFileProps) {
  const scheme = useComputedColorScheme('light');
  return (
    <section className={classes.file} aria-label={difference.path}>
      <header>
        <Side
          letter="T"
          title={theirs.version === undefined ? 'Theirs' : `Theirs, v${theirs.version}`}
          note={<RelativeTime date={theirs.updated_at} />}
        >
          <Button size="xs" aria-pressed={choice === 'theirs'} onClick={() => onChoose('theirs')}>
            {difference.theirs === null ? 'Leave it out' : 'Take theirs'}
          </Button>
        </Side>
        <Side
          letter="M"
          title={version === undefined ? 'Mine' : `Mine, from v${version}`}
          note="edit here to merge"
        >
          <Button size="xs" aria-pressed={choice === 'mine'} onClick={() => onChoose('mine')}>
            {difference.mine === null ? 'Leave it out' : 'Keep mine'}
          </Button>
        </Side>
      </header>
      <FileDiff
        difference={difference}
        choice={choice}
        scheme={scheme}
        onMerge={(merged) => onChoose({ merged })}
      />
    </section>
  );
}

function choiceText(choice: Choice | undefined): string {
  if (choice === undefined) return 'Choose';
  if (choice === 'mine') return 'Mine kept';
  return choice === 'theirs' ? 'Theirs taken' : 'Merged';
}

interface SideProps {
  readonly letter: 'T' | 'M';
  readonly title: string;
  readonly note: React.ReactNode;
  readonly children: React.ReactNode;
}

function Side({ letter, title, note, children }: SideProps) {
  return (
    <div className={classes.side} data-side={letter}>
      <b aria-hidden="true">{letter}</b>
      <strong>{title}</strong>
      <span>{note}</span>
      {children}
    </div>
  );
}

interface FileDiffProps {
  readonly difference: FileDifference;
  readonly choice: Choice | undefined;
  readonly scheme: 'light' | 'dark';
  readonly onMerge: (text: string) => void;
}

function FileDiff({ difference, choice, scheme, onMerge }: FileDiffProps) {
  const [theirs, mine] = [textOf(difference.theirs), textOf(difference.mine)];
  const [start] = useState(() => (typeof choice === 'object' ? choice.merged : mine));
  const [places, setPlaces] = useState<DiffPlaces | null>(null);
  if (theirs === null || mine === null || start === null) {
    const size = (bytes: Uint8Array | null) =>
      bytes === null ? 'does not exist' : formatBytes(bytes.length);
    return (
      <p className={classes.binary}>
        A binary file: theirs {size(difference.theirs)}, mine {size(difference.mine)}.
      </p>
    );
  }
  return (
    <>
      {places !== null && <Places {...places} />}
      <div className={classes.diff}>
        <Suspense>
          <DiffView
            path={difference.path}
            theirs={theirs}
            mine={start}
            scheme={scheme}
            onEdit={onMerge}
            onPlaces={setPlaces}
          />
        </Suspense>
      </div>
    </>
  );
}

/** "2 differences", and buttons to step through them. */
function Places({ count, go }: DiffPlaces) {
  return (
    <div className={classes.places}>
      <span aria-live="polite">
        {count === 0 ? 'No differences' : count === 1 ? '1 difference' : `${count} differences`}
      </span>
      <ActionIcon
        color="accent"
        aria-label="Previous difference"
        disabled={count === 0}
        onClick={() => go('previous')}
      >
        <IconArrowUp size={16} />
      </ActionIcon>
      <ActionIcon
        color="accent"
        aria-label="Next difference"
        disabled={count === 0}
        onClick={() => go('next')}
      >
        <IconArrowDown size={16} />
      </ActionIcon>
    </div>
  );
}
