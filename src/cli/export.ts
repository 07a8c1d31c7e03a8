/** `ergodic export X…`: draws of an experiment on a running service, as a file; `P…`: a project and its notebook. */
import { createWriteStream, existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Client } from '../client/create-client.ts';
import { expectKind } from '../client/expect-kind.ts';
import { connectionOf } from '../client/request.ts';
import { kindOfId } from '../contract/common.ts';
import type { Experiment } from '../contract/experiment.ts';
import type { Project } from '../contract/project.ts';
import { ImportError } from '../formats/imported-draws.ts';
import { notebookMarkdown } from '../formats/notebook-markdown.ts';
import { rankCsv } from '../formats/rank-csv.ts';
import type { DataVariable } from '../posterior/predictive/pairing.ts';
import { StartError } from '../service/start-error.ts';
import { say } from './report.ts';
import {
  addServerOptions,
  connectServer,
  explainFailure,
  type ServerOptions,
} from './server-options.ts';

interface ExportArguments extends ServerOptions {
  readonly fmt?: string;
  readonly out?: string;
  readonly iterations?: string;
}

const suffixes = {
  csv: '.csv',
  grist: '.grist',
  arviz: '.tar',
  parquet: '.parquet',
  cmdstan: '.csv',
  html: '.html',
  ranks: '-ranks.csv',
  markdown: '.md',
};
type Format = keyof typeof suffixes;
const formatNames = Object.keys(suffixes)
  .join(', ')
  .replace(/, (?=\w+$)/, ' or ');

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .argument('<id>', 'id of an experiment (X…) or a project (P…)')
    .description('write draws of an experiment, a report on it, or a project to a file')
    .option(
      '--fmt <FORMAT>',
      'csv, grist, arviz, parquet, cmdstan (one CSV file per chain, as CmdStanPy and CmdStanR read them), html (a report that opens without a server), ranks (of a calibration, as CSV) or markdown (a project: note, members and notebook) (default: csv; for a project, markdown)',
    )
    .option(
      '--out <FILE>',
      'output file (default: name and date of the run); for arviz, FILE.nc is one netCDF file with all chains, any other name a tar archive with one file per chain; for cmdstan, FILE-chain-1.csv and so on',
    )
    .option('--iterations <N>', 'only the first N of each chain');
  addServerOptions(command).action(async (objid: string, options: ExportArguments) => {
    const isProject = kindOfId(objid) === 'project';
    const fmt = formatOf(options.fmt ?? (isProject ? 'markdown' : 'csv'));
    if (isProject !== (fmt === 'markdown'))
      throw new StartError(
        isProject
          ? 'A project is written as markdown only.'
          : 'Only a project is written as markdown.',
      );
    const first = options.iterations === undefined ? 0 : Number(options.iterations);
    if (!Number.isInteger(first) || first < 0)
      throw new StartError(`--iterations must be a whole number, not "${options.iterations}".`);
    if (fmt === 'markdown' && first > 0)
      throw new StartError('--iterations applies to draws only.');
    if ((fmt === 'html' || fmt === 'ranks') && first > 0)
      throw new StartError(
        `--iterations cannot be combined with --fmt ${fmt}: ${fmt === 'html' ? 'a report uses' : 'ranks use'} all draws.`,
      );
    if (options.out !== undefined) refuseExisting(options.out);
    const client = connectServer(options);
    const work = exportTo(client, { objid, fmt, first, out: options.out });
    for (const path of await explainFailure(options.server, work))
      process.stdout.write(`${path}\n`);
  });
}

function refuseExisting(path: string): void {
  if (existsSync(path))
    throw new StartError(`${path} already exists. Choose another name with --out.`);
}

