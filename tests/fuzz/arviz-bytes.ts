/** An ArviZ file with some of its bytes replaced. */
import { writeArvizFile } from '../../src/formats/arviz-file.ts';
import { loadHdf5 } from '../../src/formats/hdf5.ts';

let whole: Promise<Uint8Array> | undefined;

async function make(): Promise<Uint8Array> {
  const draws = ['mu', 'theta[1]', 'theta[2]'].map((name) => ({ name }));
  const chain = {
    name: '',
    draws: draws.map(() => Float64Array.from({ length: 50 }, (_, i) => Math.sin(i))),
    warmup: draws.map(() => new Float64Array(0)),
    stepSize: null,
    warmupSeconds: null,
    samplingSeconds: null,
  };
  const attributes = { createdAt: '2026-01-02T03:04:05Z', library: 'Ergodic', libraryVersion: '0' };
  return writeArvizFile(await loadHdf5(), { columns: draws, chains: [chain, chain] }, attributes);
}

/** Pairs of characters give place and value; the same text gives the same file. */
export async function arvizFile(changes: string): Promise<Uint8Array> {
  whole ??= make();
  const bytes = (await whole).slice();
  for (let i = 0; i + 1 < Math.min(changes.length, 64); i += 2) {
    const at = changes.charCodeAt(i) * 7919 + changes.charCodeAt(i + 1) * 104_729 + i * 31;
    bytes[at % bytes.length] = changes.charCodeAt(i + 1) & 255;
  }
  return bytes;
}
