/** The worker's side: answers questions by name. */
import { buffersIn } from './buffers.ts';
import type { AnswerMessage, Answers, QuestionMessage, QuestionTable } from './call-worker.ts';

export interface WorkerScope {
  onmessage: ((event: MessageEvent<QuestionMessage>) => void) | null;
  postMessage(message: AnswerMessage, transfer: Transferable[]): void;
}

/** The arrays of an answer go over without a copy, so that no answer may hold an array that is used again here. */
export function serveQuestions<Questions extends QuestionTable<Questions>>(
  answers: Answers<Questions>,
  scope: WorkerScope = self as unknown as WorkerScope,
): void {
  scope.onmessage = ({ data: { id, name, ask } }) => {
    const answering = async () => answers[name as keyof Questions](ask);
    answering().then(
      (answer) => scope.postMessage({ id, ok: true, answer }, buffersIn(answer)),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        scope.postMessage({ id, ok: false, message }, []);
      },
    );
  };
}
