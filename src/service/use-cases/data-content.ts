/** The bytes of a data object as sent, and their format. */
import { fromBase64 } from '../../formats/base64.ts';
import { formatOf } from '../content/data-format.ts';
import { fetchDataContent } from '../fetching/fetch-data.ts';
import type { Fetcher } from '../fetching/fetcher.ts';
import { invalidParameter } from '../http/service-error.ts';
import type { DataContent } from '../repositories/data.ts';

export interface SentData {
  readonly data?: string | null;
  readonly base64_encoded: boolean;
  readonly data_uri?: string | null;
}

/**
 * An address goes before text. Null when nothing was sent. Throws INVALID_PARAMETER when the text is said to be base64
 * and is not, and what the fetcher throws.
 */
export async function takeDataContent(
  fetcher: Fetcher,
  { data, base64_encoded: isBase64, data_uri: uri }: SentData,
): Promise<DataContent | null> {
  if (uri) return fetchDataContent(fetcher, uri);
  if (data === undefined || data === null) return null;
  const bytes = isBase64 ? fromBase64(data) : new TextEncoder().encode(data);
  if (bytes === null)
    throw invalidParameter('payload.data is not base64.', { field: 'payload.data' });
  return { bytes, fmt: formatOf(bytes) };
}
