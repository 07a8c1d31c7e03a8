/** The output of a finished run: summary.json, the table, and CSV files in CmdStan's layout. */
import { combineProfiles, type ProfileTimes, profileFigures } from '../engine/profiler.ts';
import type { ChainRun, RunResult } from '../engine/run.ts';
import type { Algorithm } from '../engine/settings-table.ts';
import { type Calibration, calibrate } from '../posterior/calibration.ts';
import { decimalsForMcse, plainNumber } from '../posterior/decimals.ts';
import { isSamplerColumn } from '../posterior/draws.ts';
import { ebfmi } from '../posterior/ebfmi.ts';
import { judgeCalibration, shapeName } from '../posterior/judge-calibration.ts';
import { judgeRun } from '../posterior/judge-run.ts';
import { withLabels } from '../posterior/labelled-verdict.ts';
import { regionOf } from '../posterior/lost-chains.ts';
import {
  type FitMethod,
  fitEvidence,
  methodOf,
  withoutChainStatistics,
} from '../posterior/run-method.ts';
import { rankSimulation } from '../posterior/simulation-ranks.ts';
import { type SummaryRow, summariseVariable } from '../posterior/summary.ts';
import {
  type DimensionLabels,
  labelOf,
  noLabels,
  shownName,
} from '../posterior/variable-labels.ts';
import type { ChainEvidence, Verdict } from '../posterior/verdict.ts';
import { failedChecks, remarksOf, sentenceOf } from '../posterior/verdict-label.ts';
import { rhatFigure, verdictLimits } from '../posterior/verdict-limits.ts';
import { alignedText } from './report.ts';

export interface RunReport {
  readonly rows: readonly LabelledRow[];
  readonly verdict: Verdict;
  /** Only for a calibration, which has no rows. */
  readonly calibration?: Calibration;
}

/** A row of the summary with the label of its variable. */
interface LabelledRow extends SummaryRow {
  /** `theta[School C]`. */
  readonly label?: string;
}

export function reportRun(
  result: RunResult,
  labels: DimensionLabels = noLabels,
  algorithm: Algorithm = 'nuts',
): RunReport {
  const method = methodOf(result.columns);
  if (method === 'calibration') return reportCalibration(result, labels);
  const summarised = result.columns
    .map((variable, c) => ({ variable, c }))
    .filter(({ variable }) => !isSamplerColumn(variable))
    .map(({ variable, c }) =>
      summariseVariable(variable, drawsOf(result, c), superchainsOf(result)),
    );
  const rows = method === 'mcmc' ? summarised : summarised.map(withoutChainStatistics);
  const isGenerated = algorithm === 'generate_quantities';
  // draws that were read include the columns of their sampler
  const hasHmc = isGenerated
    ? result.columns.includes('divergent__')
    : result.chains.some((chain) => chain.adaptation !== null);
  const verdict = judgeRun({
    method,
    fits: method === 'mcmc' ? new Map() : fitsOf(result, method),
    rows: rows.filter((row) => hasHmc || row.variable !== 'lp__'),
    isHamiltonian: hasHmc,
    isGenerated,
    isTreedepthAssumed: isGenerated && hasHmc,
    chains: result.chains.map((chain) =>
      evidenceOf(chain, result.columns, { isGenerated, hasHmc }),
    ),
  });
  const labelled = rows.map((row) => {
    const label = labelOf(row.variable, labels);
    return label === undefined ? row : { ...row, label };
  });
  return { rows: labelled, verdict: withLabels(verdict, labels) };
}

/** For each chain with columns, the chain whose warmup it started from; undefined if every chain warmed up. */
function superchainsOf({ chains }: RunResult): number[] | undefined {
  const isShared = chains.some(({ warmedBy }) => warmedBy !== undefined);
  if (!isShared) return undefined;
  return chains.flatMap(({ chain, warmedBy, sampling }) =>
    sampling.length === 0 ? [] : [warmedBy ?? chain],
  );
}

