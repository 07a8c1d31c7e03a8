/** The bytes of a data object as sent, and their format. */
import { fromBase64 } from '../../formats/base64.ts';
import { type DataReaders, fetchDataContent } from '../fetching/fetch-data.ts';
import { invalidParameter } from '../http/service-error.ts';
import type { DataContent } from '../repositories/data.ts';
import { formatOf } from './data-format.ts';

export interface SentData {
  readonly data?: string | null;
  readonly base64_encoded: boolean;
  readonly data_uri?: string | null;
}

/**
 * An address goes before text; `decoded`: the text, where it was read already. Null when nothing was sent. Throws
 * INVALID_PARAMETER when the text is said to be base64 and is not, and what the fetcher throws.
 */
export async function takeDataContent(
  readers: DataReaders,
  { data, base64_encoded: isBase64, data_uri: uri }: SentData,
  decoded?: DataContent,
): Promise<DataContent | null> {
  if (uri) return fetchDataContent(readers, uri);
  if (decoded !== undefined) return decoded;
  if (data === undefined || data === null) return null;
  return decodeData(data, isBase64);
}

/** Throws INVALID_PARAMETER when the text is said to be base64 and is not. */
export function decodeData(data: string, isBase64: boolean): DataContent {
  const bytes = isBase64 ? fromBase64(data) : new TextEncoder().encode(data);
  if (bytes === null)
    throw invalidParameter('payload.data is not base64.', { field: 'payload.data' });
  return { bytes, fmt: formatOf(bytes) };
}
