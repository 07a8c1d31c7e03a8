/** The run command alone, for tests, bundled by them: `node cli.mjs WORKER_URL run …`. */
import { Command } from 'commander';
import { addRunCommand } from '../../src/cli/run.ts';

const [, , workerUrl, ...args] = process.argv;
const program = new Command('ergodic').exitOverride();
addRunCommand(program, { workerUrl: new URL(workerUrl) });
try {
  await program.parseAsync(args, { from: 'user' });
} catch (error) {
  process.exitCode = (error as { exitCode?: number }).exitCode ?? 1;
}
