/** Why a run cannot start, in a message the user can act on; only the first reason. */
import type { DataCheck } from '../../editor/data-check.ts';
import type { Problem, Problems } from '../../editor/stan-protocol.ts';
import type { DataForm } from './data-content.ts';
import { labelOfSetting } from './launch-settings.ts';

export interface RunReason {
  /** Follows "Cannot run: ". */
  readonly message: string;
  /** Where to fix it, if there is such a page. */
  readonly problem?: Problem;
  readonly place?: 'data';
}

export interface RunSetup {
  /** Path of the program; null when the model has none. */
  readonly entrance: string | null;
  /** Runtime named by the model or implied by its entrance: `stan`, `julia`, … */
  readonly env: string;
  /** What the server can run, if it says so. */
  readonly runtimes: Readonly<Record<string, boolean>> | undefined;
  readonly checked: Problems | null;
  readonly dataId: string;
  /** The form of the data, if no program can read it as it is. */
  readonly form?: DataForm;
  readonly dataCheck: DataCheck | null;
  readonly isDataDeleted?: boolean;
  /** The model's last settings are still loading. */
  readonly isReading?: boolean;
  readonly settingProblems: ReadonlyMap<string, string>;
}

const runtimeText: Readonly<Record<string, string>> = {
  julia: 'Julia',
  python: 'Python',
  r: 'R',
  javascript: 'JavaScript',
  jags: 'JAGS',
  cmdstan: 'CmdStan',
};

/** Names of Debian packages. */
const packages: Readonly<Record<string, string>> = {
  python: 'python3 bubblewrap',
  r: 'r-base-core bubblewrap',
  jags: 'r-cran-rjags jags bubblewrap',
};

function notRunText(env: string): string {
  const text = `this server does not run ${runtimeText[env] ?? env}.`;
  const needed = packages[env];
  return needed === undefined
    ? text
    : `${text} On the worker’s machine, \`apt install ${needed}\` installs it; \`ergodic doctor\` lists what is missing.`;
}

export function runReason(setup: RunSetup): RunReason | null {
  return programReason(setup) ?? settingReason(setup) ?? dataReason(setup);
}

function programReason({ entrance, env, runtimes, checked }: RunSetup): RunReason | null {
  if (entrance === null)
    return { message: 'the model has no entrance file. Mark one under Files.' };
  if (env !== '' && runtimes?.[env] === false) return { message: notRunText(env) };
  const error = checked?.problems.find(({ severity }) => severity === 'error');
  return error === undefined ? null : { message: error.message, problem: error };
}

function settingReason({ isReading, settingProblems }: RunSetup): RunReason | null {
  if (isReading) return { message: 'the last settings of this model are being read.' };
  const [first] = settingProblems;
  if (first === undefined) return null;
  const [key, message] = first;
  const rest = message.startsWith(key)
    ? message.slice(key.length).trim()
    : message.charAt(0).toLowerCase() + message.slice(1);
  return { message: `${labelOfSetting(key)} ${rest}` };
}

/** Data that Stan cannot read, but other programs can. */
const unreadable: Readonly<Partial<Record<NonNullable<DataForm>, string>>> = {
  workbook: 'the data are a workbook. Map the columns of a sheet.',
  'other-encoding': 'the table is not UTF-8. Map its columns.',
  bytes: 'the data are not UTF-8 text.',
};

function dataReason(setup: RunSetup): RunReason | null {
  const { env, dataId, form = null, dataCheck } = setup;
  if (setup.isDataDeleted)
    return { message: 'the data of this run were deleted. Choose other data.', place: 'data' };
  const message = form === null || env !== 'stan' ? undefined : unreadable[form];
  if (message !== undefined) return { message, place: 'data' };
  if (dataCheck === null) return null;
  const advice = form === 'columns' ? ' Map the columns of this table.' : '';
  if (dataCheck.state === 'no-json')
    return { message: `${dataCheck.message}${advice}`, place: 'data' };
  if (dataCheck.state !== 'checked') return null;
  const bad = dataCheck.rows.find((row) => !row.isGood);
  if (bad === undefined) return null;
  if (dataId === '') {
    const names = dataCheck.rows.map((row) => `\`${row.name}\``);
    const list =
      names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
    return { message: `choose data first. The program reads ${list}.` };
  }
  return { message: `${bad.fault ?? bad.found}.${advice}`, place: 'data' };
}

/** The reason as one sentence, without links. */
export function reasonText({ message, problem }: RunReason): string {
  const place = problem === undefined ? '' : `line ${problem.line} has an error. `;
  return `Cannot run: ${place}${message.replaceAll('`', '')}`;
}

/** "J 8, y 8, sigma 8": what fits, in one line. */
export function fitText(check: DataCheck): string | null {
  if (check.state !== 'checked' || check.rows.some((row) => !row.isGood)) return null;
  if (check.rows.length === 0) return 'The program reads no data';
  const shown = check.rows
    .slice(0, 4)
    .map(({ name, found }) => `${name} ${found.split(/[ ,]/)[0]}`);
  return `Fits the data block: ${shown.join(', ')}${check.rows.length > 4 ? ', …' : ''}`;
}
