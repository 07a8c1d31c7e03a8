/**
 * Judges any run: Markov chains with `judge`, the others by what their method can show. An approximation has no R-hat,
 * but its importance ratios show how close it is; an optimum and fixed parameters have nothing to converge.
 */
import { formatNumber } from '../shared/readable-numbers.ts';
import type { Calibration } from './calibration.ts';
import { chainUsage } from './chain-usage.ts';
import { judgeCalibration, type SimulationCounts } from './judge-calibration.ts';
import type { FitEvidence, FitMethod, RunMethod } from './run-method.ts';
import {
  type Check,
  finiteCheck,
  judge,
  missingDraws,
  notUsed,
  originCheck,
  type Verdict,
  type VerdictInput,
  type VerdictState,
} from './verdict.ts';
import { chainsText, chainText, makeHeadline } from './verdict-label.ts';
import { paretoKFigure, verdictLimits } from './verdict-limits.ts';

export interface RunVerdictInput extends VerdictInput {
  readonly method: RunMethod;
  /** By chain name, for a run without Markov chains. */
  readonly fits: ReadonlyMap<string, FitEvidence>;
  /** Absent: the run is not a calibration. */
  readonly calibration?: {
    readonly calibration: Calibration;
    readonly counts: SimulationCounts;
  };
}

export function judgeRun(run: RunVerdictInput): Verdict {
  if (run.calibration !== undefined) return judgeCalibration(run.calibration);
  if (run.method === 'mcmc' || run.method === 'calibration') return judge(run);
  return judgeFit(run, run.method);
}

function judgeFit(run: RunVerdictInput, method: FitMethod): Verdict {
  const lengths = run.chains.map(({ name, numDraws }) => ({ name, draws: numDraws }));
  const usage = chainUsage(lengths, run.leftOut);
  const leftOut = usage.leftOut.map(({ name }) => name);
  const used = usage.used.map(({ name }) => ({ name, fit: run.fits.get(name) }));
  const found = [
    ...(used.length === 0 ? [] : checksOf(method, used)),
    finiteCheck(run.rows),
    ...notUsed(usage),
    ...originCheck(run),
    ...missingDraws(
      run,
      run.chains.filter(({ name }) => !leftOut.includes(name)),
      isApproximation(method) ? usage.common : verdictLimits.leastDraws,
    ),
  ].filter((check) => check !== null);
  const state = stateOf(method, found);
  return {
    state,
    rhat_max: null,
    ess_bulk_min: null,
    ess_tail_min: null,
    divergences: null,
    treedepth_hits: null,
    ebfmi_min: null,
    headline: headlineOf(state, found, leftOut),
    // JSON has no infinity; the message says it
    checks: found.map(({ value, ...check }) =>
      Number.isFinite(value) ? { ...check, value } : check,
    ),
    chains: used.map(({ name }) => name),
    draws: usage.common,
    draws_left_out: usage.beyond,
    chains_left_out: leftOut,
  };
}

function isApproximation(method: FitMethod): boolean {
  return method !== 'optimize' && method !== 'fixed_param';
}

interface UsedFit {
  readonly name: string;
  readonly fit: FitEvidence | undefined;
}

function checksOf(method: FitMethod, used: readonly UsedFit[]): Check[] {
  switch (method) {
    case 'optimize':
      return [...optimumChecks(used), said('point_estimate', 'A point estimate: no uncertainty')];
    case 'fixed_param':
      return [said('fixed_parameters', 'Fixed parameters: nothing to converge')];
    default:
      return [paretoCheck(used)];
  }
}

/** Describes the method; neither passed nor failed. */
const said = (name: Check['name'], message: string): Check => ({
  name,
  status: 'unknown',
  message,
});

function optimumChecks(used: readonly UsedFit[]): Check[] {
  const early = used.filter(({ fit }) => fit?.isConverged === false).map(({ name }) => name);
  const ends = used.map(({ fit }) => fit?.logDensity ?? NaN).filter(Number.isFinite);
  const checks: Check[] = [];
  if (early.length > 0)
    checks.push({
      name: 'optimum',
      status: 'failed',
      tone: 'warn',
      count: early.length,
      chain: early[0],
      message:
        used.length === 1
          ? 'the optimiser stopped before it converged'
          : `the optimiser of ${chainsText(early)} stopped before it converged`,
    });
  const [lowest, highest] = [Math.min(...ends), Math.max(...ends)];
  if (highest - lowest > verdictLimits.optimaApart)
    checks.push({
      name: 'optima',
      status: 'failed',
      tone: 'warn',
      value: highest - lowest,
      threshold: verdictLimits.optimaApart,
      message: `the chains end at different log densities, from ${formatNumber(lowest, 2)} to ${formatNumber(highest, 2)}: use the highest`,
    });
  return checks;
}

function paretoCheck(used: readonly UsedFit[]): Check {
  const { warn, bad } = verdictLimits.paretoK;
  const unknown = used.find(({ fit }) => typeof fit?.paretoK !== 'number');
  if (unknown !== undefined)
    return said('pareto_k', 'Pareto k of the importance ratios is not recorded');
  // undefined ratios, and tails that cannot be fitted, are worse than any number
  const values = used.map(({ name, fit }) => ({ name, k: fit?.paretoK ?? NaN }));
  const worst = values.reduce((a, b) => (rank(b.k) > rank(a.k) ? b : a));
  const found = { name: 'pareto_k', value: worst.k, threshold: warn, chain: worst.name } as const;
  if (rank(worst.k) <= warn) return { ...found, status: 'passed' };
  const where = used.length === 1 ? '' : ` of ${chainText(worst.name)}`;
  return {
    ...found,
    status: 'failed',
    tone: rank(worst.k) > bad ? 'bad' : 'warn',
    count: values.filter(({ k }) => rank(k) > warn).length,
    message: Number.isFinite(worst.k)
      ? `Pareto k${where} is ${paretoKFigure(worst.k)}, above ${warn}`
      : `Pareto k${where} is undefined: the importance ratios have no usable tail`,
  };
}

const rank = (k: number): number => (Number.isNaN(k) ? Infinity : k);

function stateOf(method: FitMethod, checks: readonly Check[]): VerdictState {
  if (checks.some(({ tone }) => tone === 'bad')) return 'bad';
  if (checks.some(({ tone }) => tone === 'warn')) return 'warn';
  const isOpen = checks.some(({ status }) => status === 'unknown');
  return isOpen || !isApproximation(method) ? 'unknown' : 'good';
}

function headlineOf(
  state: VerdictState,
  checks: readonly Check[],
  leftOut: readonly string[],
): string {
  const nature = checks.find(
    ({ name }) => name === 'point_estimate' || name === 'fixed_parameters',
  )?.message;
  const k = checks.find(({ name }) => name === 'pareto_k')?.value;
  const short = checks.find(({ status }) => status === 'failed')?.message;
  return makeHeadline(state, checks, {
    short,
    leftOut,
    plain:
      state === 'unknown'
        ? nature
        : state === 'good'
          ? `Good approximation: Pareto k ${paretoKFigure(k)}`
          : undefined,
  });
}
