/** The end of the run's log: what the program printed, or what the server did. */
import { Button, SegmentedControl } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import { formatCount } from '../../ui/numbers.ts';
import { saveFile } from '../../ui/save-file.ts';
import { listPollDelay } from '../live/poll-policy.ts';
import classes from './experiment.module.css';
import { printable } from './printable.ts';
import { type LogStream, logQueryOptions } from './queries.ts';
import type { LiveExperiment } from './use-live-experiment.ts';

export interface LogsTabProps {
  readonly client: Client;
  readonly live: LiveExperiment;
  /** Without it there is the output of the program only, as documented. */
  readonly hasRange: boolean;
}

export function LogsTab({ client, live, hasRange }: LogsTabProps) {
  const [stream, setStream] = useState<LogStream>(
    hasRange && live.experiment.status === 'ERR' ? 'platform' : 'stdlog',
  );
  const id = live.experiment.short_id;
  const log = useQuery({
    ...logQueryOptions(client, id, stream, hasRange),
    refetchInterval: ({ state }) => listPollDelay(live.isLive, state.status === 'error'),
  });
  const [following, setFollowing] = useState(true);
  const box = useRef<HTMLPreElement>(null);
  const text = log.data?.text ?? '';
  const shown = useMemo(() => printable(text), [text]);
  useEffect(() => {
    if (following && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [text, following]);
  return (
    <section aria-label="Logs">
      <div className={classes.toolbar}>
        {hasRange && (
          <SegmentedControl
            size="xs"
            aria-label="Which log"
            value={stream}
            onChange={(value) => setStream(value as LogStream)}
            data={[
              { value: 'stdlog', label: 'Program output' },
              { value: 'platform', label: 'Platform' },
            ]}
          />
        )}
        {log.data !== undefined && (
          <span className={classes.dim}>{formatCount(log.data.lines)} lines</span>
        )}
        <span className={classes.toolbarEnd}>
          {live.isLive && (
            <Button
              variant="default"
              aria-pressed={following}
              onClick={() => setFollowing(!following)}
            >
              {following ? 'Following' : 'Paused: follow again'}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.6} />}
            disabled={text === ''}
            onClick={() => saveFile(`${id}-${stream}.log`, 'text/plain', text)}
          >
            Download
          </Button>
        </span>
      </div>
      {log.isError && (
        <p role="alert" className={classes.empty}>
          The log could not be loaded{text === '' ? '' : ' anew'}. The draws are not affected.
        </p>
      )}
      {log.isError && text === '' ? null : text === '' ? (
        <p className={classes.empty}>{emptyWords(stream, log.isPending)}</p>
      ) : (
        <>
          {log.data !== undefined && log.data.from > 0 && (
            <p className={classes.note}>
              The first {formatCount(log.data.from)} bytes are left out here.
            </p>
          )}
          <pre
            ref={box}
            className={classes.log}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
            tabIndex={0}
            role="log"
            aria-live="off"
            aria-label="Log text"
            onScroll={(event) => {
              const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
              setFollowing(scrollHeight - scrollTop - clientHeight < 24);
            }}
          >
            {shown}
          </pre>
        </>
      )}
    </section>
  );
}

function emptyWords(stream: LogStream, pending: boolean): string {
  if (pending) return 'Loading the log…';
  return stream === 'stdlog'
    ? 'The program printed nothing.'
    : 'The platform has nothing to say about this run.';
}
