/** Creates the cluster of a new data folder, and refuses one that this PostgreSQL cannot open. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { StartError } from '../start-error.ts';
import type { Binaries } from './binaries.ts';
import type { Identity } from './identity.ts';
import type { Place } from './place.ts';

export interface InitClusterOptions {
  readonly place: Place;
  readonly binaries: Binaries;
  readonly identity: Identity;
  readonly say: (text: string) => void;
}

/** Does nothing when there is a cluster of the right version. An incomplete one is created again. */
export async function initCluster({
  place,
  binaries,
  identity,
  say,
}: InitClusterOptions): Promise<void> {
  if (fs.existsSync(place.cluster)) {
    checkVersion(place.cluster, binaries.major);
    return;
  }
  say('Creating the database …');
  const draft = `${place.cluster}.new`;
  fs.rmSync(draft, { recursive: true, force: true });
  const args = [
    `--pgdata=${draft}`,
    '--username=ergodic',
    // Only we can enter the socket's folder.
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  const { code, output } = await runQuietly(binaries.initdb, args, place.home, identity);
  if (code !== 0) {
    fs.rmSync(draft, { recursive: true, force: true });
    throw new StartError(
      `The database could not be created in ${place.cluster} (initdb, exit code ${code}):\n${output}`,
    );
  }
  // The final name appears only when all is complete, so a kill in between leaves nothing like a cluster.
  fs.renameSync(draft, place.cluster);
}

function checkVersion(cluster: string, major: number): void {
  let found = '';
  try {
    found = fs.readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8').trim();
  } catch {
    throw new StartError(
      `${cluster} is damaged: it has no PG_VERSION.\n` +
        'Restore a backup (ergodic restore), or move the folder away to begin with an empty one.',
    );
  }
  if (Number.parseInt(found, 10) === major) return;
  throw new StartError(
    `${cluster} was created by PostgreSQL ${found}, and this version of Ergodic includes PostgreSQL ${major}.\n` +
      'Start the version of Ergodic that created it, take a backup (ergodic backup FILE), then restore that here ' +
      'into a new data folder (ergodic restore FILE --data NEW).',
  );
}

interface Outcome {
  readonly code: number;
  readonly output: string;
}

function runQuietly(
  program: string,
  args: string[],
  cwd: string,
  identity: Identity,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH ?? '', LANG: 'C', TZ: 'UTC' };
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...identity.drop,
    });
    let output = '';
    const onOutput = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-4000);
    };
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    child.on('error', reject);
    child.once('exit', (code) => resolve({ code: code ?? 1, output: output.trim() }));
  });
}
