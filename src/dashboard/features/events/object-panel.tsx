/** One event, callback or relation: what it is, what it is joined with, how to fire it, and its newest calls. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { objectListQueryOptions } from '../live/object-list.ts';
import classes from './events.module.css';
import { type EventKind, eventObjectQueryOptions, pathOfId } from './queries.ts';

export interface ObjectPanelProps {
  readonly client: Client;
  readonly kind: EventKind;
  readonly id: string;
}

export function ObjectPanel({ client, kind, id }: ObjectPanelProps) {
  const query = useQuery(eventObjectQueryOptions(client, kind, id));
  if (query.isPending) return <PageSkeleton />;
  if (query.isError) return <QueryProblem query={query} what={`The ${kind}`} />;
  const object = query.data;
  const runs = object.object_type === 'relation' ? [] : (object.runs ?? []);
  return (
    <section className={classes.panel} aria-label={`${kind} ${id}`}>
      <h2>
        {object.object_type === 'event' ? object.name : kind} <CopyableId id={id} />
      </h2>
      {object.object_type === 'event' && object.tags?.includes('builtin') && (
        <p className={classes.note}>This server fires this event by itself.</p>
      )}
      {object.object_type === 'callback' && <pre className={classes.code}>{object.code}</pre>}
      {object.object_type === 'relation' ? (
        <p className={classes.note}>
          <Link to={pathOfId(object.object1_id)}>{object.object1_id}</Link> calls{' '}
          <Link to={pathOfId(object.object2_id)}>{object.object2_id}</Link>
          {object.params?.n === undefined ? '' : `, every ${object.params.n} draws`}.
        </p>
      ) : (
        <Joined client={client} id={id} />
      )}
      {object.object_type === 'event' && (
        <FireForm client={client} id={id} onFired={() => void query.refetch()} />
      )}
      {runs.length > 0 && (
        <ul className={classes.list} aria-label="Newest calls">
          {runs.map((run) => (
            <li key={run.id}>
              <span>{run.state}</span>
              <Link to={pathOfId(run.target)}>{run.target}</Link>
              {run.milliseconds !== null && <span>{run.milliseconds} ms</span>}
              {run.error !== '' && <span className={classes.problem}>{run.error}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The other ends of this object's relations. */
function Joined({ client, id }: { client: Client; id: string }) {
  const relations = useQuery(objectListQueryOptions(client, 'relation', { page_size: 1000 })).data;
  const joined = relations?.objects.filter(
    ({ object1_id, object2_id }) => object1_id === id || object2_id === id,
  );
  if (joined === undefined) return null;
  if (joined.length === 0)
    return <p className={classes.note}>No relation joins it with anything yet.</p>;
  return (
    <ul className={classes.list} aria-label="Relations">
      {joined.map(({ short_id, object1_id, object2_id }) => {
        const other = object1_id === id ? object2_id : object1_id;
        return (
          <li key={short_id}>
            {object1_id === id ? 'Calls' : 'Called by'} <Link to={pathOfId(other)}>{other}</Link>
            <span>
              by relation <Link to={pathOfId(short_id)}>{short_id}</Link>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function FireForm({ client, id, onFired }: { client: Client; id: string; onFired: () => void }) {
  const [params, setParams] = useState('');
  const [lockKey, setLockKey] = useState('');
  const [words, setWords] = useState<string | null>(null);
  const isJson = params.trim() === '' || isJsonText(params);
  const fire = async () => {
    try {
      const payload = { object_type: 'event' as const, params, lock_key: lockKey };
      await client.updateObject({ params: { objid: id }, body: { payload } });
      setWords('Fired.');
      onFired();
    } catch (error) {
      setWords(`Not fired: ${ApiError.from(error).message}`);
    }
  };
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void fire();
      }}
    >
      <Textarea
        label="Parameters"
        description="JSON that each callback gets."
        autosize
        minRows={2}
        spellCheck={false}
        value={params}
        error={isJson ? undefined : 'Not JSON yet.'}
        onChange={(event) => setParams(event.currentTarget.value)}
      />
      <TextInput
        label="Lock key"
        description="One call runs for each key; empty: no lock."
        value={lockKey}
        onChange={(event) => setLockKey(event.currentTarget.value)}
      />
      <div className={classes.actions}>
        <Button type="submit" variant="default" disabled={!isJson}>
          Fire event
        </Button>
        <span role="status">{words}</span>
      </div>
    </form>
  );
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
