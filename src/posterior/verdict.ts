/** Judges a run: which checks failed, worst first, and whether there is enough evidence to call it good. */
import type { SummaryRow } from './summary.ts';

export type VerdictState = 'good' | 'warn' | 'bad' | 'unknown';

/** What the sampler reported over the draws that count. */
export interface SamplerEvidence {
  /** Draws whose trajectory diverged; null: not recorded. */
  readonly divergences: number | null;
  /** Draws that reached the largest tree depth; null: not recorded. */
  readonly treedepthHits: number | null;
  /** E-BFMI by chain, NaN where undefined; null: not recorded. */
  readonly ebfmi: readonly number[] | null;
}

export interface VerdictInput {
  /** Of the program's variables and `lp__`, without the sampler's own columns. NaN and null both mean undefined. */
  readonly rows: readonly VerdictRow[];
  readonly numChains: number;
  /** Draws a chain of the sampling phase. */
  readonly numDraws: number;
  /** `not-applicable`: no Hamiltonian sampler ran, so its checks do not exist. */
  readonly sampler: SamplerEvidence | 'not-applicable';
}

/** What the verdict needs of a summary row, in memory or as JSON brought it. */
export interface VerdictRow extends Pick<SummaryRow, 'variable' | 'non_finite' | 'constant'> {
  readonly rhat: number | null;
  readonly ess_bulk: number | null;
  readonly ess_tail: number | null;
}

export type CheckName =
  | 'rhat'
  | 'ess_bulk'
  | 'ess_tail'
  | 'divergences'
  | 'ebfmi'
  | 'treedepth'
  | 'non_finite';

/** A check that failed: how badly, where it is worst, and how far it reaches. */
export interface FailedCheck {
  readonly check: CheckName;
  readonly tone: 'warn' | 'bad';
  /** The worst number, and the amber limit it broke. */
  readonly value: number;
  readonly limit: number;
  /** Variable with the worst number, where the check is of variables. */
  readonly variable: string | null;
  /** How many variables (or chains, for E-BFMI; draws, for counts) fail. */
  readonly count: number;
  /** "R-hat of tau is 1.042, above 1.01". */
  readonly message: string;
}

/** The members in snake_case are those of `meta.verdict` on the wire; null where there is no such evidence. */
export interface Verdict {
  readonly state: VerdictState;
  readonly rhat_max: number | null;
  readonly ess_bulk_min: number | null;
  readonly ess_tail_min: number | null;
  readonly divergences: number | null;
  readonly treedepth_hits: number | null;
  readonly ebfmi_min: number | null;
  /** Worst first. */
  readonly failed: readonly FailedCheck[];
  /** Why nothing can be called good yet, in words; empty when all evidence is there. */
  readonly missing: readonly string[];
  /** The verdict in one sentence. */
  readonly sentence: string;
}

/** Amber begins beyond `warn`, red beyond `bad` (Vehtari et al. 2021 for R-hat and ESS; Betancourt 2016 for E-BFMI). */
export const verdictLimits = {
  rhat: { warn: 1.01, bad: 1.05 },
  /** Times the number of chains. */
  essPerChain: { warn: 100, bad: 50 },
  /** Any divergence is amber; this share of all draws is red. */
  divergentShare: { bad: 0.01 },
  ebfmi: { warn: 0.3, bad: 0.2 },
  /** Below this no statistic is trusted either way: 100 a chain is the least that can reach the ESS asked for. */
  leastDraws: 100,
} as const;

