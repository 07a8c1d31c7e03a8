/** `ergodic run MODEL.stan` or `MODEL.jags`: samples without a server. */
import { constants, createWriteStream } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { libraryKeys } from '../engine/compile-model.ts';
import { type ChainRun, type RunResult, runChains } from '../engine/run.ts';
import { jagsRows } from '../formats/jags-settings.ts';
import { rankCsv } from '../formats/rank-csv.ts';
import { compileProgram } from '../language/compile.ts';
import { hasErrors, render } from '../language/diagnostics.ts';
import type { Calibration } from '../posterior/calibration.ts';
import { chainCsv } from '../service/results/chain-csv.ts';
import { savedIterations } from '../shared/saved-iterations.ts';
import { interruptedCode } from './report.ts';
import { fitRows, type RunInputs, type RunOptions, readRunInputs } from './run-inputs.ts';
import { isJagsModel, runJags } from './run-jags.ts';
import { createProgressLine, createSimulationCount } from './run-progress.ts';
import {
  calibrationTable,
  profileCsv,
  profileTable,
  type RunReport,
  reportRun,
  summaryJson,
  summaryTable,
  verdictLines,
} from './run-report.ts';

/** URL of a worker other than the one built with the program. */
export interface RunCommandOptions {
  readonly workerUrl?: URL;
}

export function addRunCommand(program: Command, { workerUrl }: RunCommandOptions = {}): void {
  const command = program
    .command('run')
    .argument('<model>', 'Stan program, or JAGS model (.jags, .bug; sampled by R and rjags)')
    .description('sample or approximate the posterior of a model without a server')
    .option(
      '--algorithm <name>',
      'nuts, optimize, laplace, pathfinder, advi, fixed_param, generate_quantities or calibration (default nuts)',
    )
    .option(
      '--from <path>',
      'generate_quantities: the folder that a finished run wrote with --out, or one of its files (repeatable)',
      (path: string, before: readonly string[] | undefined) => [...(before ?? []), path],
    )
    .option(
      '--calibrate [n]',
      'simulation-based calibration with n simulations (default 100); short for --algorithm calibration --num-simulations n',
    )
    .option(
      '--data <file>',
      'data as JSON, an R dump, or a table (CSV, TSV, .xlsx) mapped by column names',
    )
    .option('--sheet <name>', 'sheet of a workbook (default: the first)')
    .option('--missing <what>', 'rows of a table with missing values: stop or drop (default stop)')
    .option('--chains <n>', 'number of chains (default 4; 1 unless NUTS)')
    .option('--warmup <n>', 'warmup iterations per chain (default 1000)')
    .option(
      '--warmup-chains <n>',
      'chains that warm up; the others start where these end (default: all)',
    )
    .option(
      '--samples <n>',
      'sampling iterations per chain, or draws of an approximation (default 1000)',
    )
    .option('--seed <n>', 'seed for all random streams (default: chosen at random)')
    .option('--adapt-delta <x>', 'target acceptance rate of the adaptation (default 0.8)')
    .option('--max-treedepth <n>', 'maximum number of doublings of a trajectory (default 10)')
    .option(
      '--metric <kind>',
      'low-rank, diag, dense or unit (default low-rank; diag with --adaptation stan)',
    )
    .option('--adaptation <kind>', 'how warmup finds the metric: fisher or stan (default fisher)')
    .option(
      '--sampler <kind>',
      'nuts, or walnuts for funnels: steps of different sizes (default nuts)',
    )
    .option(
      '--init <file|radius|pathfinder|multi-pathfinder>',
      'starting values as JSON, the radius of random starting values (default 2), or how to find them',
    )
    .option('--thin <n>', 'keep every nth iteration (default 1)')
    .option('--save-warmup', 'also write the warmup draws')
    .option('--parallel <n>', 'chains that run in parallel (default: number of cores)')
    .option('--time-limit <seconds>', 'stop after this time and keep the draws')
    .option('--timeout <seconds>', 'end the run with an error after this time')
    .option('--out <dir>', 'write chain_1.csv … and summary.json there')
    .option('--json', 'print the summary as JSON')
    .action(async (model: string, options: RunOptions) => {
      process.exitCode = await runModel(model, options, workerUrl);
    });
  for (const { key, meaning } of jagsRows)
    command.option(`--${key.replaceAll('_', '-')} <value>`, `JAGS: ${meaning}`);
  for (const { key, algorithms = [], range, meaning } of fitRows) {
    const value = range.type === 'boolean' ? '[true|false]' : '<value>';
    const flag = `--${key.replaceAll('_', '-')} ${value}`;
    command.option(flag, `${algorithms.join(', ')}: ${meaning}`);
  }
}

