/** A thread that reads large bodies and texts, one after the other, until it is ended. */
import { parentPort } from 'node:worker_threads';
import { ServiceError } from '../http/service-error.ts';
import type { ReadingAnswer, ReadingRequest } from '../reading/reading-work.ts';
import { readingTasks } from './reading-tasks.ts';

parentPort?.on('message', (request: ReadingRequest) => void answerTo(request));

/** Rejects only when an answer cannot be sent, which ends the thread. */
async function answerTo({ name, input }: ReadingRequest): Promise<void> {
  const answer = await carryOut(name, input);
  parentPort?.postMessage(answer, 'output' in answer ? buffersOf(answer.output) : []);
}

async function carryOut(name: ReadingRequest['name'], input: unknown): Promise<ReadingAnswer> {
  try {
    return { output: await (readingTasks[name] as (sent: unknown) => unknown)(input) };
  } catch (error) {
    if (!(error instanceof ServiceError)) return { fault: String((error as Error).stack) };
    const { code, message, details } = error;
    return { refusal: { code, message, details } };
  }
}

/** Buffers of all arrays of bytes and numbers that fill them: these are transferred, the rest is copied. */
function buffersOf(root: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const left: unknown[] = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!ArrayBuffer.isView(value)) left.push(...membersOf(value));
    else if (value.byteLength === value.buffer.byteLength) buffers.add(value.buffer as ArrayBuffer);
  }
  return [...buffers];
}

/** Long lists contain values, not buffers: buffers are in objects and in short lists of files and chains. */
function membersOf(value: object): unknown[] {
  return Array.isArray(value) && typeof value[0] !== 'object' ? [] : Object.values(value);
}