export function judge(input: VerdictInput): Verdict {
  const failed = failedChecks(input).toSorted(worstFirst);
  const missing = missingEvidence(input);
  const isTooShort = input.numDraws < verdictLimits.leastDraws || input.rows.length === 0;
  const state = isTooShort ? 'unknown' : stateOf(failed, missing);
  const { sampler } = input;
  return {
    state,
    rhat_max: worstRow(input.rows, 'rhat', 1)?.value ?? null,
    ess_bulk_min: worstRow(input.rows, 'ess_bulk', -1)?.value ?? null,
    ess_tail_min: worstRow(input.rows, 'ess_tail', -1)?.value ?? null,
    divergences: sampler === 'not-applicable' ? null : sampler.divergences,
    treedepth_hits: sampler === 'not-applicable' ? null : sampler.treedepthHits,
    ebfmi_min: sampler === 'not-applicable' ? null : lowestEbfmi(sampler),
    failed,
    missing,
    sentence: sentenceOf(state, isTooShort, missing),
  };
}

function stateOf(failed: readonly FailedCheck[], missing: readonly string[]): VerdictState {
  if (failed.some((check) => check.tone === 'bad')) return 'bad';
  if (failed.length > 0) return 'warn';
  return missing.length > 0 ? 'unknown' : 'good';
}

function sentenceOf(state: VerdictState, isTooShort: boolean, missing: readonly string[]): string {
  switch (state) {
    case 'good':
      return 'Looks converged.';
    case 'bad':
      return 'Not converged: do not use these draws.';
    case 'warn':
      return 'Needs a look.';
    case 'unknown':
      return isTooShort ? 'Too few draws to tell.' : `Not enough evidence: ${missing.join('; ')}.`;
  }
}

const order: readonly CheckName[] = [
  'rhat',
  'divergences',
  'ess_bulk',
  'ess_tail',
  'ebfmi',
  'treedepth',
  'non_finite',
];

function worstFirst(a: FailedCheck, b: FailedCheck): number {
  if (a.tone !== b.tone) return a.tone === 'bad' ? -1 : 1;
  return order.indexOf(a.check) - order.indexOf(b.check);
}

function failedChecks(input: VerdictInput): FailedCheck[] {
  const { sampler } = input;
  return [
    failedRhat(input),
    failedEss(input, 'ess_bulk'),
    failedEss(input, 'ess_tail'),
    sampler === 'not-applicable' ? null : failedDivergences(input, sampler.divergences),
    sampler === 'not-applicable' ? null : failedEbfmi(sampler),
    sampler === 'not-applicable' ? null : failedTreedepth(sampler.treedepthHits),
    failedFinite(input),
  ].filter((check) => check !== null);
}

type StatisticName = 'rhat' | 'ess_bulk' | 'ess_tail';

/** The row with the largest (`sign` 1) or smallest (−1) defined statistic. */
function worstRow(rows: readonly VerdictRow[], name: StatisticName, sign: 1 | -1) {
  let worst: { variable: string; value: number } | null = null;
  for (const row of rows) {
    const value = row[name];
    if (value === null || Number.isNaN(value)) continue;
    if (worst === null || sign * value > sign * worst.value)
      worst = { variable: row.variable, value };
  }
  return worst;
}

function failedRhat({ rows }: VerdictInput): FailedCheck | null {
  const { warn, bad } = verdictLimits.rhat;
  const worst = worstRow(rows, 'rhat', 1);
  if (worst === null || worst.value <= warn) return null;
  return {
    check: 'rhat',
    tone: worst.value > bad ? 'bad' : 'warn',
    ...worst,
    limit: warn,
    count: rows.filter((row) => (row.rhat ?? NaN) > warn).length,
    message: `R-hat of ${worst.variable} is ${worst.value.toFixed(3)}, above ${warn}`,
  };
}

function failedEss(
  { rows, numChains }: VerdictInput,
  check: 'ess_bulk' | 'ess_tail',
): FailedCheck | null {
  const warn = verdictLimits.essPerChain.warn * numChains;
  const bad = verdictLimits.essPerChain.bad * numChains;
  const worst = worstRow(rows, check, -1);
  if (worst === null || worst.value >= warn) return null;
  return {
    check,
    tone: worst.value < bad ? 'bad' : 'warn',
    ...worst,
    limit: warn,
    count: rows.filter((row) => (row[check] ?? NaN) < warn).length,
    message: `${check === 'ess_bulk' ? 'Bulk' : 'Tail'} ESS of ${worst.variable} is ${worst.value.toFixed(0)}, below ${warn}`,
  };
}

