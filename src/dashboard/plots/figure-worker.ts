/** The worker thread that draws figures. */
import { serveQuestions } from '../threads/serve-questions.ts';
import { answerRequest } from './figure-request.ts';
import type { FigureQuestions } from './figure-thread.ts';

serveQuestions<FigureQuestions>({
  figure: ({ request, withTable }) => answerRequest(request, withTable),
});