/** Returns the paths of the files it wrote. */
async function exportTo(
  client: Client,
  request: FileRequest & { readonly out: string | undefined },
): Promise<string[]> {
  const { objid, fmt, first } = request;
  const view = await client.viewObject({ params: { objid } });
  if (view.object_type === 'project')
    return [await saveProject(expectKind(view, 'project'), request.out)];
  if (view.object_type !== 'experiment')
    throw new StartError(`${objid} is not an experiment with draws.`);
  const experiment = expectKind(view, 'experiment');
  const out = request.out ?? fileName(experiment) + suffixes[fmt];
  if (fmt === 'cmdstan') {
    const { writeChains } = await import('./export-chains.ts');
    const pathOf = (chain: number) => `${out.replace(/\.csv$/i, '')}-chain-${chain}.csv`;
    for (let chain = 1; chain <= experiment.n_chains; chain++) refuseExisting(pathOf(chain));
    return explainWriting(out, writeChains({ client, experiment, first, pathOf }));
  }
  refuseExisting(out);
  if (fmt === 'html') await saveReport(client, objid, out);
  else if (fmt === 'ranks') await saveRanks(client, objid, out);
  else {
    const oneFile =
      fmt === 'arviz' && out.endsWith('.nc')
        ? {
            labels: experiment.meta?.labels,
            leftOut: experiment.meta?.chains_left_out ?? [],
            data: await readDataOf(client, experiment),
          }
        : null;
    await save(await waitForFile(client, request), out, oneFile);
  }
  return [out];
}

async function saveProject(project: Project, wanted: string | undefined): Promise<string> {
  const { name, short_id: id, updated_at: day } = project;
  const out = wanted ?? `${recognisable(name || id, id, day)}.md`;
  refuseExisting(out);
  await explainWriting(out, writeFile(out, notebookMarkdown(project), { flag: 'wx' }));
  return out;
}

const fileName = ({ name, model_name: model, short_id: id, created_at: made }: Experiment) =>
  recognisable(name || model || id, id, made);

/** "eight-schools-2026-11-22": a name that a person recognises. */
function recognisable(name: string, id: string, made: string | undefined): string {
  const hyphenated = name.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '-');
  const plain = hyphenated.replace(/^-+|-+$/g, '').slice(0, 80);
  const day = made?.slice(0, 10) ?? '';
  return [plain || id, ...(day === '' || plain.includes(day) ? [] : [day])].join('-');
}

async function saveRanks(client: Client, objid: string, out: string): Promise<void> {
  const { calibration } = await client.viewSummary({ params: { objid } });
  if (calibration === undefined) throw new StartError(`${objid} is not a calibration.`);
  const text = rankCsv(calibration.chains, calibration.quantities);
  await explainWriting(out, writeFile(out, text, { flag: 'wx' }));
}

/** The report that workflows without an analyzer get. */
async function saveReport(client: Client, objid: string, out: string): Promise<void> {
  const { default_analyzer: target } = await client.viewConfig();
  if (target === '') throw new StartError('This service does not make reports.');
  const answer = await client.invoke({
    body: {
      target,
      action: 'run',
      parameters: { experiment_id: objid, program: true },
      get_response: true,
    },
  });
  const page = 'cloudfunction_response' in answer ? answer.cloudfunction_response : null;
  if (typeof page !== 'string') throw new StartError('The service did not return a report.');
  await explainWriting(out, writeFile(out, page, { flag: 'wx' }));
}

async function explainWriting<T>(out: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (unwritable.includes(code)) throw new StartError(`${out} cannot be written: ${code}.`);
    throw error;
  }
}

const unwritable = ['EEXIST', 'ENOENT', 'EACCES', 'ENOTDIR', 'ENOSPC'];

function formatOf(word: string): Format {
  if (!Object.hasOwn(suffixes, word))
    throw new StartError(`--fmt must be ${formatNames}, not "${word}".`);
  return word as Format;
}

interface FileRequest {
  readonly objid: string;
  readonly fmt: Format;
  readonly first: number;
}

