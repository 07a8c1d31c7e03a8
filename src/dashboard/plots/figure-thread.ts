/** Requests figures from a worker: one thread per page, requests answered in order. */
import { buffersIn, copyArrays } from '../threads/buffers.ts';
import { callWorker } from '../threads/call-worker.ts';
import type { AnsweredFigure, FigureRequest } from './figure-request.ts';

export interface FigureQuestions {
  figure: { ask: { request: FigureRequest; withTable: boolean }; answer: AnsweredFigure };
}

const thread = callWorker<FigureQuestions>({
  make: () => new Worker(new URL('./figure-worker.ts', import.meta.url), { type: 'module' }),
  local: async () => {
    const { answerRequest } = await import('./figure-request.ts');
    return { figure: ({ request, withTable }) => answerRequest(request, withTable) };
  },
  ended: 'The plot worker stopped.',
});

/** The draws are copied because they share memory with the store. Rejects with the reason in its message. */
export async function askFigure(
  request: FigureRequest,
  withTable = false,
): Promise<AnsweredFigure> {
  startFigureThread();
  const copied = typeof Worker === 'undefined' ? request : await copyArrays(request);
  return thread.ask('figure', { request: copied, withTable }, buffersIn(copied));
}

/** Starts the thread if workers exist and none runs, so that it is ready when the first figure is requested. */
export function startFigureThread(): void {
  thread.start();
}
