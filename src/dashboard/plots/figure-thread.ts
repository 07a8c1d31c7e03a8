/** Asks a worker for figures: one thread a page, questions answered in order. */
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

/** The draws are copied, for they share memory with the store. Rejects with the reason in its message. */
export async function askFigure(
  request: FigureRequest,
  withTable = false,
): Promise<AnsweredFigure> {
  startFigureThread();
  const copied = typeof Worker === 'undefined' ? request : await copyArrays(request);
  return thread.ask('figure', { request: copied, withTable }, buffersIn(copied));
}

/** Starts the thread where there are threads and none runs, so that it is there when the first figure is asked for. */
export function startFigureThread(): void {
  thread.start();
}
