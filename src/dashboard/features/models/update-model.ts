/** Changes a model's metadata; the page shows the server's answer immediately. */
import type { QueryClient } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { UpdatePayload } from '../../../contract/objects.ts';
import { objectKeys } from '../../objects/query-keys.ts';

type ModelChange = Omit<Extract<UpdatePayload, { object_type: 'model' }>, 'object_type'>;

export async function updateModel(
  { client, queryClient }: { readonly client: Client; readonly queryClient: QueryClient },
  id: string,
  change: ModelChange,
): Promise<void> {
  const payload = { object_type: 'model' as const, ...change };
  const answer = await client.updateObject({ params: { objid: id }, body: { payload } });
  queryClient.setQueryData(objectKeys('model').detail(id), expectKind(answer, 'model'));
}
