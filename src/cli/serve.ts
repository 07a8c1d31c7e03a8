/** `ergodic serve`: runs the service until Ctrl-C. */
import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { readConfig, serviceOptions } from '../service/config.ts';
import { reportAndExit, say } from './report.ts';
import { addOptions, givenOptions } from './store-options.ts';

/** The same signal arriving twice (from terminal and npm) within this time counts once. */
const SAME_SIGNAL_MS = 500;

export function addServeCommand(program: Command): void {
  const command = program
    .command('serve', { isDefault: true })
    .description('start the service (npm start)');
  addOptions(command, serviceOptions).action(async (parsed: Record<string, unknown>) => {
    const config = readConfig(givenOptions(parsed));
    const { ignoreLostOutput } = await import('../service/last-resort.ts');
    const { supervise } = await import('../service/supervise.ts');
    ignoreLostOutput();
    const service = supervise({
      config,
      say,
      report: reportAndExit,
      isTerminal: process.stdout.isTTY === true,
      flushMs: flushMs(),
      onReady({ url, signInLink }) {
        process.stdout.write(`Ergodic is ready at ${signInLink ?? `${url}/`}\n`);
        if (config.open) openInBrowser(signInLink ?? url);
      },
    });
    let stoppingSince: number | null = null;
    const stop = (signal: NodeJS.Signals) => {
      if (stoppingSince === null) {
        stoppingSince = performance.now();
        if (signal === 'SIGINT') say('\nStopping … (press Ctrl-C again to exit at once)');
        service.stop();
      } else if (signal === 'SIGINT' && performance.now() - stoppingSince > SAME_SIGNAL_MS) {
        service.abandon();
        process.exit(130);
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    process.on('uncaughtException', (error) => {
      reportAndExit(error);
      service.stop();
    });
    const code = await service.ended;
    process.exit(process.exitCode ?? code);
  });
}

/** Opens the link in the browser of the person who started the service; does nothing if there is none. */
function openInBrowser(link: string): void {
  const commands: Partial<Record<NodeJS.Platform, [string, string[]]>> = {
    darwin: ['open', [link]],
    win32: ['cmd', ['/c', 'start', '', link]],
  };
  const [command, args] = commands[process.platform] ?? ['xdg-open', [link]];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

/** Milliseconds between commits of a chain; set by tests that need many. */
function flushMs(): number | undefined {
  const text = process.env.ERGODIC_FLUSH_MS;
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
