/** The tools above a log: which log, search, levels, wrap, download. */
import { ActionIcon, Button, Checkbox, SegmentedControl, Select, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconDownload, IconSearch } from '@tabler/icons-react';
import { formatCount } from '../../../ui/numbers.ts';
import classes from '../run/experiment.module.css';
import type { LogStream } from './log-source.ts';
import own from './logs.module.css';
import type { LevelChoice, LogSearch } from './use-log.ts';
import type { LogReader } from './use-log-reader.ts';

export interface LogToolbarProps {
  readonly reader: LogReader;
  /** Null if the server has only one log. */
  readonly onStream: ((stream: LogStream) => void) | null;
  readonly stream: LogStream;
  readonly wrap: boolean;
  readonly onWrap: (wrap: boolean) => void;
  /** Null while there is nothing to download. */
  readonly onDownload: (() => void) | null;
}

export function LogToolbar(props: LogToolbarProps) {
  const { reader, stream, onStream, wrap, onWrap, onDownload } = props;
  return (
    <div className={classes.toolbar}>
      {onStream !== null && (
        <SegmentedControl
          aria-label="Which log"
          value={stream}
          onChange={(value) => onStream(value as LogStream)}
          data={[
            { value: 'stdlog', label: 'Program output' },
            { value: 'platform', label: 'Platform' },
          ]}
        />
      )}
      <SearchTools reader={reader} />
      <Select
        aria-label="Which lines"
        w={190}
        allowDeselect={false}
        value={reader.level}
        onChange={(value) => reader.setLevel((value ?? 'all') as LevelChoice)}
        data={[
          { value: 'all', label: 'All lines' },
          { value: 'warnings', label: 'Warnings and errors' },
          { value: 'errors', label: 'Errors' },
        ]}
      />
      <Checkbox
        label="Wrap"
        checked={wrap}
        onChange={(event) => onWrap(event.currentTarget.checked)}
      />
      <span className={classes.toolbarEnd}>
        <Button
          leftSection={<IconDownload size={16} />}
          disabled={onDownload === null}
          onClick={() => onDownload?.()}
        >
          Download
        </Button>
      </span>
    </div>
  );
}

function SearchTools({ reader }: { reader: LogReader }) {
  const { text, setText, search, at, step } = reader;
  const hasMatches = search.matches !== null && search.matches.length > 0;
  return (
    <>
      <TextInput
        className={own.search}
        aria-label="Search the log"
        placeholder="Search"
        leftSection={<IconSearch size={16} />}
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
          <span role="status">{matchLabel(search, at)}</span>
          <ActionIcon aria-label="Previous match" disabled={!hasMatches} onClick={() => step(-1)}>
            <IconChevronUp size={16} />
          </ActionIcon>
          <ActionIcon aria-label="Next match" disabled={!hasMatches} onClick={() => step(1)}>
            <IconChevronDown size={16} />
          </ActionIcon>
        </span>
      )}
    </>
  );
}

function matchLabel({ matches, failed }: LogSearch, at: number): string {
  if (failed) return 'The search failed';
  if (matches === null) return 'Searching…';
  if (matches.length === 0) return 'No matches';
  const most = matches.length >= 10_000 ? ' or more' : '';
  return `${formatCount(at + 1)} of ${formatCount(matches.length)}${most}`;
}
