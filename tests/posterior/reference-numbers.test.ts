/** Statistics against numbers computed elsewhere. */
import { describe, expect, it } from 'vitest';
import { readZip } from '../../src/formats/archive.ts';
import { ebfmi } from '../../src/posterior/ebfmi.ts';
import { essBulk, essMean, essQuantile, essTail } from '../../src/posterior/ess.ts';
import { mcseMean, mcseQuantile, mcseSd } from '../../src/posterior/mcse.ts';
import { rhatRank } from '../../src/posterior/rhat.ts';
import { summariseVariable } from '../../src/posterior/summary.ts';
import {
  drawsOf,
  eightSchools,
  fixtureBytes,
  fixtureTable,
  fixtureText,
  relativeError,
  stanChains,
} from './fixtures.ts';

const bern = stanChains(['bern1.csv', 'bern2.csv', 'bern3.csv', 'bern4.csv']);

function expectRelative(value: number, reference: number, tolerance: number, what: string) {
  expect(relativeError(value, reference), `${what}: ${value} against ${reference}`).toBeLessThan(
    tolerance,
  );
}

describe('the Bernoulli example, 4 × 1000', () => {
  // All published digits: the tolerance is half a unit of the last one, or 1e-8 relative.
  it.each([
    [
      'lp__',
      1.0007300695,
      1512.7683770442,
      1591.9706687938,
      1341.68512774,
      0.02016478,
      0.03088983,
      0.099115,
      0.011465,
    ],
    [
      'theta',
      1.0067896841,
      1407.512422683,
      1291.7131224083,
      1412.5651003,
      0.00323399,
      0.00216421,
      0.0034311,
      0.0046975,
    ],
  ])(
    'matches the reference values of %s',
    (variable, rhat, bulk, tail, mean, mcse, sd, q5, median) => {
      const chains = drawsOf(bern, variable);
      expectRelative(rhatRank(chains), rhat, 1e-8, 'rhat');
      expectRelative(essBulk(chains), bulk, 1e-8, 'bulk');
      expectRelative(essTail(chains), tail, 1e-8, 'tail');
      expectRelative(essMean(chains), mean, 1e-8, 'ess mean');
      expect(mcseMean(chains)).toBeCloseTo(mcse, 7);
      expect(mcseSd(chains)).toBeCloseTo(sd, 7);
      expect(mcseQuantile(chains, 0.05)).toBeCloseTo(q5, 8);
      expect(mcseQuantile(chains, 0.5)).toBeCloseTo(median, 8);
    },
  );

  it('matches the reference E-BFMI of each chain', () => {
    const values = drawsOf(bern, 'energy__').map(ebfmi);
    [1.09970424, 1.06307158, 1.03225704, 1.10014575].forEach((reference, chain) => {
      expect(values[chain]).toBeCloseTo(reference, 7);
    });
  });
});

describe('eight schools, 4 × 100', () => {
  it.each([
    ['mu', 1.0219230275, 558.0173111, 322.09551798, 0.1504394344, 0.5509185839],
    ['tau', 1.0146727395, 246.37339222, 202.02342276, 0.2134521614, 0.1137881859],
  ] as const)('matches the reference values of %s', (variable, rhat, bulk, tail, mcse, q5) => {
    const chains = eightSchools(variable);
    const row = summariseVariable(variable, chains);
    expectRelative(row.rhat, rhat, 1e-8, 'rhat');
    expectRelative(row.ess_bulk, bulk, 1e-8, 'bulk');
    expectRelative(row.ess_tail, tail, 1e-8, 'tail');
    expectRelative(row.mcse_mean, mcse, 1e-8, 'mcse');
    expectRelative(mcseQuantile(chains, 0.05), q5, 1e-8, 'mcse q5');
  });
});

describe('blocker, 2 × 1000, 48 variables, against R posterior', () => {
  const chains = stanChains(['blocker.1.csv.gz', 'blocker.2.csv.gz']);
  const [header, ...rows] = fixtureTable('blocker_reference_posterior.csv');

  it.each(rows.map((row) => [row[0], row] as const))('%s', (dotted, row) => {
    const reference = (name: string) => Number(row[header.indexOf(name)]);
    const variable = dotted.replace(/\.(\d+)$/, '[$1]');
    const draws = drawsOf(chains, variable);
    const summary = summariseVariable(variable, draws);
    expectRelative(summary.rhat, reference('rhat_rank'), 1e-8, 'rhat');
    expectRelative(summary.ess_bulk, reference('ess_bulk'), 1e-8, 'bulk');
    expectRelative(summary.ess_tail, reference('ess_tail'), 1e-8, 'tail');
    expectRelative(summary.mcse_mean, reference('mcse_mean'), 1e-8, 'mcse mean');
    expectRelative(essMean(draws), reference('ess_mean'), 1e-8, 'ess mean');
    for (const [name, probability] of [
      ['median', 0.5],
      ['quantile01', 0.01],
      ['quantile10', 0.1],
      ['quantile30', 0.3],
    ] as const) {
      expectRelative(
        essQuantile(draws, probability),
        reference(`ess_${name}`),
        1e-8,
        `ess ${name}`,
      );
      expectRelative(
        mcseQuantile(draws, probability),
        reference(`mcse_${name}`),
        1e-8,
        `mcse ${name}`,
      );
    }
  });

  it('covers all 48', () => expect(rows.length).toBe(48));
});

it('kidscore_momiq of posteriordb, 10 × 1000, matches the published R-hat and ESS', () => {
  const archive = readZip(fixtureBytes('kidiq-kidscore_momiq.json.zip'));
  if (!archive.ok) throw new Error(archive.error.message);
  const draws = JSON.parse(new TextDecoder().decode(archive.value.files[0].bytes)) as Record<
    string,
    number[]
  >[];
  const { diagnostics } = JSON.parse(fixtureText('kidiq-kidscore_momiq.info.json')) as {
    diagnostics: {
      diagnostic_information: { names: string[] };
      r_hat: number[];
      effective_sample_size_bulk: number[];
      effective_sample_size_tail: number[];
    };
  };
  const { names } = diagnostics.diagnostic_information;
  expect(names.length).toBe(3);
  names.forEach((name, i) => {
    const row = summariseVariable(
      name,
      draws.map((chain) => Float64Array.from(chain[name])),
    );
    expectRelative(row.rhat, diagnostics.r_hat[i], 5e-6, `${name} rhat`);
    expectRelative(row.ess_bulk, diagnostics.effective_sample_size_bulk[i], 1e-8, `${name} bulk`);
    expectRelative(row.ess_tail, diagnostics.effective_sample_size_tail[i], 1e-8, `${name} tail`);
  });
});
