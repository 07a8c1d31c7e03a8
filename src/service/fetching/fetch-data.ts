/** Data made from an address. */
import { limits } from '../../contract/system.ts';
import { formatOf } from '../content/data-format.ts';
import type { DataContent } from '../repositories/data.ts';
import type { Fetcher } from './fetcher.ts';

/** Throws as the fetcher does. */
export async function fetchDataContent(fetcher: Fetcher, address: string): Promise<DataContent> {
  const { bytes } = await fetcher.fetch(address, {
    maxBytes: limits.body_bytes,
    timeoutMs: 60_000,
  });
  const content = Buffer.from(bytes);
  return { bytes: content, fmt: formatOf(content) };
}
