/** Asks the worker for figures: one thread a page, questions answered in order. */
import type { AnsweredFigure, FigureRequest } from './figure-request.ts';
import type { FigureAnswer, FigureQuestion } from './figure-worker.ts';

interface Waiting {
  readonly resolve: (figure: AnsweredFigure) => void;
  readonly reject: (error: Error) => void;
}

let worker: Worker | null = null;
let asked = 0;
const waiting = new Map<number, Waiting>();

/**
 * Draws a figure in a thread of its own; on this one where there are none (tests). The draws are copied, for they
 * share memory with the store. Rejects with the reason in words.
 */
export async function askFigure(
  request: FigureRequest,
  withTable = false,
): Promise<AnsweredFigure> {
  if (typeof Worker === 'undefined') {
    const { answerRequest } = await import('./figure-request.ts');
    return answerRequest(request, withTable);
  }
  startFigureThread();
  const copied = await copyDraws(request);
  // It may have ended while its question was made ready.
  startFigureThread();
  asked += 1;
  const question: FigureQuestion = { id: asked, request: copied, withTable };
  return new Promise((resolve, reject) => {
    waiting.set(question.id, { resolve, reject });
    worker?.postMessage(question, buffersIn(question.request));
  });
}

/** Starts the thread where there are threads and none runs, so that it is there when the first figure is asked for. */
export function startFigureThread(): void {
  if (typeof Worker !== 'undefined') worker ??= startWorker();
}

function startWorker(): Worker {
  const made = new Worker(new URL('./figure-worker.ts', import.meta.url), { type: 'module' });
  made.onmessage = ({ data }: MessageEvent<FigureAnswer>) => {
    const asker = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.ok) asker?.resolve(data.figure);
    else asker?.reject(new Error(data.message));
  };
  made.onerror = () => {
    // The next question starts another thread.
    worker = null;
    for (const { reject } of waiting.values()) reject(new Error('The thread of plots ended.'));
    waiting.clear();
  };
  return made;
}

/** Milliseconds of copying after which the page gets its turn. */
const longestTurnMs = 8;

/** The same request whose arrays have memory of their own: a view would be sent with all that is behind it. */
async function copyDraws<T>(request: T): Promise<T> {
  let began = performance.now();
  const copy = async (value: unknown): Promise<unknown> => {
    if (value instanceof Float64Array) {
      if (performance.now() - began > longestTurnMs) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        began = performance.now();
      }
      return value.slice();
    }
    if (value === null || typeof value !== 'object' || value instanceof Set) return value;
    if (Array.isArray(value)) {
      const copies: unknown[] = [];
      for (const member of value) copies.push(await copy(member));
      return copies;
    }
    const copies: [string, unknown][] = [];
    for (const [key, member] of Object.entries(value)) copies.push([key, await copy(member)]);
    return Object.fromEntries(copies);
  };
  return (await copy(request)) as T;
}

function buffersIn(value: unknown): ArrayBuffer[] {
  if (value instanceof Float64Array) return [value.buffer as ArrayBuffer];
  if (Array.isArray(value)) return value.flatMap(buffersIn);
  if (value === null || typeof value !== 'object' || value instanceof Set) return [];
  return Object.values(value).flatMap(buffersIn);
}
