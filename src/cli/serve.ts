/** `ergodic serve`: the service until Ctrl-C. */
import type { Command } from 'commander';
import { readConfig, serviceOptions } from '../service/config.ts';
import { reportAndExit, say } from './report.ts';
import { addOptions, givenOptions } from './store-options.ts';

export function addServeCommand(program: Command): void {
  const command = program
    .command('serve', { isDefault: true })
    .description('start the service (npm start)');
  addOptions(command, serviceOptions).action(async (parsed: Record<string, unknown>) => {
    const config = readConfig(givenOptions(parsed));
    const { createLogger } = await import('../service/logging.ts');
    const { openInBrowser, serve } = await import('../service/serve.ts');
    // The terminal belongs to the ready line: by default only what needs attention is logged.
    const logger = createLogger({ level: process.env.ERGODIC_LOG_LEVEL || 'warn' });
    let stoppingSince: number | null = null;
    const starting = serve({
      config,
      logger,
      say,
      isTerminal: process.stdout.isTTY === true,
      flushMs: flushMs(),
    });
    const stop = (signal: NodeJS.Signals) => {
      if (stoppingSince !== null) {
        // A person who presses Ctrl-C again means it; the same signal by two ways (terminal and npm) means once.
        if (signal === 'SIGINT' && performance.now() - stoppingSince > 500) process.exit(130);
        return;
      }
      stoppingSince = performance.now();
      if (signal === 'SIGINT') say('\nStopping … (again to leave at once)');
      starting
        .then((service) => service.stop())
        .then(() => process.exit(0))
        .catch(() => process.exit(1));
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    const service = await starting;
    process.stdout.write(`Ergodic is ready at ${service.signInLink ?? `${service.url}/`}\n`);
    if (config.open) openInBrowser(service.signInLink ?? service.url);
    void service.ended.then(async (reason) => {
      say(`Ergodic cannot continue: ${reason}`);
      await service.stop().catch(reportAndExit);
      process.exit(1);
    });
  });
}

/** Milliseconds between commits of a chain, for tests that want many. */
function flushMs(): number | undefined {
  const text = process.env.ERGODIC_FLUSH_MS;
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
