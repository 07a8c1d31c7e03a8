/**
 * Data objects.
 *
 * data → lists → list(filters)
 *      → details → detail(id) → content
 */
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';

export const dataKeys = {
  all: ['datas'] as const,
  detail: (id: string) => ['datas', 'details', id] as const,
};

export function dataQueryOptions(client: Client, id: string) {
  return queryOptions({
    queryKey: dataKeys.detail(id),
    queryFn: async ({ signal }) =>
      expectKind(await client.viewObject({ params: { objid: id }, signal }), 'data'),
  });
}

/** What a preview reads at most; the rest is a download away. */
const previewBytes = 4 * 2 ** 20;

/** The text of a data object; null when it is too large or no text. */
export function dataContentQueryOptions(client: Client, id: string, version: number | undefined) {
  return queryOptions({
    queryKey: [...dataKeys.detail(id), 'content', version],
    queryFn: async ({ signal }) => {
      const data = expectKind(await client.viewObject({ params: { objid: id }, signal }), 'data');
      if (data.size !== undefined && data.size > previewBytes) return null;
      const response = await fetch(data.path, { signal }).catch((error: unknown) => {
        throw ApiError.from(error);
      });
      if (!response.ok)
        throw new ApiError('http', 'the file is not there', { status: response.status });
      const bytes = new Uint8Array(await response.arrayBuffer());
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      } catch {
        return null;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
