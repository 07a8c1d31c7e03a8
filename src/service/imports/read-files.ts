/** Reads files of draws in a separate thread, within a time limit. */
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ImportError } from '../../formats/imported-draws.ts';
import type { DrawFilesContent } from '../../formats/read-draw-files.ts';
import { builtServerFile } from '../built-file.ts';
import type { ReaderAnswer, ReaderRequest } from './reader-messages.ts';

/** Ten times what a valid file of the largest size needs. */
const DEADLINE_MS = 120_000;
const HEAP_MB = 1536;

/** Throws {@link ImportError}: what is wrong with the files, or that reading them exceeded the time or memory limit. */
export async function readFiles(
  request: ReaderRequest,
  deadlineMs = DEADLINE_MS,
): Promise<DrawFilesContent> {
  const thread = new Worker(pathToFileURL(builtServerFile('node-draws-reader-worker.js')), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    // Libraries in it write what is wrong with a file to the console.
    stdout: true,
    stderr: true,
    env: {},
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<ReaderAnswer>((resolve, reject) => {
      const seconds = Math.round(deadlineMs / 1000);
      const late = `Reading the files took longer than ${seconds} seconds, so it was stopped.`;
      timer = setTimeout(() => reject(new ImportError(late)), deadlineMs);
      thread.once('message', resolve);
      thread.on('error', (error: NodeJS.ErrnoException) => reject(asImportError(error)));
      thread.once('exit', () =>
        reject(new ImportError('Reading the files ended without a result.')),
      );
      thread.postMessage(request);
    });
    if ('problem' in answer) throw new ImportError(answer.problem);
    return answer.content;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}

function asImportError(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new ImportError(`Reading the files takes more than ${HEAP_MB} MB of memory.`);
}
