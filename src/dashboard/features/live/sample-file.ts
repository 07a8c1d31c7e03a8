/**
 * Draws by the documented way, for servers without `draws` and `summary`: the entire file of draws, requested again as
 * the run grows, read in a worker, put into the store in one step.
 */
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import type { Summary } from '../../../contract/draws.ts';
import type { Access } from '../../objects/object-queries.ts';
import { askOnce } from '../../threads/call-worker.ts';
import type { DrawsStore } from './draws-store.ts';
import type { SampleFile, SampleFileRequest } from './read-sample-file.ts';
import { waitForSampleFile } from './sample-address.ts';

/** The last load: number of draws per chain, when it ended, how long it took, and whether the run had ended. */
export interface LastLoad {
  readonly numSamples: number;
  /** Milliseconds on any steady clock. */
  readonly at: number;
  readonly durationMs: number;
  readonly ended: boolean;
}

const shortestPauseMs = 10_000;

/** Whether to request the file again: with a fifth more draws, not too soon; and once more when the run has ended. */
export function isSampleFileDue(
  last: LastLoad | null,
  now: { readonly numSamples: number; readonly at: number; readonly ended: boolean },
): boolean {
  if (now.numSamples === 0) return false;
  if (last === null || (now.ended && !last.ended)) return true;
  if (now.at - last.at < Math.max(shortestPauseMs, 4 * last.durationMs)) return false;
  return now.numSamples >= 1.2 * last.numSamples && now.numSamples > last.numSamples;
}

export interface SampleFileState {
  readonly numSamples: number;
  readonly ended: boolean;
  readonly maxTreedepth: number | null;
}

export class SampleFileLoader {
  private last: LastLoad | null = null;

  constructor(
    private readonly client: Client,
    private readonly objid: string,
    private readonly access: Access,
    private readonly store: DrawsStore,
  ) {}

  isDue(now: SampleFileState): boolean {
    return isSampleFileDue(this.last, { ...now, at: performance.now() });
  }

  /** Loads the file, replaces the store and returns the summary of its contents. Throws `ApiError`. */
  async load(now: SampleFileState, signal?: AbortSignal): Promise<Summary> {
    const started = performance.now();
    const url = await waitForSampleFile(this.client, this.objid, this.access, signal);
    const { columns, summary } = await readInWorker(
      { url, maxTreedepth: now.maxTreedepth },
      signal,
    );
    this.store.replace(columns);
    const at = performance.now();
    this.last = { numSamples: now.numSamples, ended: now.ended, at, durationMs: at - started };
    return summary;
  }
}

export interface SampleQuestions {
  read: { ask: SampleFileRequest; answer: SampleFile };
}

/** Reads the file in a separate thread. Throws `ApiError`. */
async function readInWorker(request: SampleFileRequest, signal?: AbortSignal): Promise<SampleFile> {
  try {
    return await askOnce<SampleQuestions, 'read'>(
      {
        make: () => new Worker(new URL('./sample-worker.ts', import.meta.url), { type: 'module' }),
        local: async () => ({ read: (await import('./read-sample-file.ts')).readSampleFile }),
        ended: 'the worker stopped.',
      },
      'read',
      { ask: request, signal },
    );
  } catch (error) {
    if (signal?.aborted) throw ApiError.from(signal.reason);
    throw unreadable(error instanceof Error ? error.message : String(error));
  }
}

function unreadable(reason: string): ApiError {
  return new ApiError('schema', `The file of draws could not be read: ${reason}`);
}