/** "Chain 2", "Chains 1, 3", "Chains 1 to 100"; in ascending order. */
function namedChains(chains: readonly number[]): string {
  const [first, last] = [chains[0] ?? 0, chains.at(-1) ?? 0];
  if (chains.length === 1) return `Chain ${first}`;
  const isRange = chains.length > 2 && last - first === chains.length - 1;
  return `Chains ${isRange ? `${first} to ${last}` : chains.join(', ')}`;
}

/** Returns the exit code. */
async function runModel(modelPath: string, options: RunOptions, workerUrl?: URL): Promise<number> {
  const complain = (line: string) => process.stderr.write(`${line}\n`);
  const read = await readRunInputs(modelPath, options);
  if (!read.ok) {
    complain(read.error);
    return 1;
  }
  const inputs = read.value;
  for (const note of inputs.dataNotes) complain(note);
  if (!isJagsModel(modelPath) && !reportDiagnostics(inputs, complain)) return 1;
  // Fail before hours of sampling, not after them.
  if (options.out !== undefined && !(await makeFolder(options.out, complain))) return 1;

  const { result, isInterrupted, isOverTime } = await sample(inputs, workerUrl);
  const failures = result.chains.flatMap(({ outcome }) =>
    outcome.status === 'failed' ? [outcome.failure] : [],
  );
  for (const message of new Set(failures.map((failure) => failure.message))) {
    const chains = failures.filter((failure) => failure.message === message);
    complain(`${namedChains(chains.map(({ chain }) => chain))} failed: ${message}`);
  }
  if (result.chains.every((chain) => numDraws(chain) === 0)) {
    if (isInterrupted)
      complain('Interrupted before the end of warmup: there are no draws to keep.');
    else if (isOverTime)
      complain(`${overTime(inputs)}, before the end of warmup: there are no draws to keep.`);
    else if (failures.length === 0) complain('No draws were made.');
    if (isInterrupted) return interruptedCode;
    return inputs.settings.numSamples === 0 && failures.length === 0 ? 0 : 1;
  }

  const report = reportRun(result, inputs.labels, inputs.settings.algorithm);
  const summary = `${JSON.stringify(summaryJson(result, report, basename(modelPath)), null, 2)}\n`;
  if (options.out !== undefined) {
    await writeFiles({ folder: options.out, inputs, result, summary, dataFile: options.data });
    if (report.calibration !== undefined)
      await writeFile(join(options.out, 'ranks.csv'), ranksCsv(report.calibration));
  }
  process.stdout.write(options.json ? summary : `${tableOf(report)}\n`);
  const profiles = profileTable(result);
  if (profiles !== null) for (const line of profiles.split('\n')) complain(line);
  for (const line of verdictLines(report.verdict, result.seed)) complain(line);
  if (isOverTime) {
    complain(`${overTime(inputs)}: ${keptDraws(result, inputs, options.out)}`);
    return 0;
  }
  if (isInterrupted) {
    complain(`Interrupted: ${keptDraws(result, inputs, options.out)}`);
    return interruptedCode;
  }
  return result.chains.every((chain) => chain.outcome.status === 'complete') ? 0 : 1;
}

const tableOf = ({ calibration, rows }: RunReport): string =>
  calibration === undefined ? summaryTable(rows) : calibrationTable(calibration);

function ranksCsv({ chains, quantities }: Calibration): string {
  return rankCsv(
    chains,
    quantities.map(({ variable, ranks }) => ({
      variable,
      rank: ranks.map((one) => one?.rank ?? null),
      draws: ranks.map((one) => one?.draws ?? null),
      position: ranks.map((one) => one?.position ?? null),
      truth: ranks.map((one) => (one === null || Number.isNaN(one.truth) ? null : one.truth)),
    })),
  );
}

