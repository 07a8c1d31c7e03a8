/** A script for Slurm's `sbatch`: workers as jobs of an array, which exit when idle and hand their chains back at the end. */
import { readAddress } from '../service/repositories/client-config.ts';
import { StartError } from '../service/start-error.ts';

export interface SbatchOptions {
  readonly databaseUrl: string;
  readonly directDatabaseUrl: string;
  readonly files: string;
  readonly slots: number;
  readonly pools: readonly string[];
  readonly serviceUrl?: string;
  readonly idleSeconds?: number;
}

/** Seconds before the end of a job's time in which chains are given back. */
const GRACE_SECONDS = 60;

/** Throws `StartError` where the database can only be reached on this machine, or would show its password to all. */
export function writeSbatch(options: SbatchOptions): string {
  const {
    databaseUrl,
    directDatabaseUrl,
    files,
    slots,
    pools,
    serviceUrl,
    idleSeconds = 300,
  } = options;
  if (databaseUrl === '')
    throw new StartError(
      '--sbatch needs --database-url: nodes cannot reach the database of a data folder.',
    );
  for (const address of [databaseUrl, directDatabaseUrl])
    if (address !== '' && readAddress(address).url.password !== '')
      throw new StartError(
        'Leave the password out of the address, since Slurm stores the script. Put it into ~/.pgpass, or name a file with passfile=.',
      );
  const given: [string, string][] = [
    ['--database-url', databaseUrl],
    ['--direct-database-url', directDatabaseUrl],
    ['--files', files],
    ['--service-url', serviceUrl ?? ''],
  ];
  const args = [
    ...given.flatMap(([name, value]) => (value === '' ? [] : [`${name} ${quote(value)}`])),
    ...pools.map((pool) => `--pool ${quote(pool)}`),
    '--workers "$SLURM_CPUS_PER_TASK"',
    `--exit-when-idle ${idleSeconds}`,
    '--data "$folder"',
  ];
  return `#!/bin/bash
# Ergodic workers, one per job of the array: sbatch --array=1-8 THIS_FILE
# A job ends when there is no work. Before its time limit, or when it is preempted, its chains go back to the queue and
# continue elsewhere where they left off.
#SBATCH --job-name=ergodic-worker
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=${slots}
#SBATCH --mem-per-cpu=1G
#SBATCH --time=08:00:00
#SBATCH --signal=B:TERM@${GRACE_SECONDS}
#SBATCH --requeue
#SBATCH --open-mode=append

set -u
folder=$(mktemp -d)
worker=
# bash passes no signal on by itself, and \`wait\` ends early when one comes
trap '[ -z "$worker" ] || kill -TERM "$worker" 2>/dev/null' TERM INT
ergodic worker \\
  ${args.join(' \\\n  ')} &
worker=$!
wait "$worker"
code=$?
# once more for how it ended, where a signal ended the first \`wait\`; 127: its exit code was already reported
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
