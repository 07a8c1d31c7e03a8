/**
 * Workflows.
 *
 * workflows → lists → list(filters)
 *           → details → detail(id)
 */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';

export function workflowQueryOptions(client: Client, id: string) {
  return queryOptions({
    queryKey: ['workflows', 'details', id],
    queryFn: async ({ signal }) =>
      expectKind(await client.viewObject({ params: { objid: id }, signal }), 'workflow'),
  });
}
