/**
 * Commands that run a packed program: a Stan program with Ergodic's own engine, with CmdStanPy or with CmdStanR; any
 * other with its interpreter. The texts are files next to this one, valid in their language; this fills their gaps.
 */

import {
  type Method,
  methodArguments,
  methodOf,
  type ScriptArgument,
  type ScriptLanguage,
} from './method-scripts.ts';
import runPython from './package-files/run.py?raw';
import runR from './package-files/run.R?raw';
import runOther from './package-files/run-other.sh?raw';
import runStan from './package-files/run-stan.sh?raw';

export interface ScriptParts {
  /** Path of the program in the package. */
  readonly program: string;
  /** Path of the data in the package; null: none. */
  readonly data: string | null;
  /** Path of the starting values in the package; null: random ones. */
  readonly inits: string | null;
  /** As users write them. Absent or null: the tool's default. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Keys of `sampling` and the matching options of `ergodic run`. */
const runOptions: readonly (readonly [key: string, option: string])[] = [
  ['num_chains', '--chains'],
  ['num_warmup', '--warmup'],
  ['warmup_chains', '--warmup-chains'],
  ['num_samples', '--samples'],
  ['seed', '--seed'],
  ['adapt_delta', '--adapt-delta'],
  ['max_treedepth', '--max-treedepth'],
  ['metric', '--metric'],
  ['adaptation', '--adaptation'],
  ['sampler', '--sampler'],
  ['thin', '--thin'],
  ['parallel_chains', '--parallel'],
  ['time_limit', '--time-limit'],
  ['timeout', '--timeout'],
];

/** Settings of individual algorithms, which `ergodic run` has as options of the same name. */
const fitKeys = [
  'algorithm',
  'jacobian',
  'iter',
  'history_size',
  'init_alpha',
  'tol_obj',
  'tol_rel_obj',
  'tol_grad',
  'tol_rel_grad',
  'tol_param',
  'num_paths',
  'num_elbo_draws',
  'psis_resample',
  'approximation',
  'grad_samples',
  'elbo_samples',
  'eval_elbo',
  'eta',
  'adapt_iter',
];

/** NUTS makes the draws: CmdStan's `sample` with these settings. */
function isSampled({ algorithm }: ScriptParts['settings']): boolean {
  return algorithm === undefined || algorithm === null || algorithm === 'nuts';
}

/** Files of the run whose draws are read must be placed here before the commands are run. */
export const drawsFolder = 'draws';

export function readsDraws({ algorithm }: ScriptParts['settings']): boolean {
  return algorithm === 'generate_quantities';
}

/** Pairs of a setting and its option, for those that the algorithm reads. */
function optionsOf(settings: ScriptParts['settings']) {
  if (isSampled(settings)) return runOptions;
  const own = fitKeys.map((key) => [key, `--${key.replaceAll('_', '-')}`] as const);
  const unread = ['num_warmup', 'warmup_chains'];
  if (settings.algorithm === 'optimize') unread.push('num_samples');
  if (readsDraws(settings)) unread.push('num_samples', 'num_chains', 'max_treedepth');
  const isRead = ([key]: readonly [string, string]) => !unread.includes(key);
  return [...own, ...runOptions.filter(isRead)];
}

export function shellScript({ program, data, inits, settings }: ScriptParts): string {
  const options = optionsOf(settings).flatMap(([key, option]) => {
    const value = scalarOf(settings[key]);
    return value === null ? [] : [`${option} ${shellQuote(String(value))}`];
  });
  if (data !== null) options.unshift(`--data ${shellQuote(data)}`);
  const radius = scalarOf(settings.init_radius);
  if (inits !== null) options.push(`--init ${shellQuote(inits)}`);
  else if (settings.inits === 'pathfinder' || settings.inits === 'multi-pathfinder')
    options.push(`--init ${settings.inits}`);
  else if (radius !== null) options.push(`--init ${shellQuote(String(radius))}`);
  if (settings.save_warmup === true) options.push('--save-warmup');
  if (readsDraws(settings)) options.push(`--from ${shellQuote(drawsFolder)}`);
  return fill(runStan, {
    __PROGRAM__: shellQuote(program),
    '  __OPTIONS__ \\\n': options.map((option) => `  ${absolute(option)} \\\n`).join(''),
  });
}

/** `interpreter`: a command, arguments included. */
export function programScript(interpreter: string, entrance: string): string {
  return fill(runOther, { __INTERPRETER__: interpreter, __ENTRANCE__: shellQuote(entrance) });
}

/** Fills all gaps in one pass, so that a value that looks like a gap is left alone. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  const gaps = Object.keys(values).map((gap) => gap.replace(/[*\\]/g, '\\$&'));
  return template.replace(new RegExp(gaps.join('|'), 'g'), (gap) => values[gap]);
}

/** The command may run in a different folder. */
function absolute(option: string): string {
  const [name, value] = option.split(' ', 1).concat(option.slice(option.indexOf(' ') + 1));
  const isFile =
    name === '--data' || name === '--from' || (name === '--init' && value.endsWith(".json'"));
  return isFile ? `${name} "$here"/${value}` : option;
}

/** Any text as one word of a POSIX shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function scalarOf(value: unknown): string | number | boolean | null {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
    ? value
    : null;
}

interface Syntax extends ScriptLanguage {
  readonly place: (path: string) => string;
  /** Of a call, one to a line. */
  readonly line: (argument: ScriptArgument) => string;
  /** The argument for starting values, and its value if they are in a file. */
  readonly inits: string;
  readonly initsOf: (path: string) => string;
}

