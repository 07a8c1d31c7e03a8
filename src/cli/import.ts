/** `ergodic import FILE…`: makes an experiment on a running service of draws that were sampled elsewhere. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Client } from '../client/create-client.ts';
import { expectKind } from '../client/expect-kind.ts';
import type { Experiment } from '../contract/experiment.ts';
import { StartError } from '../service/start-error.ts';
import { say } from './report.ts';
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
      'chains of one run: Stan CSV, Turing CSV or ArviZ netCDF files, or https addresses',
    )
    .description('create an experiment from finished draws on a running service')
    .option('--name <NAME>', 'name of the experiment (default: the name of the first file)')
    .option('--type <TYPE>', 'stan, turing or arviz (default: recognised from the files)')
    .option('--json', 'print the experiment as an object');
  addServerOptions(command).action(async (files: string[], options: ImportArguments) => {
    const type = options.type === undefined ? null : typeOf(options.type);
    const client = connectServer(options);
    const request = { files, name: options.name ?? '', type };
    const made = await explainFailure(options.server, sendFiles(client, request));
    const experiment = await explainFailure(options.server, waitForEnd(client, made));
    if (experiment.status === 'ERR') {
      const reason = experiment.meta?.error?.message ?? 'the service gave no reason';
      throw new StartError(`${experiment.short_id} could not be imported: ${reason}`);
    }
    const { short_id: id, n_chains: chains, n_samples: draws, n_variables: variables } = experiment;
    say(`${chains} chains of ${draws} draws, ${variables} variables.`);
    for (const note of notesOf(experiment)) say(`- ${note}`);
    process.stdout.write(options.json ? `${JSON.stringify(experiment)}\n` : `${id}\n`);
  });
}

function typeOf(word: string): (typeof types)[TypeWord] {
  if (!Object.hasOwn(types, word))
    throw new StartError(`--type must be stan, turing or arviz, not "${word}".`);
  return types[word as TypeWord];
}

interface ImportRequest {
  readonly files: readonly string[];
  readonly name: string;
  readonly type: (typeof types)[TypeWord] | null;
}

async function sendFiles(client: Client, request: ImportRequest): Promise<Experiment> {
  const isAddress = (file: string) => /^https?:\/\//.test(file);
  const paths = request.files.filter((file) => !isAddress(file));
  const texts: string[] = [];
  for (const file of paths) texts.push(wireText(await readBytes(file), request.type));
  const payload = {
    object_type: 'experiment' as const,
    name: request.name || basename(request.files[0]).replace(/\.[^.]+$/, ''),
    data_file_type: request.type,
    data_files: texts,
    data_uris: request.files.filter(isAddress),
    ...(paths.length > 0 ? { meta: { file_names: paths.map((file) => basename(file)) } } : {}),
  };
  return expectKind(await client.createObject({ body: { payload } }), 'experiment');
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

/** Tables as text, everything else as base64. */
function wireText(bytes: Buffer, type: ImportRequest['type']): string {
  const isTable = type === 'stan csv' || type === 'turing csv' || !bytes.includes(0);
  return isTable && type !== 'arviz netcdf' ? bytes.toString('utf8') : bytes.toString('base64');
}

/** Large files are read after the answer. */
async function waitForEnd(client: Client, made: Experiment): Promise<Experiment> {
  let experiment = made;
  for (let pause = 300; experiment.status === 'RUN'; pause = Math.min(5000, pause * 1.5)) {
    await wait(pause);
    const view = await client.viewObject({ params: { objid: made.short_id } });
    experiment = expectKind(view, 'experiment');
  }
  return experiment;
}

function notesOf({ meta }: Experiment): string[] {
  const report = meta?.import as { notes?: unknown } | undefined;
  return Array.isArray(report?.notes)
    ? report.notes.filter((note) => typeof note === 'string')
    : [];
}
