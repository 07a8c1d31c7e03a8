/**
 * Judges a run once: every check in one order with its result, and the headline that every view shows. The checks are
 * in one file because a limit, its message and its place in the order only make sense together.
 */
import { formatCount } from '../shared/readable-numbers.ts';
import { chainUsage, commonLengthText, leftOutText } from './chain-usage.ts';
import { type ChainRegion, lostChains } from './lost-chains.ts';
import { lostCheck } from './lost-check.ts';
import type { SummaryRow } from './summary.ts';
import {
  chainsText,
  chainText,
  counted,
  headlineOf,
  joined,
  makeHeadline,
} from './verdict-label.ts';
import { ebfmiFigure, essFigure, rhatFigure, verdictLimits } from './verdict-limits.ts';

export type VerdictState = 'good' | 'warn' | 'bad' | 'unknown';

/** What is known about one chain; chains without draws are listed too. */
export interface ChainEvidence {
  /** `chain#1`, … */
  readonly name: string;
  /** Draws of the sampling phase. */
  readonly numDraws: number;
  /** Draws whose trajectory diverged; null: not recorded. */
  readonly divergences: number | null;
  /** Draws that reached the maximum tree depth; null: not recorded. */
  readonly treedepthHits: number | null;
  /** NaN: undefined; null: energies are not recorded. */
  readonly ebfmi: number | null;
  /** Its location; absent: unknown. */
  readonly region?: ChainRegion;
}

export interface VerdictInput {
  /** Rows of the program's variables and `lp__`, without the sampler's columns. NaN and null both mean undefined. */
  readonly rows: readonly VerdictRow[];
  /** All chains of the run, including those left out. */
  readonly chains: readonly ChainEvidence[];
  /** Names of chains that its owner left out: not judged, and not in `rows`. */
  readonly leftOut?: readonly string[];
  /** False: there are no checks of a Hamiltonian sampler. */
  readonly isHamiltonian: boolean;
  /** The maximum tree depth is unknown: hits were counted at Stan's default. */
  readonly isTreedepthAssumed?: boolean;
  /** The draws come from another run and were read: the sampler was not run with this program. */
  readonly isGenerated?: boolean;
}

/** What the verdict needs from a summary row, in memory or from JSON. */
export interface VerdictRow extends Pick<SummaryRow, 'variable' | 'non_finite' | 'constant'> {
  readonly rhat: number | null;
  readonly ess_bulk: number | null;
  readonly ess_tail: number | null;
}

/** `chains`, `draws` and `statistics` only report what is missing or not used; the others pass or fail. */
export type CheckName =
  | 'divergences'
  | 'lost_chains'
  | 'rhat'
  | 'ebfmi'
  | 'treedepth'
  | 'ess_bulk'
  | 'ess_tail'
  | 'non_finite'
  | 'chains'
  | 'draws'
  | 'statistics'
  | 'pareto_k'
  | 'optimum'
  | 'optima'
  | 'point_estimate'
  | 'fixed_parameters'
  | 'calibration'
  | 'simulations'
  | 'generated_quantities';

/** The result of a check. Members that do not apply are absent. */
export interface Check {
  readonly name: CheckName;
  readonly status: 'passed' | 'failed' | 'unknown';
  /** Of a failed check. */
  readonly tone?: 'warn' | 'bad';
  /** The worst number, and the amber limit it is compared with. */
  readonly value?: number;
  readonly threshold?: number;
  /** Where the number is worst. */
  readonly variable?: string;
  readonly chain?: string;
  /** How many variables, chains or draws failed. */
  readonly count?: number;
  /** "R-hat of tau is 1.042, above 1.01". */
  readonly message?: string;
}

