/** What the run command is given: options to settings, files to program and data. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { SourceDraws } from '../engine/chain-state.ts';
import { parseSettings } from '../engine/settings.ts';
import {
  type Algorithm,
  isPathfinderInits,
  type SettingRow,
  type Settings,
  settingsTable,
} from '../engine/settings-table.ts';
import { parseDataJson } from '../formats/data-json.ts';
import { dataTextFault, readDataText } from '../formats/data-text.ts';
import { runtimeOfFile } from '../formats/entrance-file.ts';
import { checkProgram } from '../language/check.ts';
import { hasErrors } from '../language/diagnostics.ts';
import { dimensionNames } from '../language/dimensions.ts';
import type { DataJson } from '../language/program.ts';
import { columnsAsData } from '../mapping/columns-as-data.ts';
import { type DimensionLabels, noLabels, readLabels } from '../posterior/variable-labels.ts';
import { labelsOfRun } from '../service/runs/run-labels.ts';
import { err, ok, type Result } from '../shared/result.ts';
import { type RunData, readRunData } from './run-data.ts';
import { readSources } from './run-source.ts';

/** As commander reads them. */
export interface RunOptions {
  readonly algorithm?: string;
  /** True: without a number. */
  readonly calibrate?: string | true;
  readonly from?: readonly string[];
  readonly data?: string;
  readonly missing?: string;
  readonly sheet?: string;
  readonly chains?: string;
  readonly warmup?: string;
  readonly warmupChains?: string;
  readonly samples?: string;
  readonly seed?: string;
  readonly adaptDelta?: string;
  readonly maxTreedepth?: string;
  readonly metric?: string;
  readonly adaptation?: string;
  readonly sampler?: string;
  readonly init?: string;
  readonly thin?: string;
  readonly saveWarmup?: boolean;
  readonly parallel?: string;
  readonly timeLimit?: string;
  readonly timeout?: string;
  readonly out?: string;
  readonly json?: boolean;
  readonly numAdapt?: string;
  readonly monitor?: string;
  readonly modules?: string;
}

export interface RunInputs {
  readonly modelPath: string;
  readonly source: string;
  readonly files: Readonly<Record<string, string>>;
  readonly data: DataJson;
  /** The data's names for the dimensions of the program's variables. */
  readonly labels: DimensionLabels;
  /** How a table was turned into data, as lines for stderr. */
  readonly dataNotes: readonly string[];
  /** Whether a data file was given. */
  readonly hasData: boolean;
  readonly settings: Settings;
  /** Settings of JAGS, as given. */
  readonly jags: Readonly<Record<string, unknown>>;
  /** The draws that `generate_quantities` reads. */
  readonly sources?: readonly SourceDraws[];
}

/** Reads everything; the error is a message for the terminal. */
export async function readRunInputs(
  modelPath: string,
  options: RunOptions,
): Promise<Result<RunInputs, string>> {
  const source = readText(modelPath, 'the model');
  if (!source.ok) return source;
  const isJags = runtimeOfFile(modelPath) === 'jags';
  const files = isJags ? {} : readIncludes(modelPath, source.value);
  const data = isJags ? readJagsData(options) : await readData(options, source.value, files);
  if (!data.ok) return data;
  const settings = readSettings(options);
  if (!settings.ok) return settings;
  const sources = await sourcesOf(options, settings.value);
  if (!sources.ok) return sources;
  return ok({
    modelPath,
    source: source.value,
    files,
    data: data.value.data,
    labels: isJags ? noLabels : labelsOf(source.value, files, data.value),
    dataNotes: data.value.notes,
    hasData: options.data !== undefined,
    settings: settings.value,
    jags: { num_adapt: options.numAdapt, monitor: options.monitor, modules: options.modules },
    ...(sources.value === null ? {} : { sources: sources.value }),
  });
}

async function sourcesOf(
  { from = [] }: RunOptions,
  { algorithm }: Settings,
): Promise<Result<readonly SourceDraws[] | null, string>> {
  if (algorithm !== 'generate_quantities') return ok(null);
  return from.length === 0
    ? err('generate_quantities reads the draws of a finished run: name its folder with --from.')
    : readSources(from);
}

function labelsOf(
  source: string,
  files: Readonly<Record<string, string>>,
  { labels }: RunData,
): DimensionLabels {
  if (Object.keys(labels).length === 0) return noLabels;
  const { program, diagnostics } = checkProgram(source, { include: (name) => files[name] ?? null });
  if (hasErrors(diagnostics)) return noLabels;
  return readLabels(labelsOfRun(dimensionNames(program), labels));
}

/** Settings of algorithms other than NUTS: each has an option of the same name. */
export const fitRows: readonly SettingRow[] = settingsTable.filter(
  ({ key, algorithms }) =>
    key !== 'from' && algorithms !== undefined && !algorithms.includes('nuts'),
);

