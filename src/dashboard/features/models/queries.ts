/**
 * Models.
 *
 * models → lists → list(filters)
 *        → details → detail(id)
 * gallery
 */
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { GalleryEntry } from '../../../contract/system.ts';

export const modelKeys = {
  all: ['models'] as const,
  detail: (id: string) => ['models', 'details', id] as const,
};

export function modelQueryOptions(client: Client, id: string) {
  return queryOptions({
    queryKey: modelKeys.detail(id),
    queryFn: async ({ signal }) =>
      expectKind(await client.viewObject({ params: { objid: id }, signal }), 'model'),
  });
}

/** Examples the server offers, in one list; null where it has no gallery. */
export function galleryQueryOptions(client: Client) {
  return queryOptions({
    queryKey: ['gallery'],
    queryFn: async ({ signal }): Promise<readonly GalleryEntry[] | null> => {
      try {
        const { models } = await client.viewGallery({ signal });
        return Object.values(models).flat();
      } catch (error) {
        const { kind } = ApiError.from(error);
        if (kind === 'http' || kind === 'schema') return null;
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
