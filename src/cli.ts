/** The command line `ergodic`: each command is in a separate file, loaded on use. */
import { Command } from 'commander';
import { reportAndExit, say } from './cli/report.ts';

type AddCommand = (program: Command) => void;

/** In the order of the help; a command is loaded on use, since most of them would slow the start of the others. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./cli/serve.ts')).addServeCommand,
  run: async () => (await import('./cli/run.ts')).addRunCommand,
  'log-density': async () => (await import('./cli/log-density.ts')).addLogDensityCommand,
  loo: async () => (await import('./cli/loo.ts')).addLooCommand,
  worker: async () => (await import('./cli/worker.ts')).addWorkerCommand,
  token: async () => (await import('./cli/token.ts')).addTokenCommand,
  user: async () => (await import('./cli/user.ts')).addUserCommands,
  import: async () => (await import('./cli/import.ts')).addImportCommand,
  export: async () => (await import('./cli/export.ts')).addExportCommand,
  watch: async () => (await import('./cli/watch.ts')).addWatchCommand,
  purge: async () => (await import('./cli/purge.ts')).addPurgeCommand,
  doctor: async () => (await import('./cli/doctor.ts')).addDoctorCommand,
  backup: async () => (await import('./cli/backup.ts')).addBackupCommand,
  restore: async () => (await import('./cli/backup.ts')).addRestoreCommand,
  migrate: async () => (await import('./cli/migrate.ts')).addMigrateCommand,
};

async function main([word = '']: readonly string[]): Promise<void> {
  const program = new Command('ergodic')
    .description(
      'Store probabilistic models, sample them, watch the chains, judge convergence and share the results.',
    )
    .showHelpAfterError('(--help lists the commands)')
    .configureHelp({ sortSubcommands: false })
    // 2: called wrongly; 1: failed to do what was asked
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  const isHelp = ['help', '--help', '-h'].includes(word);
  // `serve` is the default, and would take the word for its own argument.
  if (/^\w/.test(word) && !Object.hasOwn(commands, word) && !isHelp) {
    say(`Unknown command ${word} (ergodic --help lists all commands).`);
    process.exit(2);
  }
  const named = Object.hasOwn(commands, word) ? [word] : ['serve'];
  for (const name of isHelp ? Object.keys(commands) : named) {
    const add = await commands[name]?.();
    add?.(program);
  }
  await program.parseAsync();
}

main(process.argv.slice(2)).catch(reportAndExit);
