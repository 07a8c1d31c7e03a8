/** Earlier versions of a model: what each changed, its files to read or compare, and how to restore one. */
import { Button, NativeSelect, useComputedColorScheme } from '@mantine/core';
import {
  IconGitCompare,
  IconHistory,
  IconRestore,
  IconShare3,
  type Icon as TablerIcon,
} from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Suspense, useMemo } from 'react';
import type { Model, ModelContent } from '../../../contract/model.ts';
import type { Share } from '../../../contract/share.ts';
import { toContent } from '../../editor/file-tree.ts';
import { DiffView, ReadView } from '../../editor/lazy-editor.ts';
import { textOf } from '../../editor/merge-trees.ts';
import { useClient } from '../../objects/use-client.ts';
import { FileIcon } from '../../ui/file-icon.tsx';
import { formatBytes } from '../../ui/numbers.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { EditSession, EditState } from './edit-session.ts';
import {
  changeSize,
  compareContents,
  type FrozenFile,
  frozenQueryOptions,
  type ModelVersion,
  versionsQueryOptions,
} from './model-versions.ts';
import classes from './versions-tab.module.css';

export interface VersionsSearch {
  /** Number of a version, or id of a share; empty: the newest. */
  readonly version: string;
  /** What it is compared with: another one, `draft`, `none`; empty: the preceding version. */
  readonly against: string;
  readonly file: string;
}

export interface VersionsTabProps {
  readonly model: Model;
  readonly session: EditSession;
  readonly state: EditState;
  /** Live shares of this model, each with frozen files. */
  readonly shares: readonly Share[];
  readonly search: VersionsSearch;
  readonly onSearchChange: (change: Partial<VersionsSearch>) => void;
}

/** For this many versions the size of the change is fetched automatically. */
const measuredVersions = 8;
/** Larger models are measured only when opened. */
const measuredBytes = 2 ** 20;

export default function VersionsTab(props: VersionsTabProps) {
  const client = useClient();
  const { model } = props;
  const list = useQuery(versionsQueryOptions(client, model.short_id, model.version));
  if (list.isPending) return <PageSkeleton />;
  if (list.isError) return <QueryProblem query={list} what="The list of versions" />;
  return <Versions {...props} versions={list.data} />;
}

function Versions(props: VersionsTabProps & { readonly versions: readonly ModelVersion[] }) {
  const { model, shares, search, onSearchChange, versions } = props;
  const names = [...versions.map(({ version }) => String(version)), ...shareIds(shares)];
  const shown = names.includes(search.version) ? search.version : (names[0] ?? '');
  const sizes = useSizes(model, versions);
  const row = (name: string, title: string, facts: React.ReactNode, Icon: TablerIcon) => (
    <li key={name}>
      <button
        type="button"
        aria-current={name === shown || undefined}
        onClick={() => onSearchChange({ version: name, against: '' })}
      >
        <Icon size={16} aria-hidden="true" />
        <span>
          <strong>{title}</strong>
          <span className={classes.facts}>{facts}</span>
        </span>
      </button>
    </li>
  );
  return (
    <div className={classes.tab}>
      <nav className={classes.list} aria-label="Versions">
        <h2>Versions</h2>
        <ul>
          {versions.map(({ version, created_at, note }, index) =>
            row(
              String(version),
              `v${version}${index === 0 ? ', the newest' : ''}`,
              <>
                <RelativeTime date={created_at} />
                {model.owner !== undefined && `, ${model.owner}`}
                {note ? `, ${note}` : ''}
                {sizes.get(version) !== undefined && <span>{sizes.get(version)}</span>}
              </>,
              IconHistory,
            ),
          )}
        </ul>
        {shares.length > 0 && (
          <>
            <h2>Frozen by shares</h2>
            <ul>
              {shares.map((share) =>
                row(
                  share.short_id,
                  share.to_user ? `Shared with ${share.to_user}` : 'Shared by a link',
                  <RelativeTime date={share.created_at} />,
                  IconShare3,
                ),
              )}
            </ul>
          </>
        )}
      </nav>
      {shown === '' ? (
        <p className={classes.note}>The server has no versions of this model yet.</p>
      ) : (
        <Frozen key={shown} {...props} name={shown} names={names} />
      )}
    </div>
  );
}

