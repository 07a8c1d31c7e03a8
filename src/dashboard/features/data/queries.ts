/** Content, versions and uses of one data object. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Data } from '../../../contract/data.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import type { ListEntry } from '../../../contract/objects.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { pageSize } from '../../objects/object-queries.ts';
import { objectKeys } from '../../objects/query-keys.ts';

/** Maximum size that a preview reads; larger data can be downloaded. */
const previewBytes = 32 * 2 ** 20;

/** The bytes of a data object now, or in `version`; null if they are too large to show. */
export function dataContentQueryOptions(
  client: Client,
  id: string,
  {
    version,
    newest,
  }: { readonly version: number | undefined; readonly newest: number | undefined },
) {
  return queryOptions({
    // The newest is requested again when there is a newer one.
    queryKey: objectKeys('data').part(id, ['content', version ?? `newest ${newest ?? ''}`]),
    queryFn: async ({ signal }): Promise<Uint8Array<ArrayBuffer> | null> => {
      const data = await viewVersion(client, id, { version, signal });
      if (data.size !== undefined && data.size > previewBytes) return null;
      return fetchBytes(data.path, signal);
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Frees megabytes that are no longer shown.
    gcTime: 60_000,
  });
}

/** The newest, or an earlier version if the server has them; its `path` is fresh. */
export async function viewVersion(
  client: Client,
  id: string,
  { version, signal }: { version?: number | undefined; signal?: AbortSignal },
): Promise<Data> {
  const query = version === undefined ? {} : { query: { version } };
  return expectKind(await client.viewObject({ params: { objid: id }, ...query, signal }), 'data');
}

export async function fetchBytes(
  path: string,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(path, { signal }).catch((error: unknown) => {
    throw ApiError.from(error);
  });
  if (!response.ok)
    throw new ApiError('http', 'the file could not be fetched', { status: response.status });
  return new Uint8Array(await response.arrayBuffer());
}

/** Newest first. */
export function dataVersionsQueryOptions(client: Client, id: string, version: number | undefined) {
  return queryOptions({
    queryKey: objectKeys('data').part(id, ['versions', version]),
    queryFn: async ({ signal }) =>
      (await client.listVersions({ params: { objid: id }, signal })).versions,
  });
}

/** Objects per page if the server cannot say which objects read the data. */
export const lookedPageSize = 1000;

interface Using {
  readonly workflow: Workflow;
  readonly experiment: Experiment;
}
type UsingKind = keyof Using;

/** From a server that knows (`isExact`), what uses the data; else filtered from all objects of the kind. */
export interface UsesPage<K extends UsingKind> {
  readonly using: readonly Using[K][];
  readonly numLooked: number;
  /** Over all pages. */
  readonly total: number;
}

/** Workflows that read it, or experiments that have read it; newest first. */
export function dataUsesQueryOptions<K extends UsingKind>(
  client: Client,
  id: string,
  { kind, isExact }: { readonly kind: K; readonly isExact: boolean },
) {
  const query = isExact
    ? { object_type: kind, page_size: pageSize, data_id: [id] }
    : { object_type: kind, page_size: lookedPageSize };
  return infiniteQueryOptions({
    queryKey: objectKeys('data').part(id, ['uses', kind, isExact]),
    queryFn: async ({ pageParam, signal }): Promise<UsesPage<K>> => {
      const page = await client.listObjects({ query: { ...query, page_no: pageParam }, signal });
      return {
        using: page.objects.filter(
          (object): object is Using[K] => object.object_type === kind && reads(object, id),
        ),
        numLooked: page.objects.length,
        total: page.total,
      };
    },
    initialPageParam: 1,
    // Refetching would request all pages so far, and these are long.
    refetchOnWindowFocus: false,
    getNextPageParam: (last, pages) => {
      const numLooked = pages.reduce((sum, page) => sum + page.numLooked, 0);
      return last.numLooked > 0 && numLooked < last.total ? pages.length + 1 : undefined;
    },
  });
}

function reads(object: ListEntry, id: string): boolean {
  if (object.object_type === 'workflow') return object.data_id === id;
  return object.object_type === 'experiment' && object.input === id;
}
