/** Reads a large document beside the page and answers what is asked of it. */
import { createAnswers, type PreviewQuestion, type WorkerAnswer } from './preview-source.ts';

const answers = createAnswers();

self.onmessage = ({ data }: MessageEvent<PreviewQuestion & { readonly id: number }>) => {
  let message: WorkerAnswer;
  try {
    message = { id: data.id, answer: answers(data) };
  } catch (error) {
    message = { id: data.id, problem: (error as Error).message };
  }
  self.postMessage(message);
};
