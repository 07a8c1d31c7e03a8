/** One failed panel: what failed, what is safe, and a retry; its neighbours stay. */
import { Button } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { ApiError } from '../../client/api-error.ts';
import classes from './query-problem.module.css';

export interface QueryProblemProps {
  readonly query: { readonly error: unknown; readonly refetch: () => Promise<unknown> };
  /** "The list", "The file". */
  readonly what: string;
}

export function QueryProblem({ query, what }: QueryProblemProps) {
  const error = ApiError.from(query.error);
  // a deleted object, or one that is not the user's
  const isRefused = error.kind === 'http' && error.status < 500;
  return (
    <div className={classes.problem} role="alert">
      <IconAlertCircle size={18} aria-hidden="true" />
      <p>
        <strong>{what} could not be loaded.</strong> {error.message}
        {!isRefused && ' Nothing is lost.'}
      </p>
      <Button onClick={() => void query.refetch()}>Try again</Button>
    </div>
  );
}
