/** The bytes of a data object as sent, and their format. */
import { fromBase64 } from '../../formats/base64.ts';
import { invalidParameter, notSupported } from '../http/service-error.ts';
import type { DataContent } from '../repositories/data.ts';
import { formatOf } from './data-format.ts';

export interface SentData {
  readonly data?: string | null;
  readonly base64_encoded: boolean;
  readonly data_uri?: string | null;
}

/** Null when nothing was sent. Throws INVALID_PARAMETER when the text is said to be base64 and is not. */
export function readDataContent({
  data,
  base64_encoded: isBase64,
  data_uri: uri,
}: SentData): DataContent | null {
  if (uri) throw notSupported('This server does not fetch data from addresses; send it as `data`.');
  if (data === undefined || data === null) return null;
  const bytes = isBase64 ? fromBase64(data) : new TextEncoder().encode(data);
  if (bytes === null)
    throw invalidParameter('payload.data is not base64.', { field: 'payload.data' });
  return { bytes, fmt: formatOf(bytes) };
}