const shareIds = (shares: readonly Share[]) => shares.map(({ short_id }) => short_id);

/** Size of the change in each version, if both it and the preceding one are small and loaded. */
function useSizes(model: Model, versions: readonly ModelVersion[]): ReadonlyMap<number, string> {
  const client = useClient();
  const isSmall = JSON.stringify(model.content ?? null).length <= measuredBytes;
  const measured = isSmall ? versions.slice(0, measuredVersions) : [];
  const frozen = useQueries({
    queries: measured.map(({ version }) =>
      frozenQueryOptions(client, model.short_id, String(version)),
    ),
  });
  const sizes = new Map<number, string>();
  for (const [index, { version }] of measured.entries()) {
    const [now, before] = [frozen[index]?.data, frozen[index + 1]?.data];
    if (version === versions.at(-1)?.version) sizes.set(version, 'the first');
    else if (now !== undefined && before !== undefined)
      sizes.set(version, changeSize(compareContents(contentOf(before), contentOf(now))));
  }
  return sizes;
}

const contentOf = (model: Model): ModelContent => model.content ?? { tree: [] };

interface FrozenProps extends Omit<VersionsTabProps, 'shares'> {
  readonly name: string;
  readonly names: readonly string[];
}

function Frozen({ model, session, state, search, onSearchChange, name, names }: FrozenProps) {
  const client = useClient();
  const older = names[names.indexOf(name) + 1];
  const hasOlder = older !== undefined && !older.startsWith('S') && !name.startsWith('S');
  const start = hasOlder ? older : name === String(model.version) ? 'none' : 'draft';
  const isKnown = search.against === 'draft' || search.against === 'none';
  const against = isKnown || names.includes(search.against) ? search.against : start;
  const frozen = useQuery(frozenQueryOptions(client, model.short_id, name));
  const isFrozenOther = against !== 'draft' && against !== 'none';
  const other = useQuery({
    ...frozenQueryOptions(client, model.short_id, against),
    enabled: isFrozenOther,
  });
  const draft = useMemo(() => toContent(state.tree), [state.tree]);
  const after = frozen.data;
  const files = useMemo(() => {
    if (after === undefined || (isFrozenOther && other.data === undefined)) return null;
    if (against === 'none') return compareContents(null, contentOf(after));
    // The draft is the later one: the current state is on the right.
    return against === 'draft'
      ? compareContents(contentOf(after), draft)
      : compareContents(other.data === undefined ? null : contentOf(other.data), contentOf(after));
  }, [after, against, isFrozenOther, other.data, draft]);
  if (frozen.isError) return <QueryProblem query={frozen} what={titleOf(name)} />;
  if (other.isError) return <QueryProblem query={other} what={titleOf(against)} />;
  const changed = files?.filter(({ change }) => change !== 'same') ?? [];
  const open =
    files?.find(({ path }) => path === search.file) ?? changed[0] ?? files?.[0] ?? undefined;
  return (
    <section className={classes.frozen} aria-label={titleOf(name)}>
      <header>
        <h2>{titleOf(name)}</h2>
        <NativeSelect
          size="xs"
          aria-label="Compare with"
          value={against}
          onChange={(event) => onSearchChange({ against: event.currentTarget.value })}
          data={[
            { value: 'none', label: 'View' },
            {
              value: 'draft',
              label: session.isDirty ? 'Compare with my draft' : 'Compare with the current files',
            },
            ...names
              .filter((other) => other !== name)
              .map((other) => ({ value: other, label: `Compare with ${titleOf(other)}` })),
          ]}
        />
        <FirstDiffButton
          {...{ name, names, against }}
          onDiff={(first) => onSearchChange({ against: first })}
        />
        <RestoreButton
          name={name}
          model={model}
          session={session}
          content={after === undefined ? null : contentOf(after)}
        />
      </header>
      {files === null ? (
        <PageSkeleton />
      ) : (
        <>
          <FileList
            files={files}
            openPath={open?.path ?? ''}
            summary={against === 'none' ? '' : changeSize(files)}
            onOpen={(path) => onSearchChange({ file: path })}
          />
          {open !== undefined && <FileView key={`${against} ${open.path}`} file={open} />}
          {files.length === 0 && <p className={classes.note}>It has no files.</p>}
        </>
      )}
    </section>
  );
}

