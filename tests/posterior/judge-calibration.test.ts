/** The verdict on a calibration, from hand-written findings. */
import { describe, expect, it } from 'vitest';
import type { CalibratedQuantity, CalibrationShape } from '../../src/posterior/calibration.ts';
import { judgeCalibration, type SimulationCounts } from '../../src/posterior/judge-calibration.ts';

const quantity = (
  variable: string,
  change: Partial<CalibratedQuantity> = {},
): CalibratedQuantity => ({
  variable,
  state: 'passed',
  shape: null,
  distance: 0.5,
  contraction: 0,
  z_mean: 0,
  z_sd: 1,
  ranks: [],
  ...change,
});
const departed = (variable: string, distance = 1.5, shape: CalibrationShape = 'narrow') =>
  quantity(variable, { state: 'warn', distance, shape });
const chainNames = (count: number, from = 1) =>
  Array.from({ length: count }, (_, n) => `chain#${n + from}`);

const verdictOn = (
  done: number,
  quantities: readonly CalibratedQuantity[],
  counts: Partial<SimulationCounts> = {},
) =>
  judgeCalibration({
    calibration: { chains: chainNames(done), probability: 0.95, quantities },
    counts: { asked: done, failed: [], divergent: [], slow: [], ...counts },
  });
const messages = ({ checks }: ReturnType<typeof verdictOn>) => checks.map(({ message }) => message);

describe('the verdict on a calibration', () => {
  it('has none of the convergence statistics of chains', () => {
    expect(verdictOn(20, [quantity('mu')])).toEqual({
      state: 'good',
      rhat_max: null,
      ess_bulk_min: null,
      ess_tail_min: null,
      divergences: null,
      treedepth_hits: null,
      ebfmi_min: null,
      headline: 'No miscalibration found in 20 simulations',
      checks: [{ name: 'calibration', status: 'passed' }],
      chains: chainNames(20),
      draws: 0,
      draws_left_out: 0,
      chains_left_out: [],
    });
  });

  it('explains the quantity that departs most, and is bad if any departs by far', () => {
    const quantities = [
      quantity('mu', { distance: 0.9 }),
      { ...departed('tau', 1.2), state: 'bad' as const },
      departed('rho', 3, 'wide'),
    ];
    const verdict = verdictOn(50, quantities, { divergent: ['chain#7'] });
    expect(verdict).toMatchObject({
      state: 'bad',
      headline: 'Posterior too wide for rho and 1 more',
    });
    expect(verdict.checks).toEqual([
      {
        name: 'calibration',
        status: 'failed',
        tone: 'bad',
        variable: 'rho',
        value: 3,
        threshold: 1,
        count: 2,
        message:
          'posterior too wide for rho: true values lie too often in its middle (∩); not calibrated either: tau',
      },
      {
        name: 'divergences',
        status: 'passed',
        count: 1,
        chain: 'chain#7',
        message: '1 simulation of 50 has divergent transitions (7)',
      },
    ]);
  });

  it.each<[CalibrationShape, string, string]>([
    ['narrow', 'too narrow', 'true values lie too often at its ends (∪)'],
    ['wide', 'too wide', 'true values lie too often in its middle (∩)'],
    ['high', 'too high', 'true values lie too often in its lower part'],
    ['low', 'too low', 'true values lie too often in its upper part'],
    ['other', 'not calibrated', 'the ranks of the true values are not uniform'],
  ])('explains a departure of the shape "%s"', (shape, name, meaning) => {
    const verdict = verdictOn(20, [departed('tau', 1.1, shape)]);
    expect(verdict).toMatchObject({ state: 'warn', headline: `Posterior ${name} for tau` });
    expect(messages(verdict)).toEqual([`posterior ${name} for tau: ${meaning}`]);
    expect(verdict.checks[0].tone).toBe('warn');
  });

  it('reports a departure of unknown shape as not calibrated', () => {
    const [message] = messages(verdictOn(20, [{ ...departed('tau'), shape: null }]));
    expect(message).toBe(
      'posterior not calibrated for tau: the ranks of the true values are not uniform',
    );
  });

  it('names up to eight other quantities and counts the rest', () => {
    const named = (count: number) => {
      const [message] = messages(
        verdictOn(
          20,
          'abcdefghij'
            .split('')
            .slice(0, count)
            .map((name) => departed(name)),
        ),
      );
      return message?.split('not calibrated either: ')[1];
    };
    expect(named(9)).toBe('b, c, d, e, f, g, h and i');
    expect(named(10)).toBe('b, c, d, e, f, g, h, i and 1 more');
  });
});

