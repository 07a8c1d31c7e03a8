/** Keeps the embedded PostgreSQL running: one that dies is started again, and its socket is where it was. */
import type { EmbeddedPostgres } from './supervisor.ts';

export interface KeptPostgres {
  readonly host: string;
  readonly port: number;
  /** Settles with a reason when it ended and could not be started again. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export async function keepPostgres(
  start: () => Promise<EmbeddedPostgres>,
  onRestart: (reason: string) => void = () => {},
): Promise<KeptPostgres> {
  let current = await start();
  let isStopping = false;
  const watch = async (): Promise<string> => {
    for (;;) {
      const reason = await current.ended;
      if (isStopping) return new Promise<string>(() => {});
      onRestart(reason);
      try {
        current = await start();
      } catch (error) {
        return `${reason}\n${(error as Error).message}`;
      }
    }
  };
  const { host, port } = current;
  return {
    host,
    port,
    ended: watch(),
    async stop() {
      isStopping = true;
      await current.stop();
    },
  };
}
