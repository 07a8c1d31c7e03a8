/**
 * A program with data and settings as a folder that runs elsewhere with one command. The layout is that of the
 * documented package: `workflow.yaml`, `data`, `data.py`, `model/`, `analyzer/`, plus the commands and their input.
 */
import { parseDataJson } from './data-json.ts';
import { metaName, withoutMeta } from './data-meta.ts';
import type { ModelFile, ModelFiles } from './model-tree.ts';
import pythonClient from './package-files/ergodic.py?raw';
import clientMain from './package-files/ergodic_main.py?raw';
import packageTasks from './package-files/tasks.py?raw';
import {
  drawsFolder,
  programScript,
  pythonScript,
  readsDraws,
  rScript,
  type ScriptParts,
  shellScript,
} from './run-scripts.ts';

export interface PackedTree {
  readonly files: readonly ModelFile[];
  /** Path of the file to run; empty if unknown. */
  readonly entrance: string;
}

export interface RunPackageInput {
  readonly name: string;
  /** `stan`, `python`, `julia`, `r`, …; empty if unknown. */
  readonly env: string;
  readonly program: PackedTree;
  /** Unchanged; null: none. */
  readonly data?: Uint8Array | null;
  /** JSON text of the data as the program's data block reads them; null: none, or not JSON. */
  readonly dataJson?: string | null;
  /** Keys of `sampling` as users write them. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** YAML text of all settings, copied unchanged; without it, generated from `settings` and `packageDefaults`. */
  readonly settingsText?: string | null;
  /** Written to the section `ergodic` of `workflow.yaml`: endpoint, workflow_id, experiment_name. */
  readonly place?: Readonly<Record<string, string>>;
  /** Names of the run's chains that its owner left out of summary, verdict and plots. */
  readonly chainsLeftOut?: readonly string[];
  readonly dataScript?: { readonly text: string; readonly suffix: 'py' | 'js' } | null;
  readonly startupScript?: string | null;
  readonly analyzer?: PackedTree | null;
}

export interface RunPackage extends ModelFiles {
  /** Paths of executable files. */
  readonly programs: ReadonlySet<string>;
}

const isStan = ({ env, program }: RunPackageInput) =>
  env === 'stan' || env === 'cmdstan' || program.entrance.toLowerCase().endsWith('.stan');

/** The same input gives the same files. The names in the trees must have been checked (see `flattenTree`). */
export function buildRunPackage(input: RunPackageInput): RunPackage {
  const { program, data, dataJson, analyzer, dataScript, startupScript, settings = {} } = input;
  const files = new Map<string, Uint8Array>();
  const addText = (path: string, text: string) => files.set(path, new TextEncoder().encode(text));
  const addTree = (folder: string, tree: PackedTree) => {
    for (const { path, bytes } of tree.files) files.set(`${folder}/${path}`, bytes);
    addText(`${folder}/.metadata`, `${JSON.stringify({ entrance_file: tree.entrance })}\n`);
  };
  const commands = commandsOf(input);
  addText('README.txt', readme(input, Object.keys(commands)));
  addText('workflow.yaml', workflowYaml(input));
  addText('settings.json', `${JSON.stringify(settings, null, 2)}\n`);
  if (data) files.set('data', data);
  if (dataJson && (isStan(input) || dataScript)) addText('data.json', readableJson(dataJson));
  if (dataScript) addText(`data.${dataScript.suffix}`, dataScript.text);
  addTree('model', program);
  if (startupScript) addText('model/script.jl', startupScript);
  if (analyzer) addTree('analyzer', analyzer);
  const { inits } = settings;
  if (hasInits(inits)) addText('inits.json', `${JSON.stringify(inits)}\n`);
  for (const [path, text] of Object.entries(commands)) addText(path, text);
  addText('tasks.py', packageTasks);
  addText(`${clientFolder}/ergodic/__init__.py`, pythonClient);
  addText(`${clientFolder}/ergodic/__main__.py`, clientMain);
  return {
    files: [...files].map(([path, bytes]) => ({ path, bytes, encoding: 'base64' })),
    emptyFolders: [],
    programs: new Set(Object.keys(commands)),
  };
}

/** CmdStan accepts no texts, so labels are left out; other data are written unchanged. */
function readableJson(text: string): string {
  if (!text.includes(`"${metaName}"`)) return text;
  const parsed = parseDataJson(text);
  if (!parsed.ok) return text;
  const { value } = parsed.value;
  // a value containing the name is not null
  const isObject = typeof value === 'object' && !Array.isArray(value);
  return isObject
    ? `${JSON.stringify(withoutMeta(value as Record<string, unknown>), finite)}\n`
    : text;
}

const finite = (_: string, value: unknown) =>
  typeof value === 'number' && !Number.isFinite(value)
    ? String(value).replace('Infinity', 'Inf')
    : value;

/** Where Python finds the module `ergodic`. */
const clientFolder = 'client/Ergodic.py';

const hasInits = (inits: unknown) => typeof inits === 'object' && inits !== null;

