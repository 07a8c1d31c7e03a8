/**
 * Data objects.
 *
 * data → lists → list(filters)
 *      → details → detail(id) → content(version), versions(newest), uses
 */
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Data } from '../../../contract/data.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Workflow } from '../../../contract/workflow.ts';

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
export const previewBytes = 32 * 2 ** 20;

/** The bytes of a data object as it is, or was in `version`; null when they are too large to be shown. */
export function dataContentQueryOptions(
  client: Client,
  id: string,
  {
    version,
    newest,
  }: { readonly version: number | undefined; readonly newest: number | undefined },
) {
  return queryOptions({
    // The newest is asked for again when there is another newest one.
    queryKey: [...dataKeys.detail(id), 'content', version ?? `newest ${newest ?? ''}`],
    queryFn: async ({ signal }): Promise<Uint8Array<ArrayBuffer> | null> => {
      const data = await viewVersion(client, id, { version, signal });
      if (data.size !== undefined && data.size > previewBytes) return null;
      return fetchBytes(data.path, signal);
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Megabytes that nobody looks at any more.
    gcTime: 60_000,
  });
}

/** The newest, or an earlier version where the server has them; its `path` is fresh. */
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
    throw new ApiError('http', 'the file is not there', { status: response.status });
  return new Uint8Array(await response.arrayBuffer());
}

/** Newest first. */
export function dataVersionsQueryOptions(client: Client, id: string, version: number | undefined) {
  return queryOptions({
    queryKey: [...dataKeys.detail(id), 'versions', version],
    queryFn: async ({ signal }) =>
      (await client.listVersions({ params: { objid: id }, signal })).versions,
  });
}

/** So many of the newest are looked through. */
const searchedObjects = 1000;

export interface DataUses {
  readonly workflows: readonly Workflow[];
  readonly experiments: readonly Experiment[];
  /** There are more than were looked through. */
  readonly isCut: boolean;
}

/** Workflows that read it and experiments that did. */
export function dataUsesQueryOptions(client: Client, id: string) {
  return queryOptions({
    queryKey: [...dataKeys.detail(id), 'uses'],
    queryFn: async ({ signal }): Promise<DataUses> => {
      const list = (kind: 'workflow' | 'experiment') =>
        client.listObjects({ query: { object_type: kind, page_size: searchedObjects }, signal });
      const [workflows, experiments] = await Promise.all([list('workflow'), list('experiment')]);
      return {
        workflows: workflows.objects.filter(
          (object): object is Workflow =>
            object.object_type === 'workflow' && object.data_id === id,
        ),
        experiments: experiments.objects.filter(
          (object): object is Experiment =>
            object.object_type === 'experiment' && object.input === id,
        ),
        isCut: workflows.total > searchedObjects || experiments.total > searchedObjects,
      };
    },
  });
}
