/** One event, callback or relation: what it is, what it is linked to, how to fire it, and its newest calls. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient } from '../../objects/use-client.ts';
import { Card } from '../../ui/card.tsx';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { joinableName, useJoinables } from '../relations/joinable.ts';
import { pathOfId } from '../relations/joined-paths.ts';
import { RelationList } from '../relations/relation-list.tsx';
import { RunList } from '../relations/run-list.tsx';
import { builtinText } from './builtin-events.ts';
import classes from './events.module.css';
import { FireForm } from './fire-form.tsx';
import { type EventKind, type EventObject, eventObjectQueryOptions } from './queries.ts';

export interface ObjectPanelProps {
  readonly kind: EventKind;
  readonly id: string;
}

export function ObjectPanel({ kind, id }: ObjectPanelProps) {
  const client = useClient();
  const query = useQuery(eventObjectQueryOptions(client, kind, id));
  const joinables = useJoinables();
  if (query.isPending) return <PageSkeleton />;
  if (query.isError) return <QueryProblem query={query} what={`The ${kind}`} />;
  const object = query.data;
  return (
    <Card padded className={classes.panel} aria-label={`${kind} ${id}`}>
      <h2>
        {object.object_type === 'relation' ? 'Relation' : joinableName(object)}{' '}
        <CopyableId id={id} />
      </h2>
      <About object={object} nameOf={joinables.nameOf} />
      {object.object_type !== 'relation' && (
        <>
          <header className={classes.head}>
            <h3>Relations</h3>
            <Link to="/relations" search={{ make: true, [kind === 'event' ? 'from' : 'to']: id }}>
              {kind === 'event' ? 'Add a call' : 'Join with an event'}
            </Link>
          </header>
          <RelationList
            id={id}
            none={kind === 'event' ? 'It calls nothing yet.' : 'No event calls it yet.'}
          />
        </>
      )}
      {object.object_type === 'event' && <FireForm id={id} runs={object.runs} />}
      {object.object_type !== 'relation' && (
        <RunList
          runs={object.runs}
          isFetching={query.isFetching}
          onRefresh={() => void query.refetch()}
          nameOf={object.object_type === 'event' ? joinables.nameOf : undefined}
        />
      )}
    </Card>
  );
}

function About({ object, nameOf }: { object: EventObject; nameOf: (id: string) => string }) {
  if (object.object_type === 'callback')
    return (
      <>
        <p className={classes.note}>
          {object.lang}
          {object.single_instance === false
            ? ', any number of calls at once'
            : ', one call at a time'}
        </p>
        <pre className={classes.code}>{object.code}</pre>
      </>
    );
  if (object.object_type === 'relation') {
    const { object1_id: from, object2_id: to, params } = object;
    return (
      <p className={classes.note}>
        <Link to={pathOfId(from)}>{nameOf(from)}</Link> calls{' '}
        <Link to={pathOfId(to)}>{nameOf(to)}</Link>
        {params?.n === undefined ? '' : `, every ${formatCount(params.n)} draws`}.
      </p>
    );
  }
  const builtin = builtinText(object);
  if (builtin === null) return <p className={classes.note}>Fired by you, here or over the API.</p>;
  return (
    <p className={classes.note}>
      {builtin.when} Its calls receive <code>{builtin.parameters}</code>.
    </p>
  );
}
