/** What the run command is given: options to settings, files to program and data. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseSettings, type Settings } from '../engine/settings.ts';
import { parseDataJson } from '../formats/data-json.ts';
import type { DataJson } from '../language/program.ts';
import { err, ok, type Result } from '../shared/result.ts';

/** As commander reads them. */
export interface RunOptions {
  readonly data?: string;
  readonly chains?: string;
  readonly warmup?: string;
  readonly samples?: string;
  readonly seed?: string;
  readonly adaptDelta?: string;
  readonly maxTreedepth?: string;
  readonly metric?: string;
  readonly init?: string;
  readonly thin?: string;
  readonly saveWarmup?: boolean;
  readonly parallel?: string;
  readonly timeout?: string;
  readonly out?: string;
  readonly json?: boolean;
}

export interface RunInputs {
  readonly modelPath: string;
  readonly source: string;
  readonly files: Readonly<Record<string, string>>;
  readonly data: DataJson;
  /** Whether a file of data was given. */
  readonly hasData: boolean;
  readonly settings: Settings;
}

/** Reads everything; the error is a sentence for the terminal. */
export function readRunInputs(modelPath: string, options: RunOptions): Result<RunInputs, string> {
  const source = readText(modelPath, 'the model');
  if (!source.ok) return source;
  const data = options.data === undefined ? ok({}) : readJsonObject(options.data, 'the data');
  if (!data.ok) return data;
  const settings = readSettings(options);
  if (!settings.ok) return settings;
  const files = readIncludes(modelPath, source.value);
  return ok({
    modelPath,
    source: source.value,
    files,
    data: data.value,
    hasData: options.data !== undefined,
    settings: settings.value,
  });
}

function readSettings(options: RunOptions): Result<Settings, string> {
  let inits: unknown;
  if (options.init !== undefined) {
    const radius = Number(options.init);
    if (options.init.trim() !== '' && !Number.isNaN(radius))
      return parse(options, { init_radius: radius });
    const read = readJson(options.init, 'the inits');
    if (!read.ok) return read;
    inits = read.value;
  }
  return parse(options, { inits });
}

function parse(options: RunOptions, inits: object): Result<Settings, string> {
  const parsed = parseSettings({
    num_chains: options.chains,
    num_warmup: options.warmup,
    num_samples: options.samples,
    seed: options.seed,
    adapt_delta: options.adaptDelta,
    max_treedepth: options.maxTreedepth,
    metric: options.metric,
    thin: options.thin,
    save_warmup: options.saveWarmup,
    parallel_chains: options.parallel,
    timeout: options.timeout,
    ...inits,
  });
  return parsed.ok ? ok(parsed.settings) : err(parsed.error.message);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

function readText(path: string, what: string): Result<string, string> {
  try {
    return ok(readFileSync(path, 'utf8'));
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

function readJsonObject(path: string, what: string): Result<DataJson, string> {
  const read = readJson(path, what);
  if (!read.ok) return read;
  const { value } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return err(`Cannot use ${what} ${path}: it must be a JSON object of values by name.`);
  }
  return ok(value as DataJson);
}

/** Texts of the files that the program includes, directly or not, by the name it gives; those not found are left out. */
function readIncludes(modelPath: string, source: string): Record<string, string> {
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
