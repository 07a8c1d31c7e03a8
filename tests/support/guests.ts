/** Guest processes for a file's tests: their program is bundled at the first call; all are stopped after the last test. */
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { createGuestPool, type GuestPool } from '../../src/service/guests/guest-pool.ts';
import { type BundledWorker, bundleWorker } from './bundle-worker.ts';

let bundle: BundledWorker | null = null;
let opening: Promise<GuestPool> | null = null;

async function open(): Promise<GuestPool> {
  bundle = await bundleWorker('src/service/guests/node-guest-worker.ts');
  return createGuestPool({ place: { programFile: fileURLToPath(bundle.url) } });
}

afterAll(async () => {
  await (await opening)?.close();
  await bundle?.remove();
  opening = null;
});

/** One pool for the entire file, which no service closes. */
export const testGuests: GuestPool = {
  async run(work) {
    opening ??= open();
    return (await opening).run(work);
  },
  warm() {},
  async close() {},
};
