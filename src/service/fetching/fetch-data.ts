/** Data made from an address. */
import { limits } from '../../contract/system.ts';
import type { ReadingThreads } from '../reading/reading-threads.ts';
import type { DataContent } from '../repositories/data.ts';
import type { Fetcher } from './fetcher.ts';

export interface DataReaders {
  readonly fetcher: Fetcher;
  readonly reading: ReadingThreads;
}

/** Throws as the fetcher does. */
export async function fetchDataContent(
  { fetcher, reading }: DataReaders,
  address: string,
): Promise<DataContent> {
  const { bytes } = await fetcher.fetch(address, {
    maxBytes: limits.body_bytes,
    timeoutMs: 60_000,
  });
  // a copy that another thread may have: JSON of megabytes takes seconds to read
  const fmt = await reading.run('dataFormat', { bytes });
  return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), fmt };
}