describe('problematic simulations', () => {
  it('are only named up to a tenth of all, and need a look beyond', () => {
    const few = verdictOn(20, [quantity('mu')], { slow: chainNames(2, 5) });
    expect(few.state).toBe('good');
    expect(few.checks.at(-1)).toEqual({
      name: 'ess_bulk',
      status: 'passed',
      count: 2,
      chain: 'chain#5',
      message: '2 simulations of 20 have an ESS below 25 (5 and 6)',
    });
    const many = verdictOn(20, [quantity('mu')], {
      divergent: chainNames(3),
      slow: chainNames(3, 5),
    });
    expect(many).toMatchObject({
      state: 'warn',
      headline: '3 simulations of 20 have divergent transitions (1, 2 and 3); 2 checks failed',
    });
    expect(many.checks.slice(1)).toEqual([
      {
        name: 'divergences',
        status: 'failed',
        tone: 'warn',
        count: 3,
        chain: 'chain#1',
        message: '3 simulations of 20 have divergent transitions (1, 2 and 3)',
      },
      expect.objectContaining({ name: 'ess_bulk', status: 'failed', tone: 'warn', count: 3 }),
    ]);
  });

  it('are named if there are at most eight, by number or by custom name', () => {
    const said = (...divergent: string[]) =>
      messages(verdictOn(100, [quantity('mu')], { divergent })).at(-1);
    expect(said(...chainNames(8))).toBe(
      '8 simulations of 100 have divergent transitions (1, 2, 3, 4, 5, 6, 7 and 8)',
    );
    expect(said(...chainNames(9))).toBe('9 simulations of 100 have divergent transitions');
    expect(said('my chain#1')).toBe('1 simulation of 100 has divergent transitions (my chain#1)');
  });
});

describe('missing simulations', () => {
  const missing = (
    done: number,
    counts: Partial<SimulationCounts>,
    quantities = [quantity('mu')],
  ) => verdictOn(done, quantities, counts).checks.filter(({ name }) => name === 'simulations');

  it('need a look if more than a tenth failed', () => {
    const failed = (count: number) => ({ asked: 100, failed: chainNames(count, 50) });
    expect(missing(90, failed(10))).toEqual([
      {
        name: 'simulations',
        status: 'passed',
        count: 10,
        chain: 'chain#50',
        message: '10 simulations of 100 failed',
      },
    ]);
    expect(missing(89, failed(11))).toEqual([
      {
        name: 'simulations',
        status: 'failed',
        tone: 'warn',
        count: 11,
        chain: 'chain#50',
        message: '11 simulations of 100 failed',
      },
    ]);
    expect(verdictOn(89, [quantity('mu')], failed(11)).state).toBe('warn');
  });

  it('leave the verdict unknown while fewer than 20 are done, whatever else needs a look', () => {
    expect(missing(19, { asked: 40 })).toEqual([
      {
        name: 'simulations',
        status: 'unknown',
        value: 19,
        threshold: 20,
        message: '19 simulations of 40 are too few',
      },
    ]);
    const verdict = verdictOn(1, [quantity('mu')], { asked: 40, divergent: ['chain#1'] });
    expect(verdict).toMatchObject({
      state: 'unknown',
      headline: 'No verdict: 1 simulation of 40 is too few',
    });
    expect(verdict.checks.map(({ name }) => name)).toEqual(['divergences', 'simulations']);
  });

  it('do not matter if no quantity can be compared', () => {
    const verdict = verdictOn(20, [], { asked: 40 });
    expect(verdict.state).toBe('unknown');
    expect(verdict.checks).toEqual([
      {
        name: 'simulations',
        status: 'unknown',
        message: 'no quantity has a true value to compare with',
      },
    ]);
  });

  it('are reported as still to come unless they failed', () => {
    expect(missing(30, { asked: 32, failed: ['chain#31'] }).at(-1)).toEqual({
      name: 'simulations',
      status: 'passed',
      count: 30,
      message: '30 of 32 simulations are done',
    });
    expect(missing(30, { asked: 31, failed: ['chain#31'] })).toHaveLength(1);
    expect(missing(30, { asked: 30 })).toEqual([]);
  });
});