/** Command files by path; empty if it is unknown how to run it. */
function commandsOf(input: RunPackageInput): Record<string, string> {
  const { env, program, dataJson, settings = {} } = input;
  if (program.entrance === '') return {};
  if (isStan(input)) {
    const parts: ScriptParts = {
      program: `model/${program.entrance}`,
      data: dataJson ? 'data.json' : null,
      inits: hasInits(settings.inits) ? 'inits.json' : null,
      settings,
    };
    return {
      'run.sh': shellScript(parts),
      'run.py': pythonScript(parts),
      'run.R': rScript(parts),
    };
  }
  const interpreters: Readonly<Record<string, string>> = {
    python: 'python3',
    julia: 'julia --project=.',
    r: 'Rscript',
  };
  if (!Object.hasOwn(interpreters, env)) return {};
  return { 'run.sh': programScript(interpreters[env], program.entrance) };
}

/**
 * Sections of `workflow.yaml` that the commands of public clients read, whatever else it contains. `sync` is off:
 * nothing reaches a service until the user asks for it.
 */
export const packageDefaults = {
  sampling: { sync: false, julia_args: [], mcmc_data: { directory: 'mcmcdata' } },
  serverless: { engine: 'local' },
  analysis: { sync: false, output_dir: 'analyzer_output' },
} as const;

/** Values as JSON, which is valid YAML. */
function workflowYaml({ settingsText, settings = {}, place = {} }: RunPackageInput): string {
  const section = (name: string, values: Readonly<Record<string, unknown>>) => {
    const lines = Object.entries(values)
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(
        ([key, value]) =>
          `  ${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${JSON.stringify(value)}\n`,
      );
    return lines.length === 0 ? '' : `${name}:\n${lines.join('')}`;
  };
  const text = settingsText ?? '';
  if (text.trim() === '') {
    const { sampling, serverless, analysis } = packageDefaults;
    const sections = {
      ergodic: place,
      sampling: { ...sampling, ...settings },
      serverless,
      analysis,
    };
    return Object.entries(sections)
      .map(([name, values]) => section(name, values))
      .join('');
  }
  // an existing section takes precedence; flow style has no room for another
  const canTake =
    !/^\s*["']?ergodic["']?\s*:/m.test(text) && !/^\s*[{[]/.test(text) && !/^---/m.test(text);
  return (canTake ? section('ergodic', place) : '') + (text.endsWith('\n') ? text : `${text}\n`);
}

function leftOutLines({ chainsLeftOut = [] }: RunPackageInput): string[] {
  if (chainsLeftOut.length === 0) return [];
  const names = chainsLeftOut.map((name) => name.replace(/\p{Cc}/gu, ' ')).join(', ');
  return [
    `The summary, verdict and plots of the run leave out ${names}; the draw files include all chains.`,
    '',
  ];
}

function drawsLines({ settings = {} }: RunPackageInput): string[] {
  if (!readsDraws(settings)) return [];
  const from = typeof settings.from === 'string' ? ` ${settings.from}` : '';
  return [
    `First, put the CSV files of the run${from} into ${drawsFolder}/: the draws are read from there.`,
    '',
  ];
}

const meanings: Readonly<Record<string, string>> = {
  'run.sh':
    'sh run.sh        with Ergodic’s own engine: the same draws as on the service, bit for bit, given the same seed',
  'run.py': 'python run.py    with CmdStanPy: the same posterior, different draws',
  'run.R': 'Rscript run.R    with CmdStanR: the same posterior, different draws',
};

function readme(input: RunPackageInput, commands: readonly string[]): string {
  const { name, program, data, dataJson, analyzer, dataScript } = input;
  const isOurs = isStan(input);
  const runs = commands.map(
    (command) => `  ${isOurs ? meanings[command] : 'sh run.sh        draws go to mcmcdata/'}`,
  );
  const parts: [string, boolean, string][] = [
    [
      `model/${program.entrance}`,
      program.entrance !== '',
      'the program that is run, with its other files next to it',
    ],
    ['data', Boolean(data), 'the original data'],
    ['data.json', isOurs && Boolean(dataJson), 'the data as the program reads them'],
    [`data.${dataScript?.suffix}`, Boolean(dataScript), 'prepares the data before a run'],
    ['settings.json', true, 'the settings of the run'],
    ['workflow.yaml', true, 'the same settings, for a service'],
    ['tasks.py', true, 'pyinvoke tasks sample, analyze, login and clean: invoke --list'],
    [
      clientFolder,
      true,
      'the Python module “ergodic”: how a program reads its data and sends its draws',
    ],
    [`analyzer/${analyzer?.entrance}`, Boolean(analyzer), 'makes the report'],
  ];
  const listed = parts
    .filter(([, isThere]) => isThere)
    .map(([path, , meaning]) => `  ${path.padEnd(18)} ${meaning}`);
  const cannot = [
    dataScript?.suffix === 'js' && 'data.js: it prepares the data inside the service only',
    analyzer &&
      /\.m?js$/.test(analyzer.entrance) &&
      'the analyzer: it is written in JavaScript and reads from the service',
  ].filter((line) => typeof line === 'string');
  return `${[
    name.replace(/\p{Cc}/gu, ' ') || 'A run',
    '',
    ...leftOutLines(input),
    ...(runs.length > 0 ? ['To run it:', ...runs, '', ...drawsLines(input)] : []),
    'What is here:',
    ...listed,
    ...(cannot.length > 0
      ? ['', 'What does not run elsewhere:', ...cannot.map((line) => `  ${line}`)]
      : []),
  ].join('\n')}\n`;
}