/** `meta.verdict` as on the wire; null if there is no such evidence. */
export interface Verdict {
  readonly state: VerdictState;
  readonly rhat_max: number | null;
  readonly ess_bulk_min: number | null;
  readonly ess_tail_min: number | null;
  readonly divergences: number | null;
  readonly treedepth_hits: number | null;
  readonly ebfmi_min: number | null;
  /** "33 divergences; 4 checks failed". */
  readonly headline: string;
  /**
   * A chain in another region comes first, since it explains the rest; then divergences, since they mean bias; then
   * what keeps the chains from agreeing; missing evidence comes last.
   */
  readonly checks: readonly Check[];
  /** Names of the judged chains, and the draws of each that R-hat and ESS use. */
  readonly chains: readonly string[];
  readonly draws: number;
  /** Draws of longer chains beyond those. */
  readonly draws_left_out: number;
  /** Names of the chains that its owner left out. */
  readonly chains_left_out: readonly string[];
}

export function judge(run: VerdictInput): Verdict {
  const lengths = run.chains.map(({ name, numDraws }) => ({ name, draws: numDraws }));
  const usage = chainUsage(lengths, run.leftOut);
  const leftOut = usage.leftOut.map(({ name }) => name);
  const input = { ...run, chains: run.chains.filter(({ name }) => !leftOut.includes(name)) };
  const used = input.chains.filter((chain) => chain.numDraws > 0);
  const draws = usage.common;
  const numbers = numbersOf(input);
  const total = used.reduce((sum, chain) => sum + chain.numDraws, 0);
  const found = [
    lostCheck(lostChains(used.flatMap(({ region }) => region ?? []))),
    ...(input.isHamiltonian ? [divergenceCheck(numbers.divergences, total)] : []),
    rhatCheck(input.rows, worstRow(input.rows, 'rhat', 1)),
    ...(input.isHamiltonian ? [ebfmiCheck(used), treedepthCheck(input, numbers)] : []),
    essCheck(input.rows, 'ess_bulk', used.length),
    essCheck(input.rows, 'ess_tail', used.length),
    finiteCheck(input.rows),
  ].filter((check) => check !== null);
  const checks = [
    ...found,
    ...notUsed(usage),
    ...originCheck(run),
    ...missingEvidence(input, used, draws),
  ];
  const state = draws < verdictLimits.leastDraws ? 'unknown' : stateOf(checks);
  return {
    state,
    ...numbers,
    // JSON has no infinity, which is the R-hat of chains that are each constant; the message says it.
    rhat_max: numbers.rhat_max === Number.POSITIVE_INFINITY ? null : numbers.rhat_max,
    headline: makeHeadline(state, checks, { short: shortOf(checks, used.length), leftOut }),
    checks: checks.map(({ value, ...check }) =>
      Number.isFinite(value) ? { ...check, value } : check,
    ),
    chains: used.map((chain) => chain.name),
    draws,
    draws_left_out: usage.beyond,
    chains_left_out: leftOut,
  };
}

/** Existing draws that the numbers do not use: those of longer chains, and chains that the owner left out. */
export function notUsed(usage: ReturnType<typeof chainUsage>): Check[] {
  const texts = [
    { name: 'draws' as const, message: commonLengthText(usage), value: usage.common },
    { name: 'chains' as const, message: leftOutText(usage), count: usage.leftOut.length },
  ];
  return texts.flatMap(({ message, ...check }): Check[] =>
    message === null ? [] : [{ ...check, status: 'passed', message }],
  );
}

function stateOf(checks: readonly Check[]): VerdictState {
  if (checks.some((check) => check.tone === 'bad')) return 'bad';
  if (checks.some((check) => check.tone === 'warn')) return 'warn';
  return checks.some((check) => check.status === 'unknown') ? 'unknown' : 'good';
}

/** The numbers of a verdict, stored by earlier versions without the checks. */
export type VerdictNumbers = Pick<
  Verdict,
  'rhat_max' | 'ess_bulk_min' | 'ess_tail_min' | 'divergences' | 'treedepth_hits' | 'ebfmi_min'
>;

