import { describe, expect, it } from 'vitest';
import type { Summary } from '../../../src/contract/draws.ts';
import {
  drawsByChain,
  totalDraws,
  unevenDraws,
} from '../../../src/dashboard/features/status/draw-counts.ts';
import { drawsColumn } from '../../../src/dashboard/features/status/run-columns.tsx';
import { createFakeExperiment } from '../../support/fake-objects.ts';

const nbsp = '\u202f';

function stopped(
  draws: readonly (number | undefined)[],
  change: { readonly n_samples?: number } = {},
) {
  const chains = draws.map((count, i) => ({
    name: `chain#${i + 1}`,
    phase: 'done' as const,
    iteration: 1000 + (count ?? 0),
    of: 101_000,
    draws: count,
    divergences: 0,
  }));
  const progress = { done: 0, total: 404_000, chains };
  return createFakeExperiment({ n_chains: 3, n_samples: 1608, meta: { progress }, ...change });
}
const summaryOf = (draws: readonly (number | undefined)[]) =>
  ({
    n_chains: 3,
    n_samples: 1608,
    chains: draws.map((n_samples, i) => ({ name: `chain#${i + 1}`, n_samples })),
  }) as unknown as Summary;

describe('the draws of a run whose chains have different lengths', () => {
  const lengths = [100_000, 100_000, 1608, 0];

  it('are counted per chain, including chains without draws', () => {
    expect([...(drawsByChain(stopped(lengths))?.values() ?? [])]).toEqual(lengths);
    expect(totalDraws(stopped(lengths))).toBe(201_608);
  });

  it('are shown in lists as the total, not as the smallest number', () => {
    const text = `201${nbsp}608 draws in 3 of 4 chains`;
    expect(unevenDraws(stopped(lengths))).toBe(text);
    expect(drawsColumn.cell(stopped(lengths))).toBe(`201${nbsp}608 in 3 of 4`);
    expect(unevenDraws(stopped([10, 20]))).toBe('30 draws in 2 chains');
  });

  it('are those of the summary, which in a share are those shown', () => {
    expect(totalDraws(stopped(lengths), summaryOf([100, 100, 50, 0]))).toBe(250);
  });

  it('are the smallest number for each chain if the server reports no more', () => {
    const unknown = stopped([undefined, undefined, undefined]);
    expect(drawsByChain(unknown, summaryOf([undefined, undefined]))).toBeNull();
    expect(totalDraws(unknown)).toBe(3 * 1608);
    expect(drawsColumn.cell(unknown)).toBe(`3 × 1${nbsp}608`);
  });
});

it('chains of equal length are shown as a number times that length', () => {
  const even = stopped([1608, 1608, 1608]);
  expect(unevenDraws(even)).toBeNull();
  expect(drawsColumn.cell(even)).toBe(`3 × 1${nbsp}608`);
});
