/** The text of a data object, for checking it against a program. */
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Data } from '../../../contract/data.ts';
import { isCompound, isWorkbook } from '../../../formats/workbook-mark.ts';
import { objectKeys } from '../../objects/query-keys.ts';

/** Maximum size compared with a data block here; larger data are checked by the server when the run starts. */
const largestChecked = 16 * 2 ** 20;

export interface DataText {
  readonly data: Data;
  /** Null: too large, or not text. */
  readonly text: string | null;
  /** Null: too large. */
  readonly bytes: Uint8Array | null;
  /** Whether it has to be mapped first, or cannot be read at all. */
  readonly form: DataForm;
}

/** `bytes`: neither text nor a workbook. Null: values, or not known. */
export type DataForm = 'columns' | 'other-encoding' | 'workbook' | 'bytes' | null;

export function dataTextQueryOptions(client: Client, id: string, version: number | undefined) {
  return queryOptions({
    queryKey: objectKeys('data').part(id, ['text', version ?? 0]),
    queryFn: ({ signal }) => readDataObject(client, id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Delimited text, in any encoding. */
export const isTableName = (name: string): boolean => /\.(?:csv|tsv|tab)$/i.test(name);

/** The newest version. Throws `ApiError`. */
export async function readDataObject(
  client: Client,
  id: string,
  signal?: AbortSignal,
): Promise<DataText> {
  const data = expectKind(await client.viewObject({ params: { objid: id }, signal }), 'data');
  const isTable = data.fmt === 'csv' || isTableName(data.name);
  const form = isTable ? 'columns' : null;
  if (data.size !== undefined && data.size > largestChecked)
    return { data, text: null, bytes: null, form };
  const response = await fetch(data.path, { signal }).catch((error: unknown) => {
    throw ApiError.from(error);
  });
  if (!response.ok)
    throw new ApiError('http', 'The data cannot be read now.', { status: response.status });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (isWorkbook(bytes) || isCompound(bytes)) return { data, text: null, bytes, form: 'workbook' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { data, text, bytes, form };
  } catch {
    return { data, text: null, bytes, form: isTable ? 'other-encoding' : 'bytes' };
  }
}
