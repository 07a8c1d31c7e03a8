/** The longest pause of the service's event loop, read from `report-pauses.mjs` in the serving process. */
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { descendantOf } from '../support/processes.ts';
import { type BuiltService, serveBuilt } from './serve-built.ts';

export interface Pause {
  /** Milliseconds. */
  readonly wall: number;
  /** Processor time that the service used without a break, which a busy machine does not lengthen. */
  readonly processor: number;
}

export interface WatchedService extends BuiltService {
  /** Since the previous call. */
  takePause(): Promise<Pause>;
}

export async function serveWatched(options: readonly string[] = []): Promise<WatchedService> {
  const folder = fs.mkdtempSync('/tmp/ergodic-pauses-');
  const reporter = pathToFileURL(`${import.meta.dirname}/report-pauses.mjs`).href;
  const service = await serveBuilt(options, {
    NODE_OPTIONS: `--import=${reporter}`,
    ERGODIC_TEST_PAUSES: folder,
  });
  return {
    ...service,
    async takePause() {
      // the process that was started is only the supervisor
      const pid = descendantOf(service.process.pid as number, 'service.js');
      const file = `${folder}/${pid}`;
      process.kill(pid, 'SIGUSR2');
      while (!fs.existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10));
      const [wall, processor] = fs.readFileSync(file, 'utf8').split(' ').map(Number);
      fs.rmSync(file);
      return { wall, processor };
    },
    async stop() {
      await service.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
