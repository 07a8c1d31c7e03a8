/** The run's logs: what the program printed, or what the server did; followed, searched, filtered, linked to. */
import { ActionIcon, Button, Checkbox, SegmentedControl, Select, TextInput } from '@mantine/core';
import {
  IconArrowBarToDown,
  IconChevronDown,
  IconChevronUp,
  IconDownload,
  IconSearch,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../../objects/use-action.ts';
import { formatBytes, formatCount } from '../../../ui/numbers.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { TextButton } from '../../../ui/text-button.tsx';
import classes from '../run/experiment.module.css';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import type { LogPages } from './log-pages.ts';
import type { LogStream } from './log-source.ts';
import { LogView } from './log-view.tsx';
import own from './logs.module.css';
import { type LevelChoice, useFilteredLog, useLog, useLogSearch } from './use-log.ts';

export interface LogsTabProps {
  readonly live: LiveExperiment;
  /** Without it there is the output of the program only, as documented. */
  readonly hasRange: boolean;
  /** As the address says: which log, and 1 + the byte where a line begins. */
  readonly stream: LogStream | '';
  readonly line: number;
  readonly onChange: (change: { stream?: LogStream; line?: number }) => void;
}

export function LogsTab({ live, hasRange, stream, line, onChange }: LogsTabProps) {
  const usual = hasRange && live.experiment.status === 'ERR' ? 'platform' : 'stdlog';
  const shownStream = hasRange ? stream || usual : 'stdlog';
  return (
    <section aria-label="Logs">
      <OneLog
        key={shownStream}
        live={live}
        hasRange={hasRange}
        stream={shownStream}
        line={line}
        onChange={onChange}
      />
    </section>
  );
}

function OneLog(props: LogsTabProps & { stream: LogStream }) {
  const { live, hasRange, stream, line, onChange } = props;
  const id = live.experiment.short_id;
  const { isLive } = live;
  const { pages, version, query } = useLog({ id, stream, hasRange, isLive });
  const save = useAction(() => download(pages, `${id}-${stream}.log`), {
    failed: 'Not downloaded',
  });
  const [following, setFollowing] = useState(line === 0);
  const [linesAtPause, setLinesAtPause] = useState(0);
  const [wrap, setWrap] = useState(false);
  const [level, setLevel] = useState<LevelChoice>('all');
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  // A link to a line leads there.
  const [target, setTarget] = useState<{ offset: number; turn: number } | null>(
    line > 0 ? { offset: line - 1, turn: 0 } : null,
  );
  const [missed, setMissed] = useState(false);
  const search = useLogSearch(pages, text);
  const filtered = useFilteredLog(pages, pages.size, level);
  const follow = (on: boolean) => {
    if (following && !on) setLinesAtPause(pages.lines);
    setFollowing(on);
  };
  const goTo = (offset: number) => {
    setFollowing(false);
    setLinesAtPause(pages.lines);
    setLevel('all');
    setTarget((before) => ({ offset, turn: (before?.turn ?? 0) + 1 }));
  };
  const { matches } = search;
  const [seen, setSeen] = useState(matches);
  if (matches !== seen) {
    setSeen(matches);
    setAt(0);
    if (matches !== null && matches.length > 0) {
      setFollowing(false);
      setTarget((before) => ({ offset: matches[0], turn: (before?.turn ?? 0) + 1 }));
    }
  }
  const step = (by: number) => {
    if (matches === null || matches.length === 0) return;
    const next = (at + by + matches.length) % matches.length;
    setAt(next);
    goTo(matches[next]);
  };
  const isEmpty = pages.size === 0;
  const numNew = Math.max(0, pages.lines - linesAtPause);
  return (
    <>
      <div className={classes.toolbar}>
        {hasRange && (
          <SegmentedControl
            size="xs"
            aria-label="Which log"
            value={stream}
            onChange={(value) => onChange({ stream: value as LogStream, line: 0 })}
            data={[
              { value: 'stdlog', label: 'Program output' },
              { value: 'platform', label: 'Platform' },
            ]}
          />
        )}
        <TextInput
          className={own.search}
          aria-label="Search the log"
          placeholder="Search"
          leftSection={<IconSearch size={16} stroke={1.6} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            step(event.shiftKey ? -1 : 1);
          }}
        />
        {text !== '' && (
          <span className={own.matches}>
            <span role="status">{matchWords(search, at)}</span>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Previous match"
              disabled={!matches?.length}
              onClick={() => step(-1)}
            >
              <IconChevronUp size={16} stroke={1.6} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Next match"
              disabled={!matches?.length}
              onClick={() => step(1)}
            >
              <IconChevronDown size={16} stroke={1.6} />
            </ActionIcon>
          </span>
        )}
        <Select
          aria-label="Which lines"
          w={190}
          allowDeselect={false}
          value={level}
          onChange={(value) => setLevel((value ?? 'all') as LevelChoice)}
          data={[
            { value: 'all', label: 'All lines' },
            { value: 'warnings', label: 'Warnings and errors' },
            { value: 'errors', label: 'Errors' },
          ]}
        />
        <Checkbox
          size="xs"
          label="Wrap"
          checked={wrap}
          onChange={(event) => setWrap(event.currentTarget.checked)}
        />
        <span className={classes.toolbarEnd}>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.6} />}
            disabled={isEmpty}
            onClick={() => void save.run()}
          >
            Download
          </Button>
        </span>
      </div>
      {(query.isError || missed) && (
        <p role="alert" className={own.problem}>
          {isEmpty ? 'The log could not be loaded.' : 'Part of the log could not be loaded.'} The
          draws are not affected.{' '}
          <TextButton
            onClick={() => {
              setMissed(false);
              void query.refetch();
            }}
          >
            Try again
          </TextButton>
        </p>
      )}
      {isEmpty ? (
        !query.isError && <p className={classes.empty}>{emptyWords(stream, query.isPending)}</p>
      ) : (
        <>
          <p className={own.facts}>
            <span>
              {formatCount(pages.lines)} {pages.lines === 1 ? 'line' : 'lines'},{' '}
              {formatBytes(pages.size)}
            </span>
            {level !== 'all' && (
              <span role="status">
                {filtered === null ? 'Reading…' : hiddenWords(filtered.numHidden, filtered.read)}
              </span>
            )}
          </p>
          <div className={own.frame}>
            <LogView
              pages={pages}
              version={version}
              filtered={level === 'all' ? null : (filtered?.lines ?? [])}
              wrap={wrap}
              search={text}
              following={following}
              onFollow={follow}
              target={target}
              linkOf={(offset) => linkTo(stream, offset)}
              onLink={(offset) => {
                setTarget((before) => ({ offset, turn: (before?.turn ?? 0) + 1 }));
                setFollowing(false);
                onChange({ stream, line: offset + 1 });
              }}
              onProblem={() => setMissed(true)}
            />
            <div className={own.pill}>
              {following ? (
                isLive && <span role="status">Following</span>
              ) : (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconArrowBarToDown size={14} stroke={1.6} />}
                  onClick={() => follow(true)}
                >
                  {isLive ? pausedWords(numNew) : 'Jump to end'}
                </Button>
              )}
            </div>
          </div>
        </>
      )}
    </>
  );
}

