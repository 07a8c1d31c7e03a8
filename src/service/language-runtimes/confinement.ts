/** Finds out once, by trying, what can be confined on this machine. */
import { accessSync, constants, realpathSync } from 'node:fs';
import path from 'node:path';
import { type ConfinedEnd, type ConfinedLimits, runConfined } from './run-confined.ts';

export type RuntimeName = 'python' | 'julia' | 'r' | 'jags';

/** How programs run here. */
export interface Confinement {
  /** False: the operator trusts them, and they run without a sandbox. */
  readonly isSandboxed: boolean;
  readonly bwrap: string;
  /** Interpreter that runs the launcher. */
  readonly python: string;
  /** Absolute paths of interpreters by name. */
  readonly interpreters: Readonly<Record<string, string>>;
  /** Folders outside /usr that interpreters need. */
  readonly installations: readonly string[];
}

export interface RuntimeReport {
  /** Null: no other language runs here. */
  readonly confinement: Confinement | null;
  /** A message for the operator: how programs are confined, or what to install. */
  readonly sandbox: string;
  /** By runtime: null if it runs, otherwise what to install. */
  readonly missing: Readonly<Record<RuntimeName, string | null>>;
}

export interface ExamineOptions {
  /** `--trust-runtimes`: run without a sandbox if none can be built. */
  readonly trust?: boolean;
  /** Folders to search for programs; /usr first and then PATH when absent. */
  readonly folders?: readonly string[];
}

const names: Readonly<Record<RuntimeName, string>> = {
  python: 'python3',
  julia: 'julia',
  r: 'Rscript',
  // through rjags
  jags: 'Rscript',
};

export const runtimePrograms = names;

const advice: Readonly<Record<RuntimeName | 'sandbox', string>> = {
  python: 'Python 3 is not installed where the worker runs (Debian: apt install python3).',
  julia: 'Julia is not installed where the worker runs (https://julialang.org/downloads).',
  r: 'R is not installed where the worker runs (Debian: apt install r-base-core).',
  jags: 'JAGS is not installed where the worker runs (Debian: apt install r-cran-rjags jags).',
  sandbox:
    'Programs in other languages run only in a sandbox, and bubblewrap is not installed where the worker runs ' +
    '(Debian: apt install bubblewrap).',
};

const probeLimits: ConfinedLimits = {
  milliseconds: 20_000,
  memoryBytes: 2 ** 30,
  processes: 64,
  diskBytes: 2 ** 24,
  outputBytes: 2 ** 16,
  textBytes: 2 ** 16,
};

/** Never throws: the report says what does not work. */
export async function examineRuntimes(options: ExamineOptions = {}): Promise<RuntimeReport> {
  const folders = options.folders ?? ['/usr/bin', '/usr/local/bin', ...pathFolders()];
  const places = {
    python: findProgram(names.python, folders),
    julia: findProgram(names.julia, folders),
    r: findProgram(names.r, folders),
  };
  const { python } = places;
  if (python === null) return nothingRuns(advice.python);
  const built = await build({
    python,
    trust: options.trust === true,
    bwrap: findProgram('bwrap', folders),
  });
  if (typeof built === 'string') return nothingRuns(built);
  let { confinement } = built;
  const missing: Record<RuntimeName, string | null> = {
    python: null,
    julia: advice.julia,
    r: advice.r,
    jags: advice.jags,
  };
  for (const runtime of ['julia', 'r'] as const) {
    const place = places[runtime];
    if (place === null) continue;
    const wider = withInterpreter(confinement, names[runtime], place);
    const fault = await probe(wider, [names[runtime], '--version']);
    missing[runtime] = fault === null ? null : `${place} does not run in the sandbox: ${fault}`;
    if (fault === null) confinement = wider;
  }
  if (missing.r === null) missing.jags = await jagsFault(confinement);
  return { confinement, sandbox: built.text, missing };
}

function nothingRuns(text: string): RuntimeReport {
  return {
    confinement: null,
    sandbox: text,
    missing: { python: text, julia: text, r: text, jags: text },
  };
}

/** Loading rjags loads JAGS's library too: without either it fails. */
async function jagsFault(confinement: Confinement): Promise<string | null> {
  const fault = await probe(confinement, [names.jags, '--vanilla', '-e', 'loadNamespace("rjags")']);
  return fault === null ? null : advice.jags;
}

interface Parts {
  readonly python: string;
  readonly bwrap: string | null;
  readonly trust: boolean;
}

/** A text: why there is no sandbox. */
async function build({
  python,
  bwrap,
  trust,
}: Parts): Promise<{ confinement: Confinement; text: string } | string> {
  const bare: Confinement = {
    isSandboxed: false,
    bwrap: '',
    python,
    interpreters: {},
    installations: [],
  };
  const unconfined = withInterpreter(bare, names.python, python);
  let fault: string = advice.sandbox;
  if (bwrap !== null) {
    const sandboxed = withInterpreter({ ...bare, isSandboxed: true, bwrap }, names.python, python);
    const met = await probe(sandboxed, [names.python, '-c', 'print(6 * 7)'], '42\n');
    if (met === null) return { confinement: sandboxed, text: `confined by ${bwrap}` };
    fault = `The sandbox cannot be built where the worker runs: ${met} (bubblewrap needs user namespaces, which some containers forbid.)`;
  }
  if (!trust)
    return `${fault} An operator who trusts every program can start with --trust-runtimes.`;
  const met = await probe(unconfined, [names.python, '-c', 'print(6 * 7)'], '42\n');
  return met === null
    ? { confinement: unconfined, text: 'trusted, without a sandbox' }
    : `Python does not run: ${met}`;
}

function withInterpreter(confinement: Confinement, name: string, place: string): Confinement {
  const home = path.dirname(path.dirname(place));
  const isSystem = place.startsWith('/usr/') || /^\/s?bin\//.test(place);
  const { installations } = confinement;
  return {
    ...confinement,
    interpreters: { ...confinement.interpreters, [name]: place },
    installations:
      isSystem || installations.includes(home) ? installations : [...installations, home],
  };
}

/** Null if it runs; otherwise its output. */
async function probe(
  confinement: Confinement,
  argv: readonly string[],
  expected?: string,
): Promise<string | null> {
  let end: ConfinedEnd;
  try {
    end = await runConfined(confinement, { files: new Map(), argv, limits: probeLimits });
  } catch (error) {
    return (error as Error).message;
  }
  const isGood = end.exitCode === 0 && (expected === undefined || end.stdout === expected);
  return isGood
    ? null
    : end.stderr.trim().split('\n').at(-1)?.slice(0, 300) || `it ended with code ${end.exitCode}.`;
}

const pathFolders = () =>
  (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));

/** The program itself, not a link or wrapper: the sandbox includes only its own folder. Null: it was not found. */
function findProgram(name: string, folders: readonly string[]): string | null {
  for (const folder of folders) {
    try {
      const file = path.join(folder, name);
      accessSync(file, constants.X_OK);
      return file.startsWith('/usr/') ? file : realpathSync(file);
    } catch {
      // not in this folder; try the next
    }
  }
  return null;
}

/** Checks at the first call, and remembers the result. */
export function rememberRuntimes(options: ExamineOptions): () => Promise<RuntimeReport> {
  let found: Promise<RuntimeReport> | null = null;
  return () => (found ??= examineRuntimes(options));
}
