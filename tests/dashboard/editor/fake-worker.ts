/** A worker that keeps what it is asked, and answers when a test says so. */
import type {
  AnswerMessage,
  QuestionMessage,
  WorkerLike,
} from '../../../src/dashboard/threads/call-worker.ts';

export class FakeWorker implements WorkerLike {
  readonly sent: QuestionMessage[] = [];
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  isStopped = false;
  postMessage(message: QuestionMessage): void {
    this.sent.push(message);
  }
  terminate(): void {
    this.isStopped = true;
  }
  answer(data: AnswerMessage): void {
    this.onmessage?.({ data } as MessageEvent<AnswerMessage>);
  }
}
