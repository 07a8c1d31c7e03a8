/** The text of a data object, to be checked against a program. */
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Data } from '../../../contract/data.ts';
import { objectKeys } from '../../objects/query-keys.ts';

/** What is compared with a data block here; larger data are checked by the server when the run starts. */
const largestChecked = 16 * 2 ** 20;

export interface DataText {
  readonly data: Data;
  /** Null: too large, or no text. */
  readonly text: string | null;
}

export function dataTextQueryOptions(client: Client, id: string, version: number | undefined) {
  return queryOptions({
    queryKey: objectKeys('data').part(id, ['text', version ?? 0]),
    queryFn: ({ signal }) => readDataObject(client, id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The newest version. Throws `ApiError`. */
export async function readDataObject(
  client: Client,
  id: string,
  signal?: AbortSignal,
): Promise<DataText> {
  const data = expectKind(await client.viewObject({ params: { objid: id }, signal }), 'data');
  if (data.size !== undefined && data.size > largestChecked) return { data, text: null };
  const response = await fetch(data.path, { signal }).catch((error: unknown) => {
    throw ApiError.from(error);
  });
  if (!response.ok)
    throw new ApiError('http', 'The data cannot be read now.', { status: response.status });
  const bytes = await response.arrayBuffer();
  try {
    return { data, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { data, text: null };
  }
}