/** Address of the file once it has been made. */
async function waitForFile(client: Client, { objid, fmt, first }: FileRequest): Promise<string> {
  if (fmt === 'cmdstan' || fmt === 'html' || fmt === 'ranks' || fmt === 'markdown')
    throw new Error(`${fmt} is made here`);
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

/** What a single file of all chains contains in addition to the draws. */
interface OneFile {
  readonly labels: unknown;
  /** Names of chains. */
  readonly leftOut: readonly string[];
  readonly data: readonly DataVariable[];
}

/** Numbers that the run read; empty if it has no data, or data in another form. */
async function readDataOf(client: Client, { meta }: Experiment): Promise<readonly DataVariable[]> {
  if (!meta?.data_path) return [];
  const { readDataText } = await import('../formats/data-text.ts');
  const { dataVariables } = await import('../formats/data-variables.ts');
  const response = await fetch(new URL(meta.data_path, connectionOf(client).baseUrl));
  if (!response.ok)
    throw new StartError(`The data could not be downloaded: status ${response.status}.`);
  const read = readDataText(await response.text());
  return read.ok ? dataVariables(read.value.values) : [];
}

/** Deletes a file that was cut off in the middle. */
async function save(url: string, out: string, oneFile: OneFile | null): Promise<void> {
  const response = await fetch(url);
  if (!response.ok || response.body === null)
    throw new StartError(`The file could not be downloaded: status ${response.status}.`);
  const body = Readable.fromWeb(response.body as unknown as ReadableStream);
  const write = async () => {
    if (oneFile === null) return pipeline(body, createWriteStream(out, { flags: 'wx' }));
    const tar = new Uint8Array(await buffer(body));
    return writeFile(out, await joinChains(tar, oneFile), { flag: 'wx' });
  };
  await explainWriting(out, write()).catch(async (error: unknown) => {
    if (!(error instanceof StartError)) await rm(out, { force: true });
    throw error;
  });
}

function sayCut(lengths: readonly number[]): void {
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  if (shortest === longest) return;
  say(
    `The chains have ${shortest} to ${longest} draws; one netCDF file holds only the first ${shortest} of each. All are in the output of --out FILE.tar, --fmt csv or --fmt cmdstan.`,
  );
}

function explainJoining(error: unknown): never {
  if (!(error instanceof ImportError)) throw error;
  throw new StartError(
    `The chains cannot be joined in one file: ${error.message} --out FILE.tar writes one file per chain.`,
  );
}

/** Joins the chains' files into one with shaped variables and labelled dimensions, as ArviZ's users save it. */
async function joinChains(
  tar: Uint8Array,
  { labels, data, leftOut }: OneFile,
): Promise<Uint8Array> {
  const { loadHdf5 } = await import('../formats/hdf5.ts');
  const { readDrawFiles } = await import('../formats/read-draw-files.ts');
  const { writeArvizFile } = await import('../formats/arviz-file.ts');
  const { readLabels } = await import('../posterior/variable-labels.ts');
  const limits = { columns: 200_000, values: 2 ** 28 };
  const type = 'arviz netcdf' as const;
  const read = readDrawFiles([{ name: 'chains.tar', bytes: tar }], { type, limits });
  const { draws } = await read.catch(explainJoining);
  const { inference_library_version: version = '' } = draws.settings;
  sayCut(draws.chains.map((chain) => chain.draws[0]?.length ?? 0));
  const marks = draws.chains.map((chain) => (chain.leftOut === true ? 'yes' : 'no'));
  const attributes = {
    // as in the service's files of single chains
    ...(marks.includes('yes') && {
      others: { chains_left_out: leftOut.join(', '), left_out: marks.join(', ') },
    }),
    createdAt: new Date().toISOString(),
    library: 'Ergodic',
    libraryVersion: String(version),
  };
  return writeArvizFile(await loadHdf5(), draws, attributes, { labels: readLabels(labels), data });
}