function pausedWords(numNew: number): string {
  const lines = numNew === 1 ? '1 new line' : `${formatCount(numNew)} new lines`;
  return numNew === 0 ? 'Paused. Jump to end' : `Paused, ${lines}. Jump to end`;
}

function hiddenWords(numHidden: number, read: number): string {
  const words = `${formatCount(numHidden)} ${numHidden === 1 ? 'line' : 'lines'} hidden`;
  return read < 1 ? `${words} so far, ${Math.floor(100 * read)} % read` : words;
}

function matchWords(
  { matches, failed }: { matches: readonly number[] | null; failed: boolean },
  at: number,
): string {
  if (failed) return 'The search failed';
  if (matches === null) return 'Searching…';
  if (matches.length === 0) return 'No matches';
  const most = matches.length >= 10_000 ? ' or more' : '';
  return `${formatCount(at + 1)} of ${formatCount(matches.length)}${most}`;
}

/** The address of a line in this page. */
function linkTo(stream: LogStream, offset: number): string {
  const url = new URL(window.location.href);
  url.searchParams.set('tab', 'logs');
  url.searchParams.set('stream', stream);
  url.searchParams.set('line', String(offset + 1));
  return url.pathname + url.search;
}

/** The whole log, part after part. */
async function download(pages: LogPages, name: string): Promise<void> {
  const parts: string[] = [];
  for (let from = 0; from < pages.size; ) {
    const part = await pages.source.read(from, pages.size);
    parts.push(part.text);
    if (part.to <= from) break;
    from = part.to;
  }
  saveFile(name, 'text/plain', parts.join(''));
}

function emptyWords(stream: LogStream, pending: boolean): string {
  if (pending) return 'Loading the log…';
  return stream === 'stdlog'
    ? 'The program printed nothing.'
    : 'The platform logged nothing about this run.';
}