function numbersOf({ rows, chains, isHamiltonian }: VerdictInput): VerdictNumbers {
  const used = chains.filter((chain) => chain.numDraws > 0);
  const lowest = lowestEbfmi(used);
  return {
    rhat_max: worstRow(rows, 'rhat', 1)?.value ?? null,
    ess_bulk_min: worstRow(rows, 'ess_bulk', -1)?.value ?? null,
    ess_tail_min: worstRow(rows, 'ess_tail', -1)?.value ?? null,
    divergences: isHamiltonian ? sumOf(used, 'divergences') : null,
    treedepth_hits: isHamiltonian ? sumOf(used, 'treedepthHits') : null,
    ebfmi_min: isHamiltonian ? (lowest?.ebfmi ?? null) : null,
  };
}

/** Null unless every chain recorded it. */
function sumOf(chains: readonly ChainEvidence[], name: 'divergences' | 'treedepthHits') {
  let sum = 0;
  for (const chain of chains) {
    const value = chain[name];
    if (value === null) return null;
    sum += value;
  }
  return chains.length === 0 ? null : sum;
}

function lowestEbfmi(chains: readonly ChainEvidence[]) {
  let lowest: { readonly name: string; readonly ebfmi: number } | null = null;
  for (const { name, ebfmi } of chains) {
    if (ebfmi === null || Number.isNaN(ebfmi)) continue;
    if (lowest === null || ebfmi < lowest.ebfmi) lowest = { name, ebfmi };
  }
  return lowest;
}

type StatisticName = 'rhat' | 'ess_bulk' | 'ess_tail';

interface WorstRow {
  readonly variable?: string;
  readonly value: number;
}

/** The row with the largest (`sign` 1) or smallest (−1) defined statistic. */
function worstRow(rows: readonly VerdictRow[], name: StatisticName, sign: 1 | -1) {
  let worst: WorstRow | null = null;
  for (const row of rows) {
    const value = row[name];
    if (value === null || Number.isNaN(value)) continue;
    if (worst === null || sign * value > sign * worst.value)
      worst = { variable: row.variable, value };
  }
  return worst;
}

interface Threshold {
  readonly threshold: number;
  readonly fails: boolean;
  readonly isBad: boolean;
}

function checkOf(
  name: CheckName,
  { threshold, fails, isBad }: Threshold,
  found: Pick<Check, 'value' | 'variable' | 'chain' | 'count' | 'message'>,
): Check {
  const { count, message, ...worst } = found;
  if (!fails) return { name, status: 'passed', ...worst, threshold };
  const tone = isBad ? 'bad' : 'warn';
  return { name, status: 'failed', tone, ...worst, threshold, count, message };
}

function divergenceCheck(divergences: number | null, total: number): Check | null {
  if (divergences === null) return null;
  return checkOf(
    'divergences',
    {
      threshold: 0,
      fails: divergences > 0,
      isBad: divergences >= verdictLimits.divergentShare.bad * total,
    },
    {
      value: divergences,
      count: divergences,
      message: `${counted(divergences, 'draw')} diverged${shareOf(divergences, total)}`,
    },
  );
}

/** " (3.9 %)"; a small share never reads as none. */
function shareOf(count: number, total: number): string {
  if (total === 0) return '';
  const percent = (100 * count) / total;
  return percent < 0.1 ? ' (under 0.1\u202f%)' : ` (${percent.toFixed(1)}\u202f%)`;
}

function rhatCheck(rows: readonly VerdictRow[], worst: WorstRow | null): Check | null {
  if (worst === null) return null;
  const { warn, bad } = verdictLimits.rhat;
  const count = rows.filter((row) => (row.rhat ?? Number.NaN) > warn).length;
  return checkOf(
    'rhat',
    { threshold: warn, fails: worst.value > warn, isBad: worst.value > bad },
    {
      ...worst,
      count,
      message: findingAt('R-hat', worst.variable, {
        figure: rhatFigure(worst.value),
        beyond: `above ${warn}`,
        share: shareOfRows(count, rows, 'rhat'),
      }),
    },
  );
}

const essNames = { ess_bulk: 'Bulk ESS', ess_tail: 'Tail ESS' } as const;

