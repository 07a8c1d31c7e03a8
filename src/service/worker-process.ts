/** Keeps one worker process alive: starts it, restarts it when it dies, stops it in order. */
import { type ChildProcess, fork } from 'node:child_process';
import { builtServerFile } from './built-file.ts';
import type { Logger } from './logging.ts';
import { createRestartPolicy } from './restart-policy.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.ts';

export interface WorkerProcess {
  /** Resolves when the first worker is ready. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended permanently by itself, with the reason and whether that is a fault. */
  readonly over: Promise<WorkerEnd>;
  stop(): Promise<void>;
}

export interface WorkerEnd {
  readonly reason: string;
  readonly isFault: boolean;
}

/** A worker that needs longer to stop is killed; its chains resume from their checkpoints. */
const STOP_MS = 10_000;

export function startWorkerProcess(settings: WorkerSettings, logger: Logger): WorkerProcess {
  let child: ChildProcess | null = null;
  let isStopping = false;
  const policy = createRestartPolicy({ firstWaitMs: 500, maxShort: Number.POSITIVE_INFINITY });
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  let onReady: () => void = () => {};
  let onOver: (end: WorkerEnd) => void = () => {};
  const over = new Promise<WorkerEnd>((resolve) => {
    onOver = resolve;
  });
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });
  const launch = () => {
    const mine = fork(builtServerFile('worker.js'), {
      stdio: ['ignore', 2, 2, 'ipc'],
      execArgv: [],
    });
    child = mine;
    since = performance.now();
    const message: ToWorker = { type: 'start', settings };
    mine.on('error', (error) => logger.error({ err: error }, 'the worker could not be started'));
    mine.send(message, () => {});
    mine.on('message', (message: FromWorker) => {
      if (message.type === 'ready') onReady();
      else {
        isStopping = true;
        onOver(message);
      }
    });
    mine.once('exit', (code, signal) => {
      if (isStopping) return;
      logger.error(
        { code, signal },
        'the worker ended and is being restarted; its chains resume from their checkpoints',
      );
      timer = setTimeout(launch, policy.next(performance.now() - since) ?? 0);
    });
  };
  launch();
  return {
    ready,
    over,
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      const mine = child;
      if (mine === null || mine.exitCode !== null || mine.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => mine.once('exit', () => resolve()));
      const message: ToWorker = { type: 'stop' };
      mine.send(message, () => {});
      const killer = setTimeout(() => mine.kill('SIGKILL'), STOP_MS);
      await gone;
      clearTimeout(killer);
    },
  };
}
