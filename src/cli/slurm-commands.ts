/** Slurm's commands `sbatch`, `squeue` and `scancel`, called from the program. */
import { spawn } from 'node:child_process';
import { StartError } from '../service/start-error.ts';
import type { SlurmJob } from './slurm-decision.ts';

/** A Slurm command failed; the message is its own. */
export class SlurmRefusal extends Error {
  override readonly name = 'SlurmRefusal';
}

export interface Submission {
  readonly count: number;
  readonly script: string;
  readonly slots: number;
  /** Options of `sbatch` added by the operator. */
  readonly options: readonly string[];
}

export interface SlurmCommands {
  /** Jobs of this name, including those that ended recently. */
  list(): Promise<SlurmJob[]>;
  /** The array's number. */
  submit(submission: Submission): Promise<string>;
  /** Those of them that are still waiting. */
  cancel(jobs: readonly SlurmJob[]): Promise<void>;
}

/** A busy controller responds late. */
const PATIENCE_MS = 120_000;

/** `name`: that of all its jobs. `defaultSlots`: for a job whose comment was changed. */
export function slurmCommands(name: string, defaultSlots: number): SlurmCommands {
  return {
    async list() {
      const format = '--format=%A|%i|%T|%U|%M|%k|%r';
      const args = ['--noheader', '--array', '--states=all', `--name=${name}`, format];
      const lines = (await call('squeue', args)).split('\n');
      return lines.flatMap((line) => readJob(line, defaultSlots) ?? []);
    },
    async submit({ count, script, slots, options }) {
      const own = ['--parsable', `--job-name=${name}`, `--comment=${slots} chains`];
      const answer = await call('sbatch', [...own, `--array=1-${count}`, ...options], script);
      return answer.trim().split('\n').at(-1)?.split(';')[0] ?? '';
    },
    async cancel(jobs) {
      await call('scancel', ['--state=PENDING', ...jobs.map((job) => job.name)]);
    },
  };
}

function readJob(line: string, defaultSlots: number): SlurmJob | null {
  const [id, name, state, user, ran, comment, ...reason] = line.trim().split('|');
  // such as a heading with the cluster's name
  if (reason.length === 0) return null;
  const slots = /^(\d+) chains$/.exec(comment)?.[1];
  return {
    id,
    name,
    state,
    isOwn: Number(user) === process.getuid?.(),
    ranSeconds: readSeconds(ran),
    slots: slots === undefined ? defaultSlots : Number(slots),
    reason: reason.join('|'),
  };
}

/** Seconds of `[days-]hours:minutes:seconds`, of which the first parts may be missing. */
function readSeconds(text: string): number {
  const [clock, days = '0'] = text.split('-').reverse();
  const parts = clock.split(':').map(Number);
  return parts.reduce((sum, part) => sum * 60 + part, 0) + Number(days) * 86_400 || 0;
}

/** If the submitter is itself a job, `sbatch` must not take that job's variables for options. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const kept = new Set(['SLURM_CONF', 'SLURM_CLUSTERS']);
  const names = Object.keys(process.env).filter(
    (name) => !name.startsWith('SLURM_') || kept.has(name),
  );
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

function call(program: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: ownEnvironment(), timeout: PATIENCE_MS });
    let out = '';
    let errors = '';
    child.stdout.on('data', (text: Buffer) => {
      out += String(text);
    });
    child.stderr.on('data', (text: Buffer) => {
      errors = (errors + String(text)).slice(-2000);
    });
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new StartError(
              `${program} was not found: run this where Slurm's commands are installed.`,
            )
          : error,
      ),
    );
    child.on('close', (code, signal) => {
      if (code === 0) resolve(out);
      else {
        const end = signal === null ? `ended with code ${code}` : 'did not answer';
        reject(new SlurmRefusal(`${program}: ${errors.trim() || end}`));
      }
    });
    // it may exit without reading
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