function failedDivergences(input: VerdictInput, divergences: number | null): FailedCheck | null {
  if (divergences === null || divergences <= 0) return null;
  const total = input.numChains * input.numDraws;
  return {
    check: 'divergences',
    tone: divergences >= verdictLimits.divergentShare.bad * total ? 'bad' : 'warn',
    value: divergences,
    limit: 0,
    variable: null,
    count: divergences,
    message: divergences === 1 ? '1 draw diverged' : `${divergences} draws diverged`,
  };
}

function failedTreedepth(hits: number | null): FailedCheck | null {
  if (hits === null || hits <= 0) return null;
  return {
    check: 'treedepth',
    tone: 'warn',
    value: hits,
    limit: 0,
    variable: null,
    count: hits,
    message: `${hits === 1 ? '1 draw' : `${hits} draws`} reached the largest tree depth`,
  };
}

function lowestEbfmi({ ebfmi }: SamplerEvidence): number | null {
  const defined = (ebfmi ?? []).filter((value) => !Number.isNaN(value));
  return defined.length === 0 ? null : Math.min(...defined);
}

function failedEbfmi(sampler: SamplerEvidence): FailedCheck | null {
  const { warn, bad } = verdictLimits.ebfmi;
  const value = lowestEbfmi(sampler);
  if (value === null || value >= warn) return null;
  const count = (sampler.ebfmi ?? []).filter((chain) => chain < warn).length;
  return {
    check: 'ebfmi',
    tone: value < bad ? 'bad' : 'warn',
    value,
    limit: warn,
    variable: null,
    count,
    message: `E-BFMI is ${value.toFixed(2)} in ${count === 1 ? '1 chain' : `${count} chains`}, below ${warn}`,
  };
}

function failedFinite({ rows }: VerdictInput): FailedCheck | null {
  const bad = rows.filter((row) => row.non_finite > 0);
  if (bad.length === 0) return null;
  const worst = bad.reduce((a, b) => (b.non_finite > a.non_finite ? b : a));
  return {
    check: 'non_finite',
    tone: 'warn',
    value: worst.non_finite,
    limit: 0,
    variable: worst.variable,
    count: bad.length,
    message: `${worst.variable} has ${worst.non_finite === 1 ? '1 draw that is' : `${worst.non_finite} draws that are`} not finite`,
  };
}

/** What would have to be there before "good" may be said. A constant variable needs none. */
function missingEvidence({ rows, numChains, numDraws, sampler }: VerdictInput): string[] {
  const missing: string[] = [];
  if (numDraws < verdictLimits.leastDraws) missing.push(`${numDraws} draws a chain are too few`);
  if (numChains < 2) missing.push('one chain cannot show that chains agree');
  const judged = rows.filter((row) => !row.constant && row.non_finite === 0);
  const isDefined = (row: VerdictRow) =>
    [row.rhat, row.ess_bulk, row.ess_tail].every((value) => value !== null && !Number.isNaN(value));
  const undefinedRow = judged.find((row) => !isDefined(row));
  if (judged.length === 0) missing.push('no variable has R-hat and ESS');
  if (undefinedRow !== undefined)
    missing.push(`R-hat and ESS of ${undefinedRow.variable} are undefined`);
  if (sampler === 'not-applicable') return missing;
  const hasEbfmi =
    sampler.ebfmi !== null && sampler.ebfmi.length > 0 && !sampler.ebfmi.some(Number.isNaN);
  if (sampler.divergences === null) missing.push('divergences are not recorded');
  if (sampler.treedepthHits === null) missing.push('tree depths are not recorded');
  if (!hasEbfmi) missing.push('energies are not recorded');
  return missing;
}
