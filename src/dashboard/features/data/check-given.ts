/** Rejects JSON that is broken or truncated: if stored as is, the error would only show in a run. */
import { ApiError } from '../../../client/api-error.ts';
import { identify } from '../mapper/mapping-call.ts';
import type { DataSource } from './send-data.ts';

/** Rejects with a sentence that gives the position. The server reads addresses; other files are stored as they are. */
export async function refuseBrokenJson(name: string, source: DataSource): Promise<void> {
  const bytes = bytesOf(source);
  if (bytes === null || !isMeantAsJson(name, source)) return;
  const given = await identify({ name, bytes });
  if (given.kind === 'broken' && given.isSyntax)
    throw new ApiError('schema', `${name || 'The text'}: ${given.message}`);
}

export function bytesOf(source: DataSource): Uint8Array | null {
  if (source.kind === 'address') return null;
  return source.kind === 'bytes' ? source.bytes : new TextEncoder().encode(source.text);
}

function isMeantAsJson(name: string, source: DataSource): boolean {
  return /\.json$/i.test(name) || (source.kind === 'text' && /^\s*[[{]/.test(source.text));
}