function titleOf(name: string): string {
  return name.startsWith('S') ? `The share ${name}` : `v${name}`;
}

interface FirstDiffButtonProps {
  readonly name: string;
  readonly names: readonly string[];
  readonly against: string;
  readonly onDiff: (first: string) => void;
}

/** What changed in the model since its first version, which is hidden in a long history. */
function FirstDiffButton({ name, names, against, onDiff }: FirstDiffButtonProps) {
  const first = names.findLast((one) => !one.startsWith('S'));
  if (first === undefined || first === name || first === against) return null;
  return (
    <Button size="xs" leftSection={<IconGitCompare size={14} />} onClick={() => onDiff(first)}>
      Diff with v{first}
    </Button>
  );
}

interface RestoreButtonProps {
  readonly name: string;
  readonly model: Model;
  readonly session: EditSession;
  readonly content: ModelContent | null;
}

function RestoreButton({ name, model, session, content }: RestoreButtonProps) {
  if (name === String(model.version)) return null;
  const restore = async (wanted: ModelContent) => {
    const before = contentOf(model);
    const failure = await session.restore(wanted);
    if (failure !== null) {
      showToast({ message: `Not restored: ${failure}`, tone: 'bad' });
      return;
    }
    const { version } = session.snapshot();
    showToast({
      message: `${titleOf(name)} was restored as v${version}.`,
      undo: async () => {
        const problem = await session.restore(before);
        if (problem !== null) showToast({ message: `Not undone: ${problem}`, tone: 'bad' });
      },
    });
  };
  return (
    <>
      <Button
        size="xs"
        leftSection={<IconRestore size={14} />}
        disabled={content === null || session.isDirty}
        aria-describedby={session.isDirty ? 'restore-reason' : undefined}
        onClick={() => content !== null && void restore(content)}
      >
        Restore as new version
      </Button>
      {session.isDirty && (
        <span id="restore-reason" className={classes.reason}>
          Save your edits first: they would be lost.
        </span>
      )}
    </>
  );
}

const changeText = { same: '', added: 'added', removed: 'removed', edited: 'changed' };

interface FileListProps {
  readonly files: readonly FrozenFile[];
  readonly openPath: string;
  readonly summary: string;
  readonly onOpen: (path: string) => void;
}

function FileList({ files, openPath, summary, onOpen }: FileListProps) {
  return (
    <nav className={classes.files} aria-label="Files of this version">
      {summary !== '' && <p>{summary}</p>}
      <ul>
        {files.map(({ path, change }) => (
          <li key={path}>
            <button
              type="button"
              aria-current={path === openPath || undefined}
              onClick={() => onOpen(path)}
            >
              <FileIcon name={path} />
              <span className={classes.path}>{path}</span>
              {change !== 'same' && (
                <span className={classes.change} data-change={change}>
                  {changeText[change]}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function FileView({ file: { path, before, after, change } }: { file: FrozenFile }) {
  const scheme = useComputedColorScheme('light');
  const [left, right] = [textOf(before), textOf(after)];
  if (left === null || right === null) {
    const size = (bytes: Uint8Array | null) =>
      bytes === null ? 'does not exist' : formatBytes(bytes.length);
    return (
      <p className={classes.note}>
        A binary file: {change === 'same' ? size(after) : `${size(before)}, then ${size(after)}`}.
      </p>
    );
  }
  return (
    <section className={classes.view} aria-label={path}>
      <Suspense fallback={<p className={classes.note}>Loading the editor…</p>}>
        {change === 'same' ? (
          <ReadView path={path} text={right} scheme={scheme} />
        ) : (
          <DiffView path={path} theirs={left} mine={right} scheme={scheme} />
        )}
      </Suspense>
    </section>
  );
}
