/** Keeps the embedded PostgreSQL running: if it dies, it is restarted with its socket in the same place. */
import { createRestartPolicy, type RestartPolicy } from '../restart-policy.ts';
import type { EmbeddedPostgres } from './supervisor.ts';

export interface KeptPostgres {
  readonly host: string;
  readonly port: number;
  /** Settles with a reason when PostgreSQL ended and could not be restarted. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export async function keepPostgres(
  start: () => Promise<EmbeddedPostgres>,
  onRestart: (reason: string) => void = () => {},
  policy: RestartPolicy = createRestartPolicy({ maxShort: 5 }),
): Promise<KeptPostgres> {
  let current = await start();
  let since = performance.now();
  let isStopping = false;
  let restarting: Promise<unknown> = Promise.resolve();

  /** Why it was not restarted; null: it is running again. */
  const restart = async (reason: string): Promise<string | null> => {
    let livedMs = performance.now() - since;
    let why = reason;
    for (;;) {
      const waitMs = policy.next(livedMs);
      if (waitMs === null) return why;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (isStopping) return null;
      try {
        current = await start();
        since = performance.now();
        return null;
      } catch (error) {
        livedMs = 0;
        why = `${reason}\n${(error as Error).message}`;
      }
    }
  };
  const watch = async (): Promise<string> => {
    for (;;) {
      const reason = await current.ended;
      if (isStopping) return new Promise<string>(() => {});
      onRestart(reason);
      const again = restart(reason);
      restarting = again;
      const failure = await again;
      if (failure !== null) return failure;
    }
  };
  const { host, port } = current;
  return {
    host,
    port,
    ended: watch(),
    async stop() {
      isStopping = true;
      await restarting;
      await current.stop();
    },
  };
}
