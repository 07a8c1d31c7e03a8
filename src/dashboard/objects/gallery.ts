/** The gallery of models. */
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/create-client.ts';
import type { GalleryEntry } from '../../contract/system.ts';
import { systemKeys } from './query-keys.ts';

/** Examples the server offers, in one list; null if it has no gallery. */
export function galleryQueryOptions(client: Client) {
  return queryOptions({
    queryKey: systemKeys.gallery,
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