function essCheck(
  rows: readonly VerdictRow[],
  name: 'ess_bulk' | 'ess_tail',
  numChains: number,
  worst: WorstRow | null = worstRow(rows, name, -1),
): Check | null {
  if (worst === null) return null;
  const warn = verdictLimits.essPerChain.warn * numChains;
  const count = rows.filter((row) => (row[name] ?? Number.NaN) < warn).length;
  return checkOf(
    name,
    {
      threshold: warn,
      fails: worst.value < warn,
      isBad: worst.value < verdictLimits.essPerChain.bad * numChains,
    },
    {
      ...worst,
      count,
      message: findingAt(essNames[name], worst.variable, {
        figure: essFigure(worst.value, numChains),
        beyond: `below ${formatCount(warn)}`,
        share: shareOfRows(count, rows, name),
      }),
    },
  );
}

interface Finding {
  readonly figure: string;
  /** "above 1.01". */
  readonly beyond: string;
  /** "10 of 11 variables"; null: the worst is the only one. */
  readonly share: string | null;
}

/** "R-hat of tau is 1.042, above 1.01", or "R-hat above 1.01 in 10 of 11 variables, worst tau 1.042". */
function findingAt(statistic: string, variable: string | undefined, found: Finding): string {
  const { figure, beyond, share } = found;
  if (share !== null) return `${statistic} ${beyond} in ${share}, worst ${variable} ${figure}`;
  const place = variable === undefined ? statistic : `${statistic} of ${variable}`;
  return `${place} is ${figure}, ${beyond}`;
}

function shareOfRows(
  count: number,
  rows: readonly VerdictRow[],
  name: StatisticName,
): string | null {
  if (count < 2) return null;
  const defined = rows.filter((row) => row[name] !== null && !Number.isNaN(row[name]));
  return `${formatCount(count)} of ${counted(defined.length, 'variable')}`;
}

function ebfmiCheck(used: readonly ChainEvidence[]): Check | null {
  const lowest = lowestEbfmi(used);
  if (lowest === null) return null;
  const { warn, bad } = verdictLimits.ebfmi;
  const count = used.filter(({ ebfmi }) => ebfmi !== null && ebfmi < warn).length;
  const many = count > 1 ? ` and below ${warn} in ${count} chains` : `, below ${warn}`;
  return checkOf(
    'ebfmi',
    { threshold: warn, fails: lowest.ebfmi < warn, isBad: lowest.ebfmi < bad },
    {
      value: lowest.ebfmi,
      chain: lowest.name,
      count,
      message: `E-BFMI of ${chainText(lowest.name)} is ${ebfmiFigure(lowest.ebfmi)}${many}`,
    },
  );
}

function treedepthCheck(
  { isTreedepthAssumed = false }: Pick<VerdictInput, 'isTreedepthAssumed'>,
  { treedepth_hits: hits }: Pick<VerdictNumbers, 'treedepth_hits'>,
): Check | null {
  if (hits === null) return null;
  const usual = verdictLimits.usualTreedepth;
  const limit = isTreedepthAssumed
    ? `tree depth ${usual}, Stan's default limit (the run's own is not recorded)`
    : 'the maximum tree depth';
  const check = checkOf(
    'treedepth',
    { threshold: 0, fails: hits > 0, isBad: false },
    { value: hits, count: hits, message: `${counted(hits, 'draw')} reached ${limit}` },
  );
  return isTreedepthAssumed && hits === 0
    ? { ...check, message: `no draw reached ${limit}` }
    : check;
}

