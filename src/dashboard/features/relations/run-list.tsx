/** Recent calls of a function, a callback or an event: what ran, when, how it went, how long it took. */
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { FunctionRun } from '../../../contract/relations.ts';
import { formatDuration } from '../../ui/duration.ts';
import { Note } from '../../ui/note.tsx';
import { formatCount, missing } from '../../ui/numbers.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { pathOfId } from './joined-paths.ts';
import classes from './relation-list.module.css';

export interface RunListProps {
  /** Newest first; absent if the server keeps none. */
  readonly runs: readonly FunctionRun[] | undefined;
  readonly isFetching: boolean;
  readonly onRefresh: () => void;
  /** The calls are of several objects: each says which. */
  readonly nameOf?: (id: string) => string;
}

const stateText: Readonly<Record<FunctionRun['state'], string>> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
};

export function RunList({ runs, isFetching, onRefresh, nameOf }: RunListProps) {
  return (
    <section aria-label="Recent calls">
      <header className={classes.head}>
        <h2>Recent calls</h2>
        {runs !== undefined && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            mr={-8}
            loading={isFetching}
            leftSection={<IconRefresh size={14} />}
            onClick={onRefresh}
          >
            Refresh
          </Button>
        )}
      </header>
      {runs === undefined && <Note>This server does not list calls.</Note>}
      {runs?.length === 0 && <Note>No calls yet.</Note>}
      {runs !== undefined && runs.length > 0 && (
        <div className={classes.scroll}>
          <table className={classes.runs}>
            <thead>
              <tr>
                <th scope="col">State</th>
                {nameOf !== undefined && <th scope="col">What</th>}
                <th scope="col">When</th>
                <th scope="col" data-number>
                  {' '}
                  Duration
                </th>
                <th scope="col">Error and log</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <tr key={run.id}>
                  <td data-state={run.state}>{stateText[run.state]}</td>
                  {nameOf !== undefined && (
                    <td>
                      <Link to={pathOfId(run.target)} title={run.target}>
                        {nameOf(run.target)}
                      </Link>
                    </td>
                  )}
                  <td>
                    <RelativeTime date={run.created_at} />
                  </td>
                  <td data-number data-numeric>
                    {tookText(run.milliseconds)}
                  </td>
                  <td>
                    {run.error !== '' && <p className={classes.error}>{run.error}</p>}
                    {run.log !== '' && (
                      <details>
                        <summary>Log</summary>
                        <pre className={classes.log}>{run.log}</pre>
                      </details>
                    )}
                    {run.error === '' && run.log === '' && missing}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function tookText(milliseconds: number | null): string {
  if (milliseconds === null) return missing;
  return milliseconds < 1000
    ? `${formatCount(Math.round(milliseconds))} ms`
    : formatDuration(milliseconds / 1000);
}
