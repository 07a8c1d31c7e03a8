/** The worker's side: answers questions by name. */
import { buffersIn } from './buffers.ts';
import type {
  AnswerMessage,
  Answers,
  QuestionMessage,
  QuestionTable,
  ReportProgress,
} from './call-worker.ts';

export interface WorkerScope {
  onmessage: ((event: MessageEvent<QuestionMessage>) => void) | null;
  postMessage(message: AnswerMessage, transfer: Transferable[]): void;
}

/** The arrays of an answer are transferred without a copy, so an answer must not contain an array reused here. */
export function serveQuestions<Questions extends QuestionTable<Questions>>(
  answers: Answers<Questions>,
  scope: WorkerScope = self as unknown as WorkerScope,
): void {
  scope.onmessage = ({ data: { id, name, ask } }) => {
    const report = createReport((done, total) => scope.postMessage({ id, done, total }, []));
    const answering = async () => answers[name as keyof Questions](ask, report);
    answering().then(
      (answer) => scope.postMessage({ id, ok: true, answer }, buffersIn(answer)),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        scope.postMessage({ id, ok: false, message }, []);
      },
    );
  };
}

/** Milliseconds between two messages of progress. */
const reportMs = 100;

/** Not more often than a person can read. */
function createReport(post: ReportProgress): ReportProgress {
  let last = Number.NEGATIVE_INFINITY;
  return (done, total) => {
    const now = performance.now();
    if (now - last < reportMs) return;
    last = now;
    post(done, total);
  };
}