/** Silent if all draws are finite. */
export function finiteCheck(rows: readonly VerdictRow[]): Check | null {
  const bad = rows.filter((row) => row.non_finite > 0);
  if (bad.length === 0) return null;
  const worst = bad.reduce((a, b) => (b.non_finite > a.non_finite ? b : a));
  const most = formatCount(worst.non_finite);
  const draws = worst.non_finite === 1 ? 'draw that is' : 'draws that are';
  return {
    name: 'non_finite',
    status: 'failed',
    tone: 'warn',
    value: worst.non_finite,
    threshold: 0,
    variable: worst.variable,
    count: bad.length,
    message:
      bad.length === 1
        ? `${worst.variable} has ${most} ${draws} not finite`
        : `${formatCount(bad.length)} of ${counted(rows.length, 'variable')} have draws that are not finite, worst ${worst.variable} with ${most}`,
  };
}

/** Draws that were read can show that they converged, not that they are this program's posterior. */
export function originCheck({ isGenerated = false }: Pick<VerdictInput, 'isGenerated'>): Check[] {
  if (!isGenerated) return [];
  const message =
    'the draws are those of the finished run: a changed model block has no effect, only generated quantities are new';
  return [{ name: 'generated_quantities', status: 'passed', message }];
}

function unknownCheck(name: CheckName, message: string, more: Partial<Check> = {}): Check {
  return { name, status: 'unknown', ...more, message };
}

/** What is too scarce to judge any run; `chains`: those judged, `draws`: number of each. */
export function missingDraws(
  { leftOut = [] }: Pick<VerdictInput, 'leftOut'>,
  chains: readonly ChainEvidence[],
  draws: number,
): Check[] {
  const empty = chains.filter((chain) => chain.numDraws === 0).map((chain) => chain.name);
  if (empty.length === chains.length) {
    const isByChoice = chains.length === 0 && leftOut.length > 0;
    const message = isByChoice ? 'every chain is left out' : 'the run has no draws';
    return [unknownCheck('draws', message, { value: 0 })];
  }
  const missing: Check[] = [];
  if (empty.length > 0) {
    const verb = empty.length === 1 ? 'has' : 'have';
    const message = `${chainsText(empty)} ${verb} no draws`;
    missing.push(unknownCheck('chains', message, { chain: empty[0], count: empty.length }));
  }
  if (draws < verdictLimits.leastDraws) {
    const few = draws === 1 ? '1 draw per chain is' : `${draws} draws per chain are`;
    const limits = { value: draws, threshold: verdictLimits.leastDraws };
    missing.push(unknownCheck('draws', `${few} too few`, limits));
  }
  return missing;
}

/** Evidence required before "good" may be said, the most telling first. A constant variable needs none. */
function missingEvidence(
  input: VerdictInput,
  used: readonly ChainEvidence[],
  draws: number,
): Check[] {
  const missing = missingDraws(input, input.chains, draws);
  if (used.length === 0) return missing;
  if (input.chains.length === 1)
    missing.push(unknownCheck('chains', 'one chain cannot show that chains agree', { count: 1 }));
  return [
    ...missing,
    ...missingStatistics(input.rows).map((found) =>
      unknownCheck('statistics', found.message, { variable: found.variable }),
    ),
    ...(input.isHamiltonian ? missingReports(used) : []).map((found) =>
      unknownCheck(found.name, found.message, { chain: found.chain }),
    ),
  ];
}

function missingStatistics(rows: readonly VerdictRow[]): { message: string; variable?: string }[] {
  const judged = rows.filter((row) => !row.constant && row.non_finite === 0);
  if (judged.length === 0) return [{ message: 'no variable has R-hat and ESS' }];
  const lacks = (row: VerdictRow, name: StatisticName) => Number.isNaN(row[name] ?? NaN);
  const names = ['rhat', 'ess_bulk', 'ess_tail'] as const;
  const found = judged.filter((row) => names.some((name) => lacks(row, name)));
  const [first] = found;
  if (first === undefined) return [];
  const [rhat, bulk, tail] = names.map((name) => found.some((row) => lacks(row, name)));
  const ess = bulk && tail ? 'ESS' : bulk ? 'bulk ESS' : tail ? 'tail ESS' : null;
  const what = [...(rhat ? ['R-hat'] : []), ...(ess === null ? [] : [ess])];
  const verb = what.length === 1 ? 'is' : 'are';
  const [where, example] =
    found.length === 1
      ? [first.variable, '']
      : found.length === judged.length
        ? ['every variable', '']
        : [
            `${formatCount(found.length)} of ${counted(judged.length, 'variable')}`,
            `, for example ${first.variable}`,
          ];
  const message = `${joined(what)} of ${where} ${verb} undefined${example}`;
  return [{ message, variable: first.variable }];
}

