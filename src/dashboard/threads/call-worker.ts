/** The page's side of a worker: typed questions by name, each with its own answer. */

/** Names of questions, with the request and the answer of each. */
export type QuestionTable<Questions> = {
  [Name in keyof Questions]: { ask: unknown; answer: unknown };
};

/** What answers the questions: a worker with `serveQuestions`, or this thread if there are no workers. */
export type Answers<Questions extends QuestionTable<Questions>> = {
  readonly [Name in keyof Questions]: (
    ask: Questions[Name]['ask'],
    report?: ReportProgress,
  ) => Questions[Name]['answer'] | Promise<Questions[Name]['answer']>;
};

/** Progress of an answer: steps done, and their total. Reported as often as the caller likes. */
export type ReportProgress = (done: number, total: number) => void;

export interface QuestionMessage {
  readonly id: number;
  readonly name: string;
  readonly ask: unknown;
}

/** A failure is a text, since errors lose their type between threads. */
export type AnswerMessage =
  | { readonly id: number; readonly done: number; readonly total: number }
  | { readonly id: number; readonly ok: true; readonly answer: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };

/** The part of a `Worker` that is needed; tests pass one that answers synchronously. */
export interface WorkerLike {
  postMessage(message: QuestionMessage, transfer?: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<AnswerMessage>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

export interface WorkerOptions<Questions extends QuestionTable<Questions>> {
  readonly make: () => WorkerLike;
  /** Answers on this thread if there are no workers (tests). */
  readonly local?: () => Promise<Answers<Questions>>;
  /** Why open questions fail when the worker crashes. */
  readonly ended: string;
}

export interface WorkerCall<Questions extends QuestionTable<Questions>> {
  /** Starts the worker when none runs. `transfer`: memory that is transferred instead of copied. */
  readonly ask: <Name extends keyof Questions & string>(
    name: Name,
    ask: Questions[Name]['ask'],
    transfer?: Transferable[],
    onProgress?: ReportProgress,
  ) => Promise<Questions[Name]['answer']>;
  /** Starts it before the first question. */
  readonly start: () => void;
  /** Open questions fail with `reason`. */
  readonly stop: (reason?: string) => void;
}

export function callWorker<Questions extends QuestionTable<Questions>>({
  make,
  local,
  ended,
}: WorkerOptions<Questions>): WorkerCall<Questions> {
  let worker: WorkerLike | null = null;
  let lastId = 0;
  const open = new Map<number, Open>();
  const fail = (reason: string) => {
    worker = null;
    for (const { reject } of open.values()) reject(new Error(reason));
    open.clear();
  };
  const start = () => {
    if (worker !== null) return worker;
    worker = make();
    worker.onmessage = ({ data }) => {
      const question = open.get(data.id);
      if ('done' in data) {
        question?.onProgress?.(data.done, data.total);
        return;
      }
      open.delete(data.id);
      if (data.ok) question?.resolve(data.answer as never);
      else question?.reject(new Error(data.message));
    };
    // The next question starts another one.
    worker.onerror = (event) => fail(event.message ? `${ended} ${event.message}` : ended);
    return worker;
  };
  return {
    ask: async (name, ask, transfer = [], onProgress) => {
      if (local !== undefined && !hasWorkers()) return (await local())[name](ask, onProgress);
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject, onProgress });
        start().postMessage({ id, name, ask }, transfer);
      });
    },
    start: () => {
      if (local === undefined || hasWorkers()) start();
    },
    stop: (reason = ended) => {
      worker?.terminate();
      fail(reason);
    },
  };
}

interface Open {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress?: ReportProgress;
}

const hasWorkers = () => typeof Worker !== 'undefined';

export interface OneQuestion<Ask> {
  readonly ask: Ask;
  readonly transfer?: Transferable[];
  readonly signal?: AbortSignal;
  readonly onProgress?: ReportProgress;
}

/** Asks one question of a separate worker, which ends with the answer or when `signal` aborts. */
export async function askOnce<
  Questions extends QuestionTable<Questions>,
  Name extends keyof Questions & string,
>(
  options: WorkerOptions<Questions>,
  name: Name,
  { ask, transfer, signal, onProgress }: OneQuestion<Questions[Name]['ask']>,
): Promise<Questions[Name]['answer']> {
  signal?.throwIfAborted();
  const call = callWorker<Questions>(options);
  const onAbort = () => call.stop('Stopped.');
  signal?.addEventListener('abort', onAbort);
  try {
    return await call.ask(name, ask, transfer, onProgress);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    call.stop();
  }
}
