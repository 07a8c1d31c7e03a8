/** Find and replace in all files of the model, shown in place of its tree. */
import { ActionIcon, Button, TextInput, UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useDeferredValue, useState } from 'react';
import type { CursorPlace } from '../../editor/code-editor.tsx';
import { findEntry, setText } from '../../editor/file-tree.ts';
import {
  type Findings,
  type FindOptions,
  findInFiles,
  type Match,
  mostMatches,
  replaceInFiles,
  type SearchedFile,
} from '../../editor/find-in-files.ts';
import { formatCount } from '../../ui/numbers.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { EditSession } from './edit-session.ts';
import classes from './find-panel.module.css';

export interface FindPanelProps {
  readonly className?: string;
  readonly session: EditSession;
  readonly files: readonly SearchedFile[];
  readonly onGoTo: (id: number, place: CursorPlace) => void;
  readonly onClose: () => void;
}

const toggles = [
  { key: 'isCase', label: 'Match case', sign: 'Aa' },
  { key: 'isWord', label: 'Whole words', sign: 'ab' },
  { key: 'isRegex', label: 'Regular expression', sign: '.*' },
] as const;

const none: Findings = { files: [], total: 0, isCut: false };

export function FindPanel({ className = '', session, files, onGoTo, onClose }: FindPanelProps) {
  const [order, setOrder] = useState<FindOptions>({
    pattern: '',
    isRegex: false,
    isCase: false,
    isWord: false,
  });
  const [replacement, setReplacement] = useState('');
  // Typing has priority over showing matches.
  const asked = useDeferredValue(order);
  const { found, problem } = search(files, asked);
  const replaceAll = () => {
    const after = replaceInFiles(files, order, replacement);
    const before = new Map(files.map(({ id, text }) => [id, text]));
    change(session, before, after);
    const where = after.size === 1 ? '1 file' : `${formatCount(after.size)} files`;
    showToast({
      message: `Replaced “${order.pattern}” in ${where}.`,
      undo: async () => change(session, after, before),
    });
  };
  return (
    <search className={`${classes.panel} ${className}`} aria-label="Find in all files">
      <header className={classes.head}>
        <h2>Find in all files</h2>
        <ActionIcon size={24} aria-label="Close" onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </header>
      <TextInput
        size="xs"
        autoFocus
        aria-label="Find"
        placeholder="Find"
        value={order.pattern}
        error={problem}
        onChange={(event) => setOrder({ ...order, pattern: event.currentTarget.value })}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <div className={classes.toggles}>
        {toggles.map(({ key, label, sign }) => (
          <UnstyledButton
            key={key}
            className={classes.toggle}
            aria-label={label}
            title={label}
            aria-pressed={order[key]}
            onClick={() => setOrder({ ...order, [key]: !order[key] })}
          >
            {sign}
          </UnstyledButton>
        ))}
      </div>
      <TextInput
        size="xs"
        aria-label="Replace with"
        placeholder="Replace with"
        value={replacement}
        onChange={(event) => setReplacement(event.currentTarget.value)}
      />
      <Button size="xs" disabled={found.total === 0 || asked !== order} onClick={replaceAll}>
        Replace all
      </Button>
      <p className={classes.count} role="status">
        {order.pattern === '' ? 'Enter the text to find.' : countText(found)}
      </p>
      <FoundFiles found={found} onGoTo={onGoTo} />
    </search>
  );
}

interface FoundFilesProps extends Pick<FindPanelProps, 'onGoTo'> {
  readonly found: Findings;
}

function FoundFiles({ found, onGoTo }: FoundFilesProps) {
  return (
    <div className={classes.found}>
      {found.files.map(({ file, matches }) => (
        <section key={file.id} aria-label={file.path}>
          <h3>
            {file.path} <span>{formatCount(matches.length)}</span>
          </h3>
          {matches.map((match) => (
            <UnstyledButton
              key={`${match.line}:${match.column}`}
              className={classes.match}
              title={`Line ${match.line}`}
              onClick={() => onGoTo(file.id, match)}
            >
              <span className={classes.line}>{match.line}</span>
              <MatchedLine match={match} />
            </UnstyledButton>
          ))}
        </section>
      ))}
    </div>
  );
}

function search(files: readonly SearchedFile[], order: FindOptions) {
  try {
    return { found: findInFiles(files, order), problem: undefined };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { found: none, problem: 'The pattern is not a valid regular expression.' };
  }
}

/** Files edited since `before` are left unchanged. */
function change(
  session: EditSession,
  before: ReadonlyMap<number, string>,
  after: ReadonlyMap<number, string>,
): void {
  const files = [...after].filter(([id, text]) => before.has(id) && before.get(id) !== text);
  session.edit((tree) =>
    files.reduce(
      (next, [id, text]) => (findEntry(next, id) === null ? next : setText(next, id, text)),
      tree,
    ),
  );
}

function countText({ total, files, isCut }: Findings): string {
  if (total === 0) return 'Nothing found.';
  if (isCut) return `The first ${formatCount(mostMatches)} matches.`;
  const matches = total === 1 ? '1 match' : `${formatCount(total)} matches`;
  return `${matches} in ${files.length === 1 ? '1 file' : `${formatCount(files.length)} files`}`;
}

/** Number of characters of a line before its match. */
const leading = 24;

function MatchedLine({ match: { text, column, length } }: { match: Match }) {
  const start = column - 1;
  const before = text.slice(0, start).trimStart();
  return (
    <code>
      {before.length > leading ? `…${before.slice(-leading)}` : before}
      <mark>{text.slice(start, start + length)}</mark>
      {text.slice(start + length, start + length + 120)}
    </code>
  );
}