function evidenceOf(
  { chain, sampling, progress }: ChainRun,
  columns: readonly string[],
  { isGenerated, hasHmc }: { readonly isGenerated: boolean; readonly hasHmc: boolean },
): ChainEvidence {
  const column = (name: string) => sampling[columns.indexOf(name)];
  const count = (name: string, least: number) =>
    column(name)?.reduce((sum, value) => sum + (value >= least ? 1 : 0), 0) ?? null;
  const energy = column('energy__');
  return {
    name: `chain#${chain}`,
    numDraws: sampling[0]?.length ?? 0,
    divergences: isGenerated ? count('divergent__', 1) : (progress?.divergences ?? 0),
    treedepthHits: isGenerated
      ? count('treedepth__', verdictLimits.usualTreedepth)
      : (progress?.treeDepthHits ?? 0),
    ebfmi: energy === undefined || !hasHmc ? Number.NaN : ebfmi(energy),
    region: regionOf(`chain#${chain}`, hasHmc ? column('lp__') : undefined, progress?.stepSize),
  };
}

/** Chains with different posteriors have no table. */
function reportCalibration(result: RunResult, labels: DimensionLabels): RunReport {
  const simulations = result.chains
    .filter(({ outcome }) => outcome.status === 'complete')
    .map(({ chain, sampling }) =>
      rankSimulation(
        `chain#${chain}`,
        new Map(sampling.map((values, c) => [result.columns[c], values])),
      ),
    );
  const calibration = calibrate(simulations);
  const named = (chains: readonly ChainRun[]) => chains.map(({ chain }) => `chain#${chain}`);
  const done = result.chains.filter(({ outcome }) => outcome.status === 'complete');
  const verdict = judgeCalibration({
    calibration,
    counts: {
      asked: result.chains.length,
      failed: named(result.chains.filter(({ outcome }) => outcome.status === 'failed')),
      divergent: named(done.filter(({ progress }) => (progress?.divergences ?? 0) > 0)),
      slow: simulations
        .filter(({ ess }) => ess < verdictLimits.leastRankEss)
        .map(({ chain }) => chain),
    },
  });
  return { rows: [], verdict: withLabels(verdict, labels), calibration };
}

/** The calibration result of each quantity, worst first, as aligned text. */
export function calibrationTable({ quantities }: Calibration): string {
  const number = (value: number) => (Number.isFinite(value) ? value.toFixed(2) : '-');
  const rows = quantities
    .toSorted((a, b) => b.distance - a.distance)
    .map((quantity) => [
      quantity.variable,
      quantity.state === 'passed' ? 'uniform' : shapeName(quantity),
      number(quantity.distance),
      number(quantity.contraction),
      number(quantity.z_mean),
      number(quantity.z_sd),
    ]);
  const head = ['quantity', 'posterior', 'distance', 'contraction', 'mean_z', 'sd_z'];
  return alignedText([head, ...rows]);
}

function fitsOf({ chains, columns }: RunResult, method: FitMethod) {
  return new Map(
    chains.map(({ chain, sampling }) => {
      const draws = new Map(sampling.map((values, c) => [columns[c], values]));
      return [`chain#${chain}`, fitEvidence(method, draws)];
    }),
  );
}

function drawsOf(result: RunResult, column: number): Float64Array[] {
  return result.chains.flatMap((chain) => chain.sampling.slice(column, column + 1));
}

