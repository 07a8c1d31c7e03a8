/** The other ends of an object's relations, as links: what an event calls, or what calls a function. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { maxPageSize } from '../../../contract/common.ts';
import { objectListQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { Note } from '../../ui/note.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { useJoinables } from './joinable.ts';
import { pathOfId } from './joined-paths.ts';
import classes from './relation-list.module.css';

export interface RelationListProps {
  /** Of an event, callback or function. */
  readonly id: string;
  /** Shown while no relation joins it. */
  readonly none: string;
}

export function RelationList({ id, none }: RelationListProps) {
  const client = useClient();
  const relations = useQuery(
    objectListQueryOptions(client, 'relation', { page_size: maxPageSize }),
  );
  const { nameOf } = useJoinables();
  if (relations.isError) return <QueryProblem query={relations} what="The relations" />;
  const joined = relations.data?.objects.filter(
    ({ object1_id, object2_id }) => object1_id === id || object2_id === id,
  );
  if (joined === undefined) return null;
  if (joined.length === 0) return <Note>{none}</Note>;
  return (
    <ul className={classes.list} aria-label="Relations">
      {joined.map(({ short_id, object1_id, object2_id, params }) => {
        const other = object1_id === id ? object2_id : object1_id;
        return (
          <li key={short_id}>
            <span>
              {object1_id === id ? 'Calls' : 'Called by'}{' '}
              <Link to={pathOfId(other)} title={other}>
                {nameOf(other)}
              </Link>
              {params?.n === undefined ? '' : ` every ${formatCount(params.n)} draws`}
            </span>
            <Link to={pathOfId(short_id)} className={classes.aside}>
              relation {short_id}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
