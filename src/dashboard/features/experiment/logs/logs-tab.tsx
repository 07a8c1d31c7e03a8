/** The run's logs: the program's output, or what the server did; followed, searched, filtered, linked to. */
import { Button } from '@mantine/core';
import { IconArrowBarToDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../../objects/use-action.ts';
import { formatBytes, formatCount } from '../../../ui/numbers.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { TextButton } from '../../../ui/text-button.tsx';
import classes from '../run/experiment.module.css';
import type { ExperimentSearch } from '../run/experiment-search.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import type { LogPages } from './log-pages.ts';
import type { LogStream } from './log-source.ts';
import { LogToolbar } from './log-toolbar.tsx';
import { LogView } from './log-view.tsx';
import own from './logs.module.css';
import { useLog } from './use-log.ts';
import { type LogReader, useLogReader } from './use-log-reader.ts';

export interface LogsTabProps {
  readonly live: LiveExperiment;
  /** Without it only the program's output is available, as documented. */
  readonly hasRange: boolean;
  /** Which log, and 1 + the byte where a line begins. */
  readonly search: Pick<ExperimentSearch, 'stream' | 'line'>;
  readonly onSearchChange: (change: { stream?: LogStream; line?: number }) => void;
}

export function LogsTab({ live, hasRange, search, onSearchChange }: LogsTabProps) {
  const { stream, line } = search;
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
        onChange={onSearchChange}
      />
    </section>
  );
}

interface OneLogProps extends Pick<LogsTabProps, 'live' | 'hasRange'> {
  readonly stream: LogStream;
  readonly line: number;
  readonly onChange: LogsTabProps['onSearchChange'];
}

function OneLog(props: OneLogProps) {
  const { live, hasRange, stream, line, onChange } = props;
  const id = live.experiment.short_id;
  const { isLive } = live;
  const { pages, version, query } = useLog({ id, stream, hasRange, isLive });
  const save = useAction(() => download(pages, `${id}-${stream}.log`), {
    failed: 'Not downloaded',
  });
  const [wrap, setWrap] = useState(false);
  const [missed, setMissed] = useState(false);
  const reader = useLogReader(pages, line);
  const isEmpty = pages.size === 0;
  return (
    <>
      <LogToolbar
        reader={reader}
        stream={stream}
        onStream={hasRange ? (value) => onChange({ stream: value, line: 0 }) : null}
        wrap={wrap}
        onWrap={setWrap}
        onDownload={isEmpty ? null : () => void save.run()}
      />
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
      {isEmpty && !query.isError && (
        <p className={classes.empty}>{emptyText(stream, query.isPending)}</p>
      )}
      {!isEmpty && (
        <>
          <LogFacts pages={pages} reader={reader} />
          <div className={own.frame}>
            <LogView
              pages={pages}
              version={version}
              filtered={reader.level === 'all' ? null : (reader.filtered?.lines ?? [])}
              wrap={wrap}
              search={reader.text}
              following={reader.following}
              onFollow={reader.follow}
              target={reader.target}
              linkOf={(offset) => linkTo(stream, offset)}
              onLink={(offset) => {
                reader.show(offset);
                onChange({ stream, line: offset + 1 });
              }}
              onProblem={() => setMissed(true)}
            />
            <FollowPill reader={reader} isLive={isLive} />
          </div>
        </>
      )}
    </>
  );
}

function LogFacts({ pages, reader }: { pages: LogPages; reader: LogReader }) {
  const { level, filtered } = reader;
  return (
    <p className={own.facts}>
      <span>
        {formatCount(pages.lines)} {pages.lines === 1 ? 'line' : 'lines'}, {formatBytes(pages.size)}
      </span>
      {level !== 'all' && (
        <span role="status">
          {filtered === null ? 'Reading…' : hiddenLabel(filtered.numHidden, filtered.read)}
        </span>
      )}
    </p>
  );
}

function FollowPill({ reader, isLive }: { reader: LogReader; isLive: boolean }) {
  return (
    <div className={own.pill}>
      {reader.following ? (
        isLive && <span role="status">Following</span>
      ) : (
        <Button
          size="xs"
          leftSection={<IconArrowBarToDown size={14} />}
          onClick={() => reader.follow(true)}
        >
          {isLive ? pausedLabel(reader.numNew) : 'Jump to end'}
        </Button>
      )}
    </div>
  );
}

function pausedLabel(numNew: number): string {
  const lines = numNew === 1 ? '1 new line' : `${formatCount(numNew)} new lines`;
  return numNew === 0 ? 'Paused. Jump to end' : `Paused, ${lines}. Jump to end`;
}

function hiddenLabel(numHidden: number, read: number): string {
  const label = `${formatCount(numHidden)} ${numHidden === 1 ? 'line' : 'lines'} hidden`;
  return read < 1 ? `${label} so far, ${Math.floor(100 * read)} % read` : label;
}

/** The address of a line in this page. */
function linkTo(stream: LogStream, offset: number): string {
  const url = new URL(window.location.href);
  url.searchParams.set('tab', 'logs');
  url.searchParams.set('stream', stream);
  url.searchParams.set('line', String(offset + 1));
  return url.pathname + url.search;
}

/** The entire log, part by part. */
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

function emptyText(stream: LogStream, pending: boolean): string {
  if (pending) return 'Loading the log…';
  return stream === 'stdlog'
    ? 'The program printed nothing.'
    : 'The platform logged nothing about this run.';
}
