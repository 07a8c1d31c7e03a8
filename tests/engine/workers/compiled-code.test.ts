/**
 * Code that V8 compiled for a thread's first chain serves later chains. Counted, not timed: V8 reports each
 * function that it deoptimises because an assumption no longer holds.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../src/engine/settings.ts';
import type { MeasureReport, MeasureRequest } from '../../bench/engine/measure.ts';
import { bundleWorker } from '../../support/bundle-worker.ts';

const request: MeasureRequest = {
  source: `data { int N; vector[N] y; }
    parameters { vector[N] z; real mu; real<lower=0> tau; }
    model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); z ~ std_normal(); y ~ normal(mu + tau * z, 10); }`,
  data: { N: 8, y: [28, 8, -3, 7, -1, 1, 18, 12] },
  settings: { ...defaultSettings, numChains: 3, seed: 1 },
  isWarm: false,
};

/** The report of a run of three chains in one thread, and V8's lines about deoptimised functions. */
async function traceRun(
  request: MeasureRequest,
): Promise<{ report: MeasureReport; lines: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-compiled-code-'));
  const worker = await bundleWorker();
  const measure = await bundleWorker('tests/bench/engine/measure.ts');
  try {
    const requestFile = path.join(folder, 'request.json');
    writeFileSync(requestFile, JSON.stringify(request));
    const files = [fileURLToPath(measure.url), requestFile, fileURLToPath(worker.url)];
    const args = ['--trace-deopt', ...files, path.join(folder, 'draws.bin')];
    const out = execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
    const lines = out.trim().split('\n');
    return { report: JSON.parse(lines.pop() ?? '') as MeasureReport, lines };
  } finally {
    rmSync(folder, { recursive: true });
    await worker.remove();
    await measure.remove();
  }
}

describe('chains of one thread', () => {
  it('keep the code that V8 has compiled for the sampler', async () => {
    const { report, lines } = await traceRun(request);
    expect(report.leapfrogs).toBeGreaterThan(10_000);
    const thrownOut = lines.filter((line) => line.includes('dependent code'));
    // with transferred draws, about fifty
    expect(thrownOut.length, thrownOut.join('\n')).toBeLessThan(10);
  });

  it('keep it for the next model of a different size', async () => {
    const { report, lines } = await traceRun({ ...request, isWarm: true });
    expect(report.leapfrogs).toBeGreaterThan(10_000);
    // an object with a different hidden class than before, or a number that is no longer an integer
    const other = lines.filter((line) => /reason: (wrong map|lost precision)\)/.test(line));
    const sampler = /<JSFunction (iterate|commit|count|fillRow|addPoint|learnMetric|grow) /;
    const ofSampler = other.filter((line) => sampler.test(line));
    expect(ofSampler, ofSampler.join('\n')).toEqual([]);
  });
});
