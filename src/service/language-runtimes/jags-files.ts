/** A run of a JAGS model in the form its driver (`jags.R`) reads: settings, data and starting values as small texts. */
import { type JagsSettings, namePattern } from '../../formats/jags-settings.ts';
import { isRecord } from '../../shared/items.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import driver from './jags.R?raw';

export interface JagsFiles {
  /** By path, relative to the folder that the driver is given. */
  readonly files: ReadonlyMap<string, string>;
  /** What the model cannot read, as log lines. */
  readonly notes: readonly string[];
}

export const jagsDriver = 'driver.R';

/** `model`: path of the model's file for the driver. The error is a sentence. */
export function jagsFiles(
  model: string,
  values: Readonly<Record<string, unknown>>,
  settings: JagsSettings,
): Result<JagsFiles, string> {
  const data = jagsValues(values);
  const files = new Map([
    [jagsDriver, driver],
    ['settings.txt', settingsText(model, settings)],
    ['data.txt', data.text],
  ]);
  for (let chain = 1; chain <= settings.chains; chain++) {
    const inits = initsOf(settings.inits, chain);
    if (inits === null)
      return err('inits must be an object of starting values, or a list of one for each chain.');
    const { text, leftOut } = jagsValues(inits);
    if (leftOut.length > 0)
      return err(`inits: ${leftOut[0]} is not a number or an array of numbers.`);
    if (text !== '') files.set(`inits-${chain}.txt`, text);
  }
  const { leftOut } = data;
  const notes =
    leftOut.length === 0
      ? []
      : [
          `Left out of the data, since JAGS reads numbers and full arrays only: ${leftOut.join(', ')}.`,
        ];
  return ok({ files, notes });
}

function settingsText(model: string, settings: JagsSettings): string {
  const { inits: _, ...written } = settings;
  return Object.entries({ model, ...written })
    .map(([key, value]) => [key, ...(Array.isArray(value) ? value : [value])].join('\t'))
    .map((line) => `${line}\n`)
    .join('');
}

/** Null: not an object of values. */
function initsOf(inits: unknown, chain: number): Record<string, unknown> | null {
  if (inits === null || inits === undefined) return {};
  const own: unknown = Array.isArray(inits) ? inits[chain - 1] : inits;
  return isRecord(own) ? own : null;
}

interface Values {
  readonly text: string;
  /** Names of variables that are not numeric. */
  readonly leftOut: readonly string[];
}

/**
 * Two lines per variable: its name and, for an array, its dimensions; then its values, first index running fastest, as
 * in JAGS. Missing values (null, NaN, "NA") are NA.
 */
function jagsValues(values: Readonly<Record<string, unknown>>): Values {
  const leftOut: string[] = [];
  let text = '';
  for (const [name, value] of Object.entries(values)) {
    const shape = shapeOf(value);
    const flat = shape === null || !namePattern.test(name) ? null : columnMajor(value, shape);
    if (shape === null || flat === null) leftOut.push(name);
    else {
      const head = shape.length > 1 ? `${name}\t${shape.join(',')}` : name;
      text += `${head}\n${flat.join(' ')}\n`;
    }
  }
  return { text, leftOut };
}

/** Null: ragged. */
function shapeOf(value: unknown): number[] | null {
  if (!Array.isArray(value)) return [];
  const inner = value.map(shapeOf);
  const [first = []] = inner;
  if (first === null) return null;
  const isEven = inner.every((shape) => shape?.join(',') === first.join(','));
  return isEven ? [value.length, ...first] : null;
}

/** Null: a value is not a number. */
function columnMajor(value: unknown, shape: readonly number[]): string[] | null {
  const size = shape.reduce((product, length) => product * length, 1);
  const flat: string[] = [];
  const index = shape.map(() => 0);
  for (let i = 0; i < size; i++) {
    let item: unknown = value;
    for (const at of index) item = (item as unknown[])[at];
    const number = numberText(item);
    if (number === null) return null;
    flat.push(number);
    for (let d = 0; d < shape.length; d++) {
      index[d] = (index[d] ?? 0) + 1;
      if (index[d] !== shape[d]) break;
      index[d] = 0;
    }
  }
  return flat;
}

function numberText(value: unknown): string | null {
  if (value === null || value === 'NA') return 'NA';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value !== 'number') return null;
  if (Number.isNaN(value)) return 'NA';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? 'Inf' : '-Inf';
}