const python: Syntax = {
  yes: 'True',
  no: 'False',
  grouped: (values) => `{${values.map(([name, value]) => `"${name}": ${value}`).join(', ')}}`,
  place: (path) => `os.path.join(here, ${segmentsOf(path)})`,
  line: ([name, value]) => `    ${name}=${value},`,
  inits: 'inits',
  initsOf: () => 'inits',
};
const r: Syntax = {
  yes: 'TRUE',
  no: 'FALSE',
  grouped: (values) => `list(${values.map(([name, value]) => `${name} = ${value}`).join(', ')})`,
  place: (path) => `file.path(here, ${segmentsOf(path)})`,
  line: ([name, value]) => `  ${name} = ${value},`,
  inits: 'init',
  initsOf: (path) => `jsonlite::fromJSON(${r.place(path)}, simplifyDataFrame = FALSE)`,
};

const segmentsOf = (path: string): string =>
  path
    .split('/')
    .map((segment) => JSON.stringify(segment))
    .join(', ');

/** Settings and starting values as arguments of CmdStan's interface in a language. */
function argumentsOf(
  { settings, inits }: ScriptParts,
  method: Method,
  language: Syntax,
): ScriptArgument[] {
  const given = methodArguments(method, settings, language);
  const { metric } = settings;
  const depth = scalarOf(settings.max_treedepth);
  const radius = scalarOf(settings.init_radius);
  if (method.isSampling) {
    // CmdStan has no low-rank metric: use its default
    if (metric === 'diag' || metric === 'dense' || metric === 'unit')
      given.push(['metric', JSON.stringify(`${metric}_e`)]);
    if (depth !== null) given.push(['max_treedepth', JSON.stringify(depth)]);
  }
  if (method.hasInits === false) return given;
  if (inits !== null) given.push([language.inits, language.initsOf(inits)]);
  else if (radius !== null) given.push([language.inits, JSON.stringify(radius)]);
  return given;
}

/** Lines that end with `# if WHAT`: either without the mark, or left out. */
function linesIf(text: string, what: string, areKept: boolean): string {
  return areKept
    ? text.replace(new RegExp(`  # if ${what}$`, 'gm'), '')
    : text.replace(new RegExp(`^.*  # if ${what}\n`, 'gm'), '');
}

const verbOf = ({ isSampling }: Method) => (isSampling ? 'Samples' : 'Runs');

export function pythonScript(parts: ScriptParts): string {
  const { program, data, settings } = parts;
  const { place, line } = python;
  const method = methodOf(settings);
  const isSampling = method.isSampling === true;
  const isReading = readsDraws(settings);
  const inits = method.hasInits === false ? null : parts.inits;
  const given = argumentsOf(parts, method, python);
  if (settings.algorithm === 'advi') given.push(['require_converged', 'False']);
  if (isReading) given.push(['previous_fit', 'draws']);
  if (!isSampling) given.push([isReading ? 'gq_output_dir' : 'output_dir', place('output')]);
  const marks = Object.entries({ inits: inits !== null, draws: isReading, sampled: isSampling });
  const template = marks.reduce((text, [what, isTrue]) => linesIf(text, what, isTrue), runPython);
  return fill(template, {
    __VERB__: verbOf(method),
    __PROGRAM__: place(program),
    __FOLDER__: place(folderOf(program)),
    ...(inits === null ? {} : { __INITS__: place(inits) }),
    __METHOD__: method.python,
    __SHOWN__: method.shown,
    ', *__DATA__': data === null ? '' : `, ${place(data)}`,
    '    **__ARGUMENTS__,': given.map(line).join('\n'),
  });
}

export function rScript(sent: ScriptParts): string {
  const parts = withSmallSeed(sent);
  const { program, data, settings } = parts;
  const { place, line } = r;
  const method = methodOf(settings);
  const given = argumentsOf(parts, method, r);
  if (readsDraws(settings)) {
    const draws = `list.files(${place(drawsFolder)}, "[.]csv$", full.names = TRUE)`;
    given.push(['fitted_params', draws]);
  }
  return fill(linesIf(runR, 'sampled', method.isSampling === true), {
    VERB__: verbOf(method),
    PROGRAM__: place(program),
    FOLDER__: place(folderOf(program)),
    METHOD__: method.r,
    DATA__: data === null ? 'NULL' : place(data),
    '  ARGUMENTS__,': given.map(line).join('\n'),
  });
}

/** Integers in R end at 2^31 − 1. */
function withSmallSeed(parts: ScriptParts): ScriptParts {
  const { seed } = parts.settings;
  if (typeof seed !== 'number' || seed < 2 ** 31) return parts;
  return { ...parts, settings: { ...parts.settings, seed: seed - 2 ** 31 } };
}

function folderOf(path: string): string {
  return path.split('/').slice(0, -1).join('/') || '.';
}
