/** How much space the user's objects take, and freeing that of deleted ones. */
import { Button } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { Space } from '../../../contract/space.ts';
import { accountKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/note.tsx';
import { formatBytes, formatCount } from '../../ui/numbers.ts';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { showToast } from '../../ui/toasts.tsx';
import classes from './account-page.module.css';

export function spaceQueryOptions(client: Client) {
  return queryOptions({
    queryKey: accountKeys.space,
    queryFn: ({ signal }) => client.viewSpace({ signal }),
  });
}

const names: Record<Space['kinds'][number]['kind'], [label: string, one: string, many: string]> = {
  model: ['Models', 'model', 'models'],
  data: ['Data', 'data object', 'data objects'],
  draws: ['Draws', 'run', 'runs'],
  logs: ['Logs', 'log', 'logs'],
  files: ['Prepared downloads', 'file', 'files'],
};

export function SpaceSection() {
  const client = useClient();
  const space = useQuery(spaceQueryOptions(client));
  return (
    <Card padded>
      <h2>Storage</h2>
      {space.isError && <QueryProblem query={space} what="The storage use" />}
      {space.data !== undefined && <Taken space={space.data} />}
    </Card>
  );
}

function Taken({ space }: { space: Space }) {
  const total = space.kinds.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <>
      <table className={classes.space}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Count</th>
            <th scope="col">Size</th>
          </tr>
        </thead>
        <tbody>
          {space.kinds.map(({ kind, bytes, objects }) => {
            const [label, one, many] = names[kind];
            return (
              <tr key={kind}>
                <th scope="row">{label}</th>
                <td className={classes.dim} data-numeric>
                  {formatCount(objects)} {objects === 1 ? one : many}
                </td>
                <td data-numeric>{formatBytes(bytes)}</td>
              </tr>
            );
          })}
          <tr>
            <th scope="row">Total</th>
            <td />
            <td data-numeric>{formatBytes(total)}</td>
          </tr>
        </tbody>
      </table>
      <Deleted deleted={space.deleted} />
    </>
  );
}

function Deleted({ deleted }: { deleted: Space['deleted'] }) {
  const queryClient = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const { objects, bytes } = deleted;
  const free = useAction(
    async (client) => queryClient.setQueryData(accountKeys.space, await client.freeSpace()),
    { failed: 'Not deleted', onDone: () => showToast({ message: `${formatBytes(bytes)} freed.` }) },
  );
  if (objects === 0) {
    return (
      <Note gap="above" small>
        No deleted objects are kept for undo.
      </Note>
    );
  }
  const what = `${formatCount(objects)} deleted ${objects === 1 ? 'object' : 'objects'}`;
  return (
    <div className={classes.free}>
      <p className={classes.dim}>
        {what} ({formatBytes(bytes)}) can still be restored.
      </p>
      {isAsked ? (
        <>
          <Button
            variant="filled"
            size="xs"
            color="red"
            loading={free.isBusy}
            onClick={() => void free.run().then(() => setAsked(false))}
          >
            Yes, delete for good
          </Button>
          <Button size="xs" disabled={free.isBusy} onClick={() => setAsked(false)}>
            Keep
          </Button>
        </>
      ) : (
        <Button size="xs" onClick={() => setAsked(true)}>
          Delete for good
        </Button>
      )}
    </div>
  );
}