/** What the sampler did not report: for all chains in one message, since one file lacks them together. */
function missingReports(used: readonly ChainEvidence[]) {
  const lacking = [
    { name: 'divergences' as const, noun: 'divergences', of: (c: ChainEvidence) => c.divergences },
    { name: 'treedepth' as const, noun: 'tree depths', of: (c: ChainEvidence) => c.treedepthHits },
    { name: 'ebfmi' as const, noun: 'energies', of: (c: ChainEvidence) => c.ebfmi },
  ].filter(({ of }) => used.some((chain) => of(chain) === null));
  const found: { name: CheckName; message: string; chain?: string }[] = [];
  if (lacking.length > 0) {
    const message = `${joined(lacking.map(({ noun }) => noun))} are not recorded`;
    found.push({ name: lacking[0].name, message });
  }
  const undefinedOne = used.find(({ ebfmi }) => Number.isNaN(ebfmi));
  if (undefinedOne !== undefined) {
    const { name: chain } = undefinedOne;
    found.push({ name: 'ebfmi', message: `E-BFMI of ${chainText(chain)} is undefined`, chain });
  }
  return found;
}

/** The first failed check in brief: "33 divergences", "R-hat 1.042, above 1.01". */
function shortOf(checks: readonly Check[], numChains: number): string | undefined {
  const check = checks.find(({ status }) => status === 'failed');
  if (check === undefined) return undefined;
  const { value = 0, threshold } = check;
  switch (check.name) {
    case 'divergences':
      return counted(value, 'divergence');
    case 'treedepth':
      return counted(value, 'tree depth hit');
    case 'rhat':
      return `R-hat ${rhatFigure(value)}, above ${threshold}`;
    case 'ebfmi':
      return `E-BFMI ${ebfmiFigure(value)}, below ${threshold}`;
    case 'ess_bulk':
    case 'ess_tail':
      return `${essNames[check.name]} ${essFigure(value, numChains)}, below ${formatCount(threshold)}`;
    case 'lost_chains':
      return `${check.message?.charAt(0).toUpperCase()}${check.message?.slice(1)}`;
    default:
      return check.message;
  }
}

/** A verdict stored or shared by an earlier version: its numbers name the checks, not the variables. */
export function completeVerdict<V extends VerdictNumbers & { readonly state: VerdictState }>(
  stored: V,
  { numChains, numDraws }: { readonly numChains: number; readonly numDraws: number },
): V & Pick<Verdict, 'headline' | 'checks'> {
  const worst = (value: number | null): WorstRow | null => (value === null ? null : { value });
  const { ebfmi_min: lowest } = stored;
  const checks = [
    divergenceCheck(stored.divergences, numChains * numDraws),
    rhatCheck([], worst(stored.rhat_max)),
    lowest === null ? null : oldEbfmiCheck(lowest),
    treedepthCheck({}, stored),
    essCheck([], 'ess_bulk', numChains, worst(stored.ess_bulk_min)),
    essCheck([], 'ess_tail', numChains, worst(stored.ess_tail_min)),
  ].filter((check) => check !== null);
  const headline = makeHeadline(stored.state, checks, { short: shortOf(checks, numChains) });
  return { ...stored, headline: headlineOf({ ...stored, headline }), checks };
}

function oldEbfmiCheck(value: number): Check {
  const { warn, bad } = verdictLimits.ebfmi;
  return checkOf(
    'ebfmi',
    { threshold: warn, fails: value < warn, isBad: value < bad },
    { value, message: `E-BFMI is ${ebfmiFigure(value)}, below ${warn}` },
  );
}
