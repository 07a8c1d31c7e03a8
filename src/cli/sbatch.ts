/** The script of a Slurm job: a worker that exits when idle and hands back its chains at the end. */
import { builtServerFile } from '../service/built-file.ts';
import type { ServiceConfig } from '../service/config.ts';
import { readAddress } from '../service/repositories/client-config.ts';
import { StartError } from '../service/start-error.ts';
import type { WorkerSettings } from '../service/worker-messages.ts';

export type SbatchOptions = Pick<
  ServiceConfig,
  'databaseUrl' | 'directDatabaseUrl' | 'files' | 'userChains' | 'trustRuntimes' | 'allowFetch'
> &
  Pick<WorkerSettings, 'slots' | 'pools' | 'serviceUrl' | 'idleSeconds'>;

/** Seconds before a job's time limit at which its chains are handed back. */
const GRACE_SECONDS = 60;

/** Throws `StartError` if the database is only reachable on this machine, or would show its password to all. */
export function writeSbatch(options: SbatchOptions): string {
  checkAddresses('--sbatch', options);
  return writeScript({
    about: `# Ergodic workers, one per job of the array: sbatch --array=1-8 THIS_FILE
# A job ends when there is no work. Before its time limit, or when it is preempted, its chains go back to the queue and
# continue elsewhere where they left off.
#SBATCH --job-name=ergodic-worker
#SBATCH --requeue`,
    slots: options.slots,
    command: 'ergodic',
    args: [...listArguments(options), '--workers "$SLURM_CPUS_PER_TASK"'],
  });
}

/** For jobs submitted on demand: the submitter sees what they leave undone. Throws as {@link writeSbatch}. */
export function writeJobScript(options: SbatchOptions): string {
  checkAddresses('--slurm', options);
  return writeScript({
    about: '#SBATCH --no-requeue',
    slots: options.slots,
    command: `${quote(process.execPath)} ${quote(builtServerFile('cli.js'))}`,
    args: [...listArguments(options), `--workers ${options.slots}`],
  });
}

function checkAddresses(option: string, { databaseUrl, directDatabaseUrl }: SbatchOptions): void {
  if (databaseUrl === '')
    throw new StartError(
      `${option} needs --database-url: nodes cannot reach the database of a data folder.`,
    );
  for (const address of [databaseUrl, directDatabaseUrl])
    if (address !== '' && readAddress(address).url.password !== '')
      throw new StartError(
        'Leave the password out of the address, since Slurm stores the script. Put it in ~/.pgpass, or name a file with passfile=.',
      );
}

/** Quoted for a shell. */
function listArguments(options: SbatchOptions): string[] {
  const { databaseUrl, directDatabaseUrl, files, pools, serviceUrl, idleSeconds = 300 } = options;
  const given: [string, string][] = [
    ['--database-url', databaseUrl],
    ['--direct-database-url', directDatabaseUrl],
    ['--files', files],
    ['--service-url', serviceUrl ?? ''],
    ['--user-chains', options.userChains > 0 ? String(options.userChains) : ''],
  ];
  return [
    ...given.flatMap(([name, value]) => (value === '' ? [] : [`${name} ${quote(value)}`])),
    ...pools.map((pool) => `--pool ${quote(pool)}`),
    ...options.allowFetch.map((host) => `--allow-fetch ${quote(host)}`),
    ...(options.trustRuntimes ? ['--trust-runtimes'] : []),
    `--exit-when-idle ${idleSeconds}`,
    '--data "$folder"',
  ];
}

interface ScriptParts {
  readonly about: string;
  readonly slots: number;
  readonly command: string;
  readonly args: readonly string[];
}

function writeScript({ about, slots, command, args }: ScriptParts): string {
  return `#!/bin/bash
${about}
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=${slots}
#SBATCH --mem-per-cpu=1G
#SBATCH --time=08:00:00
#SBATCH --signal=B:TERM@${GRACE_SECONDS}
#SBATCH --open-mode=append

set -u
folder=$(mktemp -d)
worker=
# bash passes no signal on by itself, and \`wait\` ends early whenever one comes
trap '[ -z "$worker" ] || kill -TERM "$worker" 2>/dev/null' TERM INT
${command} worker \\
  ${args.join(' \\\n  ')} &
worker=$!
# When a job is preempted with a grace time, SIGTERM goes only to its steps: this one just waits for it.
(
  srun --overlap --nodes=1 --ntasks=1 --cpus-per-task=1 --mem=0 --quiet sleep infinity
  [ "$?" != 143 ] || kill -TERM "$worker"
) < /dev/null > /dev/null 2>&1 &
while wait "$worker"; code=$?; kill -0 "$worker" 2> /dev/null; do :; done
# wait again for its exit code if a signal ended the last \`wait\`; 127: the code was already reported
if [ "$code" -gt 128 ]; then
  wait "$worker"
  again=$?
  [ "$again" = 127 ] || code=$again
fi
rm -rf "$folder"
exit "$code"
`;
}

/** For a shell. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
