/** The page's side of the Stan worker: keeps its files up to date, asks it questions, hears of problems. */
import type { FromWorker, Problems, QuestionName, Questions, ToWorker } from './stan-protocol.ts';

export interface StanFiles {
  /** Text by path of the model's text files. */
  readonly texts: ReadonlyMap<string, string>;
  /** Path of the program; null when the model has none that is Stan. */
  readonly entrance: string | null;
}

/** What a worker is here; tests give one that answers in place. */
export interface WorkerLike {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

export class StanService {
  private readonly makeWorker: () => WorkerLike;
  private worker: WorkerLike | null = null;
  private readonly sent = new Map<string, string>();
  private entrance: string | null | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private onProblems: (problems: Problems) => void = () => undefined;

  constructor(makeWorker: () => WorkerLike = startWorker) {
    this.makeWorker = makeWorker;
  }

  /** Starts the worker, or another after a stop; `onProblems` is called after each check. */
  start(onProblems: (problems: Problems) => void): void {
    this.stop();
    this.onProblems = onProblems;
    const worker = this.makeWorker();
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = () => this.failAll('The language service could not be started.');
    this.worker = worker;
  }

  /** Sends what changed since the last call; nothing when nothing did. */
  setFiles({ texts, entrance }: StanFiles): void {
    if (this.worker === null) return;
    const changed: Record<string, string> = {};
    for (const [path, text] of texts) if (this.sent.get(path) !== text) changed[path] = text;
    const removed = [...this.sent.keys()].filter((path) => !texts.has(path));
    if (Object.keys(changed).length === 0 && removed.length === 0 && entrance === this.entrance)
      return;
    for (const path of removed) this.sent.delete(path);
    for (const [path, text] of Object.entries(changed)) this.sent.set(path, text);
    this.entrance = entrance;
    this.worker.postMessage({ type: 'files', changed, removed, entrance });
  }

  ask<N extends QuestionName>(name: N, ask: Questions[N]['ask']): Promise<Questions[N]['answer']> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: never) => void, reject });
      if (this.worker === null) throw new Error('The language service does not run.');
      this.worker.postMessage({ type: 'ask', id, name, ask });
    });
  }

  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.sent.clear();
    this.entrance = undefined;
    this.failAll('The language service was stopped.');
  }

  private receive(message: FromWorker): void {
    if (message.type === 'problems') {
      this.onProblems(message);
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.type === 'answer') waiting?.resolve(message.answer as never);
    else waiting?.reject(new Error(message.message));
  }

  private failAll(words: string): void {
    for (const { reject } of this.waiting.values()) reject(new Error(words));
    this.waiting.clear();
  }
}

function startWorker(): WorkerLike {
  return new Worker(new URL('./stan-worker.ts', import.meta.url), { type: 'module', name: 'stan' });
}
