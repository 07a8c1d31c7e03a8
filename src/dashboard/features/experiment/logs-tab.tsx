/** The end of the run's log: what the program printed, or what the server did. */
import { Button, SegmentedControl } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import { formatCount } from '../../ui/numbers.ts';
import { saveFile } from '../../ui/save-file.ts';
import classes from './experiment.module.css';
import { logQueryOptions } from './queries.ts';
import type { LiveExperiment } from './use-live-experiment.ts';

type Stream = 'stdlog' | 'platform';

export function LogsTab({ client, live }: { client: Client; live: LiveExperiment }) {
  const [stream, setStream] = useState<Stream>(
    live.experiment.status === 'ERR' ? 'platform' : 'stdlog',
  );
  const id = live.experiment.short_id;
  const log = useQuery({
    ...logQueryOptions(client, id, stream),
    refetchInterval: live.isLive ? 2000 : false,
  });
  const [following, setFollowing] = useState(true);
  const box = useRef<HTMLPreElement>(null);
  const text = log.data?.text ?? '';
  useEffect(() => {
    if (following && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [text, following]);
  return (
    <section aria-label="Logs">
      <div className={classes.toolbar}>
        <SegmentedControl
          size="xs"
          value={stream}
          onChange={(value) => setStream(value as Stream)}
          data={[
            { value: 'stdlog', label: 'Program output' },
            { value: 'platform', label: 'Platform' },
          ]}
        />
        {log.data !== undefined && (
          <span className={classes.dim}>{formatCount(log.data.lines)} lines</span>
        )}
        <span className={classes.toolbarEnd}>
          {live.isLive && (
            <Button variant="default" onClick={() => setFollowing(!following)}>
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
      {log.isError ? (
        <p className={classes.empty}>The log could not be loaded. The draws are not affected.</p>
      ) : text === '' ? (
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
            aria-label="Log text"
            onScroll={(event) => {
              const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
              setFollowing(scrollHeight - scrollTop - clientHeight < 24);
            }}
          >
            {printable(text)}
          </pre>
        </>
      )}
    </section>
  );
}

function emptyWords(stream: Stream, pending: boolean): string {
  if (pending) return 'Loading the log…';
  return stream === 'stdlog'
    ? 'The program printed nothing.'
    : 'The platform has nothing to say about this run.';
}

/** Control characters as visible marks, ANSI colours dropped: a log is text, whatever a program prints. */
export function printable(text: string): string {
  const escape = String.fromCharCode(27);
  const plain = text.replaceAll(new RegExp(`${escape}\\[[0-9;]*[A-Za-z]`, 'g'), '');
  return Array.from(plain, (character) => {
    const code = character.charCodeAt(0);
    if (code === 9 || code === 10) return character;
    if (code < 32) return String.fromCharCode(0x2400 + code);
    return code >= 0x202a && code <= 0x202e ? '\uFFFD' : character;
  }).join('');
}
