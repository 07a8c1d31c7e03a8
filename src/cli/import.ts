/** `ergodic import FILE…`: creates an experiment on a running service from draws that were sampled elsewhere. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Client } from '../client/create-client.ts';
import { expectKind } from '../client/expect-kind.ts';
import type { Experiment } from '../contract/experiment.ts';
import { counted } from '../posterior/verdict-label.ts';
import { StartError } from '../service/start-error.ts';
import { createByteProgress } from './byte-progress.ts';
import { type SendContext, sendFiles } from './import-files.ts';
import { interruptedCode, say } from './report.ts';
import {
  addServerOptions,
  connectServer,
  explainFailure,
  type ServerOptions,
} from './server-options.ts';

interface ImportArguments extends ServerOptions {
  readonly name?: string;
  readonly type?: string;
  readonly json?: boolean;
}

const types = {
  stan: 'stan csv',
  turing: 'turing csv',
  arviz: 'arviz netcdf',
} as const;
type TypeWord = keyof typeof types;

export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .argument(
      '<file...>',
      'chains of one run: Stan CSV or Turing CSV (also .gz), ArviZ netCDF, or https addresses',
    )
    .description('create an experiment from finished draws on a running service')
    .option('--name <NAME>', 'name of the experiment (default: the name of the first file)')
    .option('--type <TYPE>', 'stan, turing or arviz (default: recognised from the files)')
    .option('--json', 'print the experiment as JSON');
  addServerOptions(command).action(async (files: string[], options: ImportArguments) => {
    const type = options.type === undefined ? null : typeOf(options.type);
    const client = connectServer(options);
    const request = { files, name: options.name ?? '', type };
    const experiment = await untilInterrupted(async (context, onMade) => {
      const made = await explainFailure(options.server, sendFiles(client, request, context));
      onMade(made.short_id);
      return explainFailure(options.server, waitForEnd(client, made, context));
    });
    if (experiment === null) return;
    if (experiment.status === 'ERR') {
      const reason = experiment.meta?.error?.message ?? 'the service gave no reason';
      throw new StartError(`${experiment.short_id} could not be imported: ${reason}`);
    }
    const { short_id: id, n_chains: chains, n_samples: draws, n_variables: variables } = experiment;
    say(
      `${counted(chains, 'chain')} of ${counted(draws, 'draw')}, ${counted(variables, 'variable')}.`,
    );
    for (const note of notesOf(experiment)) say(`- ${note}`);
    process.stdout.write(options.json ? `${JSON.stringify(experiment)}\n` : `${id}\n`);
  });
}

/** Null: Ctrl-C stopped it. The service keeps what was sent, so the same command continues from there. */
async function untilInterrupted(
  work: (context: SendContext, onMade: (id: string) => void) => Promise<Experiment>,
): Promise<Experiment | null> {
  const progress = createByteProgress(process.stderr);
  const abort = new AbortController();
  const known: { id: string | null } = { id: null };
  const interrupt = () => abort.abort();
  process.once('SIGINT', interrupt);
  try {
    return await work({ progress, signal: abort.signal }, (made) => {
      known.id = made;
    });
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    progress.end();
    say(
      known.id === null
        ? 'Interrupted. Within a day, the same command continues where this one stopped.'
        : `Interrupted. The service continues with ${known.id}.`,
    );
    process.exitCode = interruptedCode;
    return null;
  } finally {
    progress.end();
    process.removeListener('SIGINT', interrupt);
  }
}

function typeOf(word: string): (typeof types)[TypeWord] {
  if (!Object.hasOwn(types, word))
    throw new StartError(`--type must be stan, turing or arviz, not "${word}".`);
  return types[word as TypeWord];
}

/** Large files are read after the response: reports how far that is. */
async function waitForEnd(
  client: Client,
  made: Experiment,
  { progress, signal }: SendContext,
): Promise<Experiment> {
  let experiment = made;
  let isNoted = false;
  for (let pause = 300; experiment.status === 'RUN'; pause = Math.min(5000, pause * 1.5)) {
    const { step, done, total } = experiment.meta?.progress ?? {};
    if (done !== undefined && total !== undefined)
      progress.update(step === 'storing' ? 'Storing the draws' : 'Reading the files', done, total);
    else if (isComputing(experiment) && !isNoted) {
      progress.note('Computing the statistics …');
      isNoted = true;
    }
    await wait(step === undefined ? pause : 1000, undefined, { signal });
    const view = await client.viewObject({ params: { objid: made.short_id }, signal });
    experiment = expectKind(view, 'experiment');
  }
  return experiment;
}

/** All draws are stored. */
function isComputing({ meta }: Experiment): boolean {
  return (meta?.run_info as { status?: unknown } | null | undefined)?.status === 'SAMPLE_FIN';
}

function notesOf({ meta }: Experiment): string[] {
  const report = meta?.import as { notes?: unknown } | undefined;
  return Array.isArray(report?.notes)
    ? report.notes.filter((note) => typeof note === 'string')
    : [];
}