/** Commander's name of an option: `history_size` is `--history-size` is `historySize`. */
const optionName = (key: string) =>
  key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function readSettings(options: RunOptions): Result<Settings, string> {
  let inits: unknown;
  if (isPathfinderInits(options.init)) inits = options.init;
  else if (options.init !== undefined) {
    const radius = Number(options.init);
    if (options.init.trim() !== '' && !Number.isNaN(radius))
      return parse(options, { init_radius: radius });
    const read = readJson(options.init, 'the inits');
    if (!read.ok) return read;
    inits = read.value;
  }
  return parse(options, { inits });
}

const reading: Algorithm = 'generate_quantities';

function parse(options: RunOptions, inits: object): Result<Settings, string> {
  const given = options as Readonly<Record<string, unknown>>;
  const parsed = parseSettings({
    ...Object.fromEntries(fitRows.map(({ key }) => [key, given[optionName(key)]])),
    algorithm: options.algorithm ?? (options.from === undefined ? undefined : reading),
    from: options.from?.join(', '),
    ...calibrationOf(options.calibrate),
    num_chains: options.chains,
    num_warmup: options.warmup,
    warmup_chains: options.warmupChains,
    num_samples: options.samples,
    seed: options.seed,
    adapt_delta: options.adaptDelta,
    max_treedepth: options.maxTreedepth,
    metric: options.metric,
    adaptation: options.adaptation,
    sampler: options.sampler,
    thin: options.thin,
    save_warmup: options.saveWarmup,
    parallel_chains: options.parallel,
    time_limit: options.timeLimit,
    timeout: options.timeout,
    ...inits,
  });
  if (!parsed.ok) return err(parsed.error.message);
  const [unused] = parsed.unknown;
  if (unused === undefined) return ok(parsed.settings);
  return err(
    `${unused} is not a setting of the algorithm ${parsed.settings.algorithm}: leave it out, or choose another with --algorithm.`,
  );
}

function calibrationOf(calibrate: RunOptions['calibrate']): object {
  if (calibrate === undefined) return {};
  return {
    algorithm: 'calibration',
    ...(calibrate === true ? {} : { num_simulations: calibrate }),
  };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

function readText(path: string, what: string): Result<string, string> {
  const bytes = readBytes(path, what);
  return bytes.ok ? ok(bytes.value.toString('utf8')) : bytes;
}

function readBytes(path: string, what: string): Result<Buffer, string> {
  try {
    return ok(readFileSync(path));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return err(`Cannot read ${what} ${path}: ${reasons[code ?? ''] ?? String(code ?? error)}.`);
  }
}

function readJson(path: string, what: string): Result<unknown, string> {
  const text = readText(path, what);
  if (!text.ok) return text;
  const parsed = parseDataJson(text.value);
  if (parsed.ok) return ok(parsed.value.value);
  const { message, line, column } = parsed.error;
  return err(`Cannot read ${what} ${path}:${line}:${column}: ${message}`);
}

async function readData(
  { data: path, missing = 'stop', sheet }: RunOptions,
  source: string,
  files: Readonly<Record<string, string>>,
): Promise<Result<RunData, string>> {
  if (path === undefined) return ok({ data: {}, labels: {}, notes: [] });
  if (missing !== 'stop' && missing !== 'drop')
    return err(`--missing must be stop or drop (got ${missing}).`);
  const bytes = readBytes(path, 'the data');
  if (!bytes.ok) return bytes;
  return readRunData({ path, bytes: bytes.value, source, files, missing, sheet });
}

/** JSON, an R dump, or a table whose columns are the variables, since a JAGS model declares none to map them to. */
function readJagsData({ data: path }: RunOptions): Result<RunData, string> {
  if (path === undefined) return ok({ data: {}, labels: {}, notes: [] });
  const text = readText(path, 'the data');
  if (!text.ok) return text;
  if (/\.(?:csv|tsv|tab)$/i.test(path)) {
    const table = columnsAsData(text.value);
    if (!table.ok) return err(`Cannot use the data ${path}: ${table.error}`);
    return ok({ data: table.value as DataJson, labels: {}, notes: [] });
  }
  const read = readDataText(text.value);
  if (!read.ok) return err(`Cannot read the data ${path}: ${dataTextFault(read.error)}`);
  return ok({ data: read.value.values as DataJson, labels: {}, notes: [] });
}

/** Texts of directly or indirectly included files, by the name in the program; files not found are left out. */
export function readIncludes(modelPath: string, source: string): Record<string, string> {
  const folder = dirname(resolve(modelPath));
  const files: Record<string, string> = {};
  const pending = [source];
  for (const text of pending) {
    for (const [, name] of text.matchAll(/^[ \t]*#include[ \t]+[<"]?([^>"\s]+)/gm)) {
      const path = resolve(folder, name);
      const isInside = !relative(folder, path).startsWith(`..${sep}`);
      if (name in files || !isInside) continue;
      const read = readText(join(folder, name), 'an included file');
      if (!read.ok) continue;
      files[name] = read.value;
      pending.push(read.value);
    }
  }
  return files;
}
