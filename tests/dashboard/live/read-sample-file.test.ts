import { describe, expect, it } from 'vitest';
import { sampleFileOf } from '../../../src/dashboard/features/live/read-sample-file.ts';
import { FakeRun } from '../../support/fake-run.ts';
import { readDrawsCsv } from '../../support/read-csv.ts';

describe('a file of draws', () => {
  it('without sampler columns leaves the sampler statistics unknown, never 0', () => {
    const run = new FakeRun({ status: 'FIN', withoutSampler: true, numSamples: 1000 });
    const { summary } = sampleFileOf(readDrawsCsv(run.csv()), 10);
    expect(summary.verdict).toMatchObject({
      state: 'unknown',
      divergences: null,
      treedepth_hits: null,
      ebfmi_min: null,
    });
    expect(summary.chains.map((chain) => chain.ebfmi)).toEqual([null, null, null, null]);
  });

  it('counts treedepth hits at the limit of the run, or at the default of Stan, which it names', () => {
    const table = readDrawsCsv(new FakeRun({ status: 'FIN' }).csv());
    expect(sampleFileOf(table, 3).summary.verdict.treedepth_hits).toBe(480);
    expect(sampleFileOf(table, 10).summary.verdict.treedepth_hits).toBe(0);
    const { verdict } = sampleFileOf(table, null).summary;
    expect(verdict.treedepth_hits).toBe(0);
    const check = verdict.checks?.find(({ name }) => name === 'treedepth');
    expect(check?.message).toContain('tree depth 10, Stan');
  });

  it('without Hamiltonian draws needs no sampler statistics', () => {
    const rows = ['chain#1', 'chain#2'].flatMap((chain, c) =>
      Array.from({ length: 400 }, (_, i) => {
        const value = Math.sin(12.9898 * (i + 1) + 78.233 * c) * 43758.5453;
        return `${chain},x,${value - Math.floor(value)}\n${chain},stepsize__,0\n`;
      }),
    );
    const { summary } = sampleFileOf(readDrawsCsv(rows.join('')), 10);
    expect(summary.verdict.state).toBe('good');
    expect(summary.verdict.divergences).toBeNull();
  });

  it('that is empty has no draws', () => {
    const { columns, summary } = sampleFileOf(readDrawsCsv(''), 10);
    expect(columns).toEqual([]);
    expect(summary).toMatchObject({ n_chains: 0, n_samples: 0, variables: [] });
  });

  it('whose chains differ in length counts the shortest', () => {
    const { columns, summary } = sampleFileOf(
      readDrawsCsv('chain#1,x,1\nchain#1,x,2\nchain#1,x,3\nchain#2,x,4\nchain#2,x,5\n'),
      null,
    );
    expect(summary).toMatchObject({ n_chains: 2, n_samples: 2 });
    expect(columns.map(({ chain, values }) => [chain, values.length])).toEqual([
      ['chain#1', 3],
      ['chain#2', 2],
    ]);
  });
});