/** The content of summary.json; undefined numbers become null. */
export function summaryJson(result: RunResult, report: RunReport, model: string): object {
  return {
    model,
    seed: result.seed,
    variables: Object.fromEntries(
      report.rows.map((row) => [
        row.variable,
        {
          label: row.label,
          mean: row.mean,
          mcse_mean: row.mcse_mean,
          sd: row.sd,
          q5: row.q5,
          q50: row.median,
          q95: row.q95,
          rhat: row.rhat,
          ess_bulk: row.ess_bulk,
          ess_tail: row.ess_tail,
        },
      ]),
    ),
    chains: result.chains.map(({ chain, outcome, progress, adaptation, sampling }) => ({
      chain,
      draws: sampling[0]?.length ?? 0,
      outcome: outcome.status,
      error: outcome.status === 'failed' ? outcome.failure.message : undefined,
      divergences: progress?.divergences ?? null,
      treedepth_hits: progress?.treeDepthHits ?? null,
      warmup_seconds: progress?.warmupSeconds ?? null,
      sampling_seconds: progress?.samplingSeconds ?? null,
      warmup_leapfrogs: progress?.warmupLeapfrogs ?? null,
      leapfrogs: progress?.leapfrogs ?? null,
      step_size: adaptation?.stepSize ?? null,
      ...(progress?.profiles === undefined
        ? {}
        : { profiles: progress.profiles.map(profileFigures) }),
    })),
    ...(report.calibration === undefined
      ? {}
      : {
          calibration: {
            probability: report.calibration.probability,
            quantities: report.calibration.quantities.map((quantity) => ({
              ...quantity,
              ranks: undefined,
            })),
          },
        }),
    verdict: report.verdict,
  };
}

/** The verdict as in the dashboard, then failed checks and missing evidence, one per line. */
export function verdictLines(verdict: Verdict, seed: number): string[] {
  const isFailed = verdict.state === 'warn' || verdict.state === 'bad';
  const headline = isFailed ? ` ${verdict.headline}.` : '';
  const failed = failedChecks(verdict.checks).flatMap(({ message }) => message ?? []);
  const remarks = remarksOf(verdict).map((remark) => remark.slice(0, -1));
  return [
    `${sentenceOf(verdict)}${headline} Seed ${seed}.`,
    ...[...failed, ...remarks].map((line) => `- ${line}`),
  ];
}

const tableHead = [
  'variable',
  'mean',
  'mcse',
  'sd',
  '5%',
  '50%',
  '95%',
  'rhat',
  'ess_bulk',
  'ess_tail',
];

/** The summary as aligned text, one line per variable. */
export function summaryTable(rows: readonly LabelledRow[]): string {
  const cells = rows.map((row) => {
    const decimals = decimalsForMcse(row.mcse_mean, row.mean);
    const values = [row.mean, row.mcse_mean, row.sd, row.q5, row.median, row.q95];
    const shown = values.map((value) => plainNumber(value, decimals) || '-');
    const whole = (value: number) => plainNumber(value, 0) || '-';
    return [
      shownName(row),
      ...shown,
      Number.isFinite(row.rhat) ? rhatFigure(row.rhat) : '-',
      whole(row.ess_bulk),
      whole(row.ess_tail),
    ];
  });
  return alignedText([tableHead, ...cells]);
}

/** Time in each of the program's profiles over all chains, longest first; null if it has none. */
export function profileTable({ chains }: RunResult): string | null {
  const all = chains.reduce<ProfileTimes[]>(
    (sum, { progress }) => combineProfiles(sum, progress?.profiles ?? []),
    [],
  );
  if (all.length === 0) return null;
  const rows = all
    .map(profileFigures)
    .toSorted((a, b) => b.total_time - a.total_time)
    .map((figures) => [
      figures.name,
      ...[figures.total_time, figures.forward_time, figures.reverse_time].map((x) => x.toFixed(3)),
      String(figures.autodiff_calls),
      String(figures.no_autodiff_calls),
    ]);
  const head = ['profile', 'seconds', 'forward', 'reverse', 'gradients', 'values'];
  return alignedText([head, ...rows]);
}

/** `profile.csv`, one line per profile and chain; null if the program has no profiles. */
export function profileCsv({ chains }: RunResult): string | null {
  const rows = chains.flatMap(({ chain, progress }) =>
    (progress?.profiles ?? []).map((times) => ({ chain, ...profileFigures(times) })),
  );
  if (rows.length === 0) return null;
  const { name: _, chain: __, ...figures } = rows[0];
  const columns = Object.keys(figures) as (keyof typeof figures)[];
  const lines = rows.map((row) =>
    [`"${row.name.replaceAll('"', '""')}"`, row.chain, ...columns.map((key) => row[key])].join(),
  );
  return `${['name,chain', ...columns].join()}\n${lines.join('\n')}\n`;
}
