/** The page's side of the Stan worker: keeps its files up to date and asks it questions. */
import { callWorker, type WorkerCall, type WorkerLike } from '../threads/call-worker.ts';
import type { Problems, StanQuestions } from './stan-protocol.ts';

export interface StanFiles {
  /** Text by path of the model's text files. */
  readonly texts: ReadonlyMap<string, string>;
  /** Path of the program; null when the model has none that is Stan. */
  readonly entrance: string | null;
}

export class StanService {
  private readonly call: WorkerCall<StanQuestions>;
  private isStarted = false;
  private sent = new Map<string, string>();
  private entrance: string | null | undefined;
  private onProblems: (problems: Problems) => void = () => undefined;
  private isStrict = false;

  constructor(make: () => WorkerLike = startWorker) {
    this.call = callWorker({ make, ended: 'The language service could not be started.' });
  }

  /** Starts the worker, or another after a stop; `onProblems` is called after each check. */
  start(onProblems: (problems: Problems) => void): void {
    this.stop();
    this.onProblems = onProblems;
    this.isStarted = true;
    this.call.start();
    if (this.isStrict) this.sendStrict();
  }

  /** Shows all stricter checks from now on, or only those that are rarely wrong. */
  setStrict(isStrict: boolean): void {
    if (isStrict === this.isStrict) return;
    this.isStrict = isStrict;
    if (this.isStarted) this.sendStrict();
  }

  private sendStrict(): void {
    // A worker that crashed is restarted, and then receives the current state.
    this.call.ask('strict', { isOn: this.isStrict }).then(this.onProblems, () => undefined);
  }

  /** Sends what changed since the last call; sends nothing when nothing changed. */
  setFiles({ texts, entrance }: StanFiles): void {
    if (!this.isStarted) return;
    const changed: Record<string, string> = {};
    for (const [path, text] of texts) if (this.sent.get(path) !== text) changed[path] = text;
    const removed = [...this.sent.keys()].filter((path) => !texts.has(path));
    if (Object.keys(changed).length === 0 && removed.length === 0 && entrance === this.entrance)
      return;
    for (const path of removed) this.sent.delete(path);
    for (const [path, text] of Object.entries(changed)) this.sent.set(path, text);
    this.entrance = entrance;
    const { sent } = this;
    this.call.ask('files', { changed, removed, entrance }).then(
      (problems) => problems !== null && this.onProblems(problems),
      // A worker that crashed has lost its files: the next one gets them all.
      () => {
        if (this.sent === sent) this.forgetFiles();
      },
    );
  }

  ask<N extends keyof StanQuestions>(
    name: N,
    ask: StanQuestions[N]['ask'],
  ): Promise<StanQuestions[N]['answer']> {
    if (!this.isStarted) return Promise.reject(new Error('The language service is not running.'));
    return this.call.ask(name, ask);
  }

  stop(): void {
    this.isStarted = false;
    this.call.stop('The language service was stopped.');
    this.forgetFiles();
  }

  private forgetFiles(): void {
    this.sent = new Map();
    this.entrance = undefined;
  }
}

function startWorker(): WorkerLike {
  return new Worker(new URL('./stan-worker.ts', import.meta.url), { type: 'module', name: 'stan' });
}
