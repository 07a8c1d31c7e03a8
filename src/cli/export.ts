/** `ergodic export X…`: draws of an experiment on a running service, as a file. */
import { createWriteStream, existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Client } from '../client/create-client.ts';
import { StartError } from '../service/start-error.ts';
import { say } from './report.ts';
import {
  addServerOptions,
  connectServer,
  explainFailure,
  type ServerOptions,
} from './server-options.ts';

interface ExportArguments extends ServerOptions {
  readonly fmt: string;
  readonly out?: string;
  readonly iterations?: string;
}

const suffixes = { csv: '.csv', grist: '.grist', arviz: '.tar' } as const;
type Format = keyof typeof suffixes;

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .argument('<experiment>', 'its id, X…')
    .description('write the draws of an experiment to a file')
    .option('--fmt <FORMAT>', 'csv, grist or arviz', 'csv')
    .option(
      '--out <FILE>',
      'output file; for arviz, FILE.nc is one netCDF file with all chains, any other name a tar archive with one file per chain',
    )
    .option('--iterations <N>', 'only the first N of each chain');
  addServerOptions(command).action(async (objid: string, options: ExportArguments) => {
    const fmt = formatOf(options.fmt);
    const first = options.iterations === undefined ? 0 : Number(options.iterations);
    if (!Number.isInteger(first) || first < 0)
      throw new StartError(`--iterations must be a whole number, not "${options.iterations}".`);
    const out = options.out ?? objid + suffixes[fmt];
    if (existsSync(out))
      throw new StartError(`${out} already exists. Choose another name with --out.`);
    const client = connectServer(options);
    const url = await explainFailure(options.server, waitForFile(client, { objid, fmt, first }));
    await save(url, out, fmt === 'arviz' && out.endsWith('.nc'));
    process.stdout.write(`${out}\n`);
  });
}

function formatOf(word: string): Format {
  if (!Object.hasOwn(suffixes, word))
    throw new StartError(`--fmt must be csv, grist or arviz, not "${word}".`);
  return word as Format;
}

interface FileRequest {
  readonly objid: string;
  readonly fmt: Format;
  readonly first: number;
}

/** Address of the file once it is made. */
async function waitForFile(client: Client, { objid, fmt, first }: FileRequest): Promise<string> {
  const query = { sampledata: true, fmt, n_iteration: first };
  for (let pause = 500, isSaid = false; ; pause = Math.min(5000, pause * 1.5)) {
    const view = await client.viewObject({ params: { objid }, query });
    if (!('url' in view && 'progress' in view))
      throw new StartError(`${objid} is not an experiment with draws.`);
    if (view.progress === 'error')
      throw new StartError(view.message || 'The file could not be created.');
    if (view.url !== null && typeof view.url === 'string') return view.url;
    if (!isSaid) say('The service is creating the file …');
    isSaid = true;
    await wait(pause);
  }
}

/** A file that is cut in the middle is none: it goes again. */
async function save(url: string, out: string, asOneFile: boolean): Promise<void> {
  const response = await fetch(url);
  if (!response.ok || response.body === null)
    throw new StartError(`The file could not be downloaded: status ${response.status}.`);
  try {
    if (asOneFile) {
      const bytes = await joinChains(new Uint8Array(await response.arrayBuffer()));
      await writeFile(out, bytes, { flag: 'wx' });
      return;
    }
    const body = Readable.fromWeb(response.body as unknown as ReadableStream);
    await pipeline(body, createWriteStream(out, { flags: 'wx' }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT' || code === 'EACCES')
      throw new StartError(`${out} cannot be written: ${code}.`);
    await rm(out, { force: true });
    throw error;
  }
}

/** The files of the chains as one with shaped variables, as ArviZ's users keep it. */
async function joinChains(tar: Uint8Array): Promise<Uint8Array> {
  const { loadHdf5 } = await import('../formats/hdf5.ts');
  const { readDrawFiles } = await import('../formats/read-draw-files.ts');
  const { writeArvizFile } = await import('../formats/arviz-file.ts');
  const limits = { columns: 200_000, values: 2 ** 28 };
  const type = 'arviz netcdf' as const;
  const { draws } = await readDrawFiles([{ name: 'chains.tar', bytes: tar }], { type, limits });
  const { inference_library_version: version = '' } = draws.settings;
  return writeArvizFile(await loadHdf5(), draws, {
    createdAt: new Date().toISOString(),
    library: 'Ergodic',
    libraryVersion: String(version),
  });
}
