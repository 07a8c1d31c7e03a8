/** The command line `ergodic`: each command in a file of its own, loaded when it is used. */
import { Command } from 'commander';
import { addBackupCommands } from './cli/backup.ts';
import { addDoctorCommand } from './cli/doctor.ts';
import { addExportCommand } from './cli/export.ts';
import { addImportCommand } from './cli/import.ts';
import { addLogDensityCommand } from './cli/log-density.ts';
import { addLooCommand } from './cli/loo.ts';
import { addMigrateCommand } from './cli/migrate.ts';
import { addPurgeCommand } from './cli/purge.ts';
import { reportAndExit, say } from './cli/report.ts';
import { addServeCommand } from './cli/serve.ts';
import { addTokenCommand } from './cli/token.ts';
import { addUserCommands } from './cli/user.ts';
import { addWatchCommand } from './cli/watch.ts';
import { addWorkerCommand } from './cli/worker.ts';

const program = new Command('ergodic')
  .description(
    'Keep probabilistic models, sample them, watch the chains, judge convergence and share the results.',
  )
  .showHelpAfterError('(--help lists the commands)')
  .configureHelp({ sortSubcommands: false })
  // 2: it was called wrongly; 1: it could not do what it was asked
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

addServeCommand(program);
// The compiler and the sampler are large: only the command that needs them pays for loading them.
if (process.argv[2] === 'run') (await import('./cli/run.ts')).addRunCommand(program);
else
  program
    .command('run')
    .argument('<model>', 'Stan program')
    .description('sample a Stan program without a server');
addLogDensityCommand(program);
addLooCommand(program);
addWorkerCommand(program);
addTokenCommand(program);
addUserCommands(program);
addImportCommand(program);
addExportCommand(program);
addWatchCommand(program);
addPurgeCommand(program);
addDoctorCommand(program);
addBackupCommands(program);
addMigrateCommand(program);

const [, , word = ''] = process.argv;
const isCommand = program.commands.some((command) => command.name() === word);
// `serve` is meant when nothing is named, and would take the word for an argument of its own.
if (/^\w/.test(word) && !isCommand && word !== 'help') {
  say(`There is no command ${word} (ergodic --help lists them).`);
  process.exit(2);
}
program.parseAsync().catch(reportAndExit);
