/** Bundles an entry (a worker, a command) with esbuild into a separate folder, since threads cannot load TypeScript. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { textLoader } from '../../src/text-files.mjs';

export interface BundledWorker {
  readonly url: URL;
  remove(): Promise<void>;
}

/** `entry`: a path from the root of the repository. */
export async function bundleWorker(
  entry = 'src/engine/workers/chain-worker.ts',
): Promise<BundledWorker> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'ergodic-worker-'));
  const outfile = join(folder, 'worker.mjs');
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    loader: textLoader,
    // packages in the old module format load node's modules with `require`
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'silent',
  });
  return {
    url: pathToFileURL(outfile),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
