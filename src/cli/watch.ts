/** `ergodic watch FOLDER|FILES`: shows a CmdStan run on a running service while CmdStan writes its files. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ApiError } from '../client/api-error.ts';
import { StartError } from '../service/start-error.ts';
import { interruptedCode, say } from './report.ts';
import {
  addServerOptions,
  connectServer,
  explainFailure,
  type ServerOptions,
} from './server-options.ts';
import { diskFiles } from './watch-files.ts';
import { createLink, GaveUp, systemClock } from './watch-link.ts';
import type { WatchEnd, WatchRequest } from './watch-loop.ts';
import type { WatchTarget } from './watch-set.ts';

interface WatchArguments extends ServerOptions {
  readonly name?: string;
  readonly model?: string;
  readonly data?: string;
  readonly chains?: string;
  readonly once?: boolean;
  readonly new?: boolean;
  readonly every: string;
  readonly idle?: string;
}

const callTimeoutMs = 60_000;

export function addWatchCommand(program: Command): void {
  const command = program
    .command('watch')
    .argument('<folder|file...>', 'where CmdStan, CmdStanPy or CmdStanR writes its CSV files')
    .description('follow a CmdStan run live on a running service')
    .option('--name <NAME>', 'name of the experiment (default: the name of the files)')
    .option('--model <FILE>', 'the Stan program, shown with the run')
    .option('--data <FILE>', 'its data, shown with the run')
    .option('--chains <N>', 'number of chains in the run (default: as many as start)')
    .option('--once', 'read what is there and exit, for finished runs')
    .option('--new', 'wait for a run that starts now, and ignore existing files')
    .option('--idle <MINUTES>', 'end when no file has grown for this long (default: keep waiting)')
    .option('--every <SECONDS>', 'time between two checks of the files', '1');
  addServerOptions(command).action(async (paths: string[], options: WatchArguments) => {
    process.exitCode = await watch(paths, options);
  });
}

/** Returns the exit code. */
async function watch(paths: readonly string[], options: WatchArguments): Promise<number> {
  const target = targetOf(paths, options);
  const client = connectServer(options, callTimeoutMs);
  const { server } = options;
  const request: WatchRequest = {
    target,
    name: options.name ?? '',
    once: options.once === true,
    chains: options.chains === undefined ? null : wholeNumber('--chains', options.chains),
    everyMs: 1000 * positive('--every', options.every),
    idleMs: options.idle === undefined ? null : 60_000 * positive('--idle', options.idle),
    addressOf: (id) => `${server.replace(/\/+$/, '')}/experiments/${id}`,
    async program() {
      const { putData, putModel } = await import('./watch-program.ts');
      return {
        modelId: options.model === undefined ? '' : await putModel(client, options.model),
        dataId: options.data === undefined ? '' : await putData(client, options.data),
      };
    },
  };
  const stop = new AbortController();
  const { signal } = stop;
  const interrupt = () => {
    say('Stopping and keeping the draws so far … (press Ctrl-C again to exit at once)');
    stop.abort();
  };
  process.once('SIGINT', interrupt);
  try {
    const { watchRun } = await import('./watch-loop.ts');
    const link = createLink({ server, clock: systemClock, signal, say });
    const parts = { client, source: diskFiles, clock: systemClock, link, signal, say };
    const end = await explainFailure(server, watchRun(parts, request).catch(endOf));
    report(end);
    return signal.aborted ? interruptedCode : 0;
  } finally {
    process.removeListener('SIGINT', interrupt);
  }
}

/** Ends that are not faults: the owner stopped the run, or the user stopped the watch. */
function endOf(error: unknown): WatchEnd {
  if (error instanceof GaveUp) {
    say(
      'The service did not answer. The missing draws are still in the files: run the command again to send them.',
    );
    return { how: 'stopped', experiment: null };
  }
  if (error instanceof ApiError && error.code === 'CONFLICT' && error.message === 'stopped') {
    say('The run was stopped on the service, so no more is sent. CmdStan itself continues.');
    return { how: 'stopped', experiment: null };
  }
  throw error;
}

function report({ experiment }: WatchEnd): void {
  if (experiment === null) return;
  if ('status' in experiment) {
    const { status, meta } = experiment;
    if (meta?.verdict?.headline) say(meta.verdict.headline);
    else if (status === 'RUN') say('The service is still computing the verdict.');
  }
  process.stdout.write(`${experiment.short_id}\n`);
}

function targetOf(paths: readonly string[], options: WatchArguments): WatchTarget {
  const onlyNew = options.new === true;
  if (onlyNew && options.once === true)
    throw new StartError('--once reads the files that exist and --new ignores them: choose one.');
  const full = paths.map((path) => resolve(path));
  const folders = full.filter(isFolder);
  if (folders.length > 0 && full.length > 1)
    throw new StartError(`${folders[0]} is a folder: name one folder, or files.`);
  if (folders[0] !== undefined) return { folder: folders[0], files: [], onlyNew };
  const absent = full.find((path) => !/\.[a-z]+$/i.test(path) && !exists(path));
  if (absent !== undefined) throw new StartError(`There is no folder ${absent}.`);
  return { folder: null, files: full, onlyNew };
}

const isFolder = (path: string) =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const exists = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined;

function positive(option: string, text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new StartError(`${option} must be a number above 0, not "${text}".`);
}

function wholeNumber(option: string, text: string): number {
  const value = positive(option, text);
  if (Number.isInteger(value)) return value;
  throw new StartError(`${option} must be a whole number above 0, not "${text}".`);
}
