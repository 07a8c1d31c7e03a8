/** The data that a run conditions on, as far as this user may see them. */
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../../client/api-error.ts';
import type { Client } from '../../../../client/create-client.ts';
import { expectKind } from '../../../../client/expect-kind.ts';
import { readDataText } from '../../../../formats/data-text.ts';
import { dataVariables } from '../../../../formats/data-variables.ts';
import type { DataVariable } from '../../../../posterior/predictive/pairing.ts';
import { type Access, freshness } from '../../../objects/object-queries.ts';
import { objectKeys } from '../../../objects/query-keys.ts';
import { fileAddress } from '../../live/sample-address.ts';

/** Maximum number of bytes read here. */
const maxBytes = 16 * 2 ** 20;

export interface ObservedData {
  readonly variables: readonly DataVariable[];
  readonly text: string;
}

/** Null: the run has no data, or a share does not include them. Errors say why data cannot be read. */
export function observedQueryOptions(client: Client, id: string, access: Access) {
  return queryOptions({
    queryKey: objectKeys('experiment').part(id, ['observed'], access.shareId),
    queryFn: async ({ signal }): Promise<ObservedData | null> => {
      const address = await addressOf(client, id, access, signal);
      if (address === '') return null;
      const response = await fetch(fileAddress(address), { signal });
      if (!response.ok)
        throw new ApiError('http', 'The data cannot be read now.', { status: response.status });
      const bytes = await response.arrayBuffer();
      if (bytes.byteLength > maxBytes)
        throw new ApiError(
          'schema',
          `The data are larger than ${maxBytes / 2 ** 20} MB, too large to be read here.`,
        );
      const text = new TextDecoder().decode(bytes);
      const read = readDataText(text);
      if (!read.ok) throw new ApiError('schema', `${read.error.message}.`);
      return { variables: dataVariables(read.value.values), text };
    },
    ...freshness(access),
    // a run's inputs never change
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Fetched each time: signed addresses expire within an hour. Other servers return the current data object instead. */
async function addressOf(
  client: Client,
  objid: string,
  { shareId, password }: Access,
  signal: AbortSignal,
): Promise<string> {
  const query = { share_id: shareId ?? '' };
  const answer = await client.viewObject({
    params: { objid },
    query,
    sharePassword: password,
    signal,
  });
  const { meta, input } = expectKind(answer, 'experiment');
  if (meta?.data_path) return meta.data_path;
  if (shareId !== undefined || !input) return '';
  return expectKind(await client.viewObject({ params: { objid: input }, signal }), 'data').path;
}
