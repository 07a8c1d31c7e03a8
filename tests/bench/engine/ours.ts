/** The engine as the bench "engine" runs it: one process per run, with bundled code, as users have it. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BundledWorker, bundleWorker } from '../../support/bundle-worker.ts';
import type { Measured, MeasureReport, MeasureRequest } from './measure.ts';

export interface OwnEngine {
  sample(request: MeasureRequest): MeasureReport & Measured;
  remove(): Promise<void>;
}

export async function openEngine(folder: string): Promise<OwnEngine> {
  const worker = await bundleWorker();
  const measure = await bundleWorker('tests/bench/engine/measure.ts');
  const fileOf = ({ url }: BundledWorker) => fileURLToPath(url);
  const [requestFile, drawsFile] = ['request-ours.json', 'draws-ours.bin'].map((name) =>
    path.join(folder, name),
  );
  return {
    sample(request) {
      writeFileSync(requestFile, JSON.stringify(request));
      const files = [fileOf(measure), requestFile, fileOf(worker), drawsFile];
      const out = execFileSync(process.execPath, files, { encoding: 'utf8' });
      const report = JSON.parse(out) as MeasureReport;
      const { numChains, numSamples } = request.settings;
      return {
        ...report,
        draws: readDraws(drawsFile, report.parameters.length, numChains, numSamples),
      };
    },
    async remove() {
      await worker.remove();
      await measure.remove();
    },
  };
}

/** Columns one after another, each with its chains, as doubles. */
export function readDraws(
  file: string,
  numColumns: number,
  numChains: number,
  numSamples: number,
): Float64Array[][] {
  const bytes = readFileSync(file);
  // a pooled buffer may begin at any offset
  const all = new Float64Array(new Uint8Array(bytes).buffer);
  return Array.from({ length: numColumns }, (_, column) =>
    Array.from({ length: numChains }, (_row, chain) => {
      const at = (column * numChains + chain) * numSamples;
      return all.slice(at, at + numSamples);
    }),
  );
}