/** The longest delay of a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

const numDraws = (chain: ChainRun): number => chain.sampling[0]?.length ?? 0;

const overTime = ({ settings }: RunInputs): string =>
  `Stopped at the time limit of ${settings.timeLimit} seconds`;

function keptDraws(result: RunResult, { settings, sources }: RunInputs, folder?: string): string {
  const asked =
    Math.max(...(sources ?? []).map(({ count }) => count), 0) ||
    savedIterations(settings.numSamples, settings.thin);
  const counts = result.chains.map((chain) => `${chain.chain}: ${numDraws(chain)}`).join(', ');
  const kept = folder === undefined ? 'not written (no --out)' : `written to ${folder}`;
  return `draws of ${asked} by chain: ${counts}; ${kept}.`;
}

async function makeFolder(folder: string, complain: (line: string) => void): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    return true;
  } catch (error) {
    complain(`Cannot write to ${folder} (--out): ${(error as NodeJS.ErrnoException).code}.`);
    return false;
  }
}

/** Prints the compiler's diagnostics; false if there is an error, or if the program reads data and got none. */
function reportDiagnostics(inputs: RunInputs, complain: (line: string) => void): boolean {
  const main = { name: basename(inputs.modelPath), text: inputs.source };
  const include = (name: string) => inputs.files[name] ?? null;
  const { program, diagnostics, files } = compileProgram(main, { include, libraryKeys });
  for (const diagnostic of diagnostics) complain(render(diagnostic, files));
  if (hasErrors(diagnostics)) return false;
  const read = (program?.variables ?? []).filter(({ block }) => block === 'data');
  if (inputs.hasData || read.length === 0) return true;
  const names = read.map(({ name }) => name).join(', ');
  complain(`The program reads data (${names}): name the data file with --data FILE.`);
  return false;
}

interface Sampled {
  readonly result: RunResult;
  readonly isInterrupted: boolean;
  /** The time limit stopped it, so draws are missing. */
  readonly isOverTime: boolean;
}

async function sample(inputs: RunInputs, workerUrl?: URL): Promise<Sampled> {
  const { source, files, data, settings, sources } = inputs;
  const progress =
    settings.algorithm === 'calibration'
      ? createSimulationCount(process.stderr, settings.numSimulations)
      : createProgressLine(process.stderr);
  const stop = new AbortController();
  // the first Ctrl-C stops the chains and keeps their draws, the next one exits the program
  const interrupt = () => {
    progress.say('Stopping and keeping the draws so far … (press Ctrl-C again to exit at once)');
    stop.abort();
  };
  process.once('SIGINT', interrupt);
  let isOverTime = false;
  const limit =
    settings.timeLimit === null
      ? undefined
      : setTimeout(
          () => {
            isOverTime = !stop.signal.aborted;
            stop.abort();
          },
          Math.min(settings.timeLimit * 1000, longestTimer),
        );
  const { signal } = stop;
  try {
    const result = isJagsModel(inputs.modelPath)
      ? await runJags({
          inputs,
          signal,
          onProgress: (made) => progress.update(made),
          say: (line) => progress.say(line),
        })
      : await runChains({
          source,
          files,
          data,
          settings,
          sources,
          workerUrl,
          signal,
          onEvent(chain, event) {
            if (event.type === 'advanced') progress.update(event.progress);
            if (event.type === 'log') progress.say(`Chain ${chain}: ${event.line}`);
          },
        });
    return { result, isInterrupted: signal.aborted && !isOverTime, isOverTime };
  } finally {
    clearTimeout(limit);
    process.removeListener('SIGINT', interrupt);
    progress.end();
  }
}

interface OutputFiles {
  readonly folder: string;
  readonly inputs: RunInputs;
  readonly result: RunResult;
  readonly summary: string;
  readonly dataFile?: string;
}

async function writeFiles(files: OutputFiles): Promise<void> {
  const { folder, inputs, result, summary, dataFile } = files;
  const { settings, modelPath } = inputs;
  const model = basename(modelPath).replace(/\.(?:stan|jags|bugs?)$/, '');
  const { columns, seed } = result;
  for (const chain of result.chains) {
    const pieces = Readable.from(chainCsv(chain, { columns, seed, settings, model, dataFile }));
    await pipeline(pieces, createWriteStream(join(folder, `chain_${chain.chain}.csv`)));
  }
  await writeFile(join(folder, 'summary.json'), summary);
  const profiles = profileCsv(result);
  if (profiles !== null) await writeFile(join(folder, 'profile.csv'), profiles);
}
