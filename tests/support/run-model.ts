/** Runs chains of a model in this process, and compares their draws with known moments. */
import { expect } from 'vitest';
import { createChain } from '../../src/engine/chain.ts';
import type { ChainSettings } from '../../src/engine/chain-state.ts';
import { blockColumn, type DrawBlock, type Phase } from '../../src/engine/events.ts';
import type { Model } from '../../src/engine/model.ts';
import { essMean } from '../../src/posterior/ess.ts';

export const chainSettings: ChainSettings = {
  seed: 20250101,
  numWarmup: 1000,
  numSamples: 1000,
  thin: 1,
  initRadius: 2,
  adaptDelta: 0.8,
  maxTreeDepth: 10,
  metric: 'diag',
  inits: null,
  streamWarmup: false,
};

/** The draws of one column, assembled from blocks in any order. */
export function columnOf(blocks: readonly DrawBlock[], column: number, phase: Phase = 'sampling') {
  const wanted = blocks.filter((block) => block.phase === phase);
  const length = Math.max(0, ...wanted.map((block) => block.firstIteration - 1 + block.count));
  const values = new Float64Array(length).fill(Number.NaN);
  for (const block of wanted) values.set(blockColumn(block, column), block.firstIteration - 1);
  return values;
}

/** Runs chains 1…numChains to their end; draws by column name, one array per chain. */
export function sampleModel(
  model: Model,
  settings: Partial<ChainSettings> = {},
  numChains = 4,
): Map<string, Float64Array[]> {
  const draws = new Map<string, Float64Array[]>();
  for (let c = 1; c <= numChains; c++) {
    const chain = createChain({ model, settings: { ...chainSettings, ...settings }, chain: c });
    const advance = chain.advance();
    if (advance.status !== 'finished') throw new Error(JSON.stringify(advance));
    chain.columns.forEach((name, i) => {
      draws.set(name, [...(draws.get(name) ?? []), columnOf(advance.blocks, i)]);
    });
  }
  return draws;
}

/** Checks that the mean of `f` over the draws is within 4.5 Monte Carlo standard errors of `expected`. */
export function expectMean(
  chains: readonly Float64Array[] | undefined,
  expected: number,
  f: (x: number) => number = (x) => x,
): void {
  if (chains === undefined) throw new Error('no such column');
  const values = chains.map((chain) => chain.map(f));
  const all = values.flatMap((chain) => [...chain]);
  const mean = all.reduce((a, b) => a + b, 0) / all.length;
  const variance = all.reduce((a, b) => a + (b - mean) ** 2, 0) / (all.length - 1);
  const mcse = Math.sqrt(variance / essMean(values));
  expect(mcse).toBeGreaterThan(0);
  expect(Math.abs(mean - expected) / mcse).toBeLessThan(4.5);
}
