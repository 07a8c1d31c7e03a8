/** Statistics of every variable of a run and the verdict on it, computed from stored draws a few columns at a time. */
import type { Summary } from '../../contract/draws.ts';
import { profileFigures } from '../../engine/profiler.ts';
import { jagsSampler } from '../../formats/jags-settings.ts';
import { isSamplerColumn } from '../../posterior/draws.ts';
import { ebfmi } from '../../posterior/ebfmi.ts';
import { judgeRun } from '../../posterior/judge-run.ts';
import { type ChainRegion, lostChains, regionOf } from '../../posterior/lost-chains.ts';
import {
  evidenceColumns,
  type FitEvidence,
  type FitMethod,
  fitEvidence,
  methodOf,
  withoutChainStatistics,
} from '../../posterior/run-method.ts';
import { chainsApart } from '../../posterior/stray-chain.ts';
import type { SummaryRow } from '../../posterior/summary.ts';
import { inKindOrder } from '../../posterior/variable-kinds.ts';
import type { ChainEvidence, Verdict } from '../../posterior/verdict.ts';
import { verdictLimits } from '../../posterior/verdict-limits.ts';
import { releaseMemorySoon } from '../release-memory.ts';
import { type ChainRow, listProfiles } from '../repositories/chains.ts';
import { countIterations } from '../repositories/count-draws.ts';
import type { Executor } from '../repositories/database.ts';
import { type DrawColumn, listColumns } from '../repositories/draws.ts';
import { type ReadChain, readChain } from './read-chains.ts';
import { calibrationToWire, readCalibration } from './summarise-calibration.ts';
import { MANY_VALUES, summariseVariables } from './summarise-variables.ts';
import { superchainsOf } from './superchains.ts';
import { isRunnerInternal } from './variable-names.ts';

export interface RunStatistics {
  readonly summary: Summary;
  /** Scalar variables, not counting the sampler's columns. */
  readonly numVariables: number;
  /** Saved iterations per chain: the smallest number in any chain with draws, including those that are left out. */
  readonly numSamples: number;
  /** Chains that have draws. */
  readonly numChains: number;
}

export interface SummariseRequest {
  readonly experimentId: number;
  readonly revision: string;
  readonly chains: readonly ChainRow[];
  /** Last iteration to use of each chain, by name; absent: all. */
  readonly bounds?: ReadonlyMap<string, number>;
  /** Names of chains that enter neither table nor verdict. */
  readonly leftOut?: readonly string[];
  /** `meta.settings` of a run that was made elsewhere; its maximum tree depth is used. */
  readonly settings?: Readonly<Record<string, unknown>> | null | undefined;
}

export async function summariseRun(
  db: Executor,
  request: SummariseRequest,
): Promise<RunStatistics> {
  const { experimentId, chains, leftOut = [] } = request;
  const lengths = await countIterations(db, experimentId, request.bounds);
  const readable = [...lengths.keys()].map((name) => ({ name, to: request.bounds?.get(name) }));
  const columns = await listColumns(db, experimentId);
  const judged = columns
    .map((column) => column.name)
    .filter((name) => !isSamplerColumn(name) && !isRunnerInternal(name));
  const total = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  const kept = readable.filter(({ name }) => !leftOut.includes(name));
  const names = columns.map((column) => column.name);
  const method = methodOf(names);
  if (method === 'calibration') return summariseSimulations(db, request, lengths, names);
  const fits = method === 'mcmc' ? noFits : await readFits(db, experimentId, readable, method);
  const superchains = superchainsOf(chains);
  const summarised = await summariseVariables(db, experimentId, {
    readable: kept,
    judged,
    total,
    superchains,
  });
  const rows = method === 'mcmc' ? summarised : summarised.map(withoutChainStatistics);
  const sampler = await readSamplerEvidence(db, request, readable, names);
  if (total * columns.length >= MANY_VALUES) releaseMemorySoon();
  const numSamples = lengths.size === 0 ? 0 : Math.min(...lengths.values());
  const evidence = evidenceOf(request, lengths, sampler);
  const verdict = judgeRun({
    rows,
    leftOut,
    method,
    fits,
    isGenerated: isGenerated(request.settings),
    ...evidence,
  });
  const apart = await findApart(db, experimentId, { kept, rows, verdict });
  for (const { name } of lostChains(judgedRegions(evidence.chains, leftOut))) apart.add(name);
  const declared = new Map(columns.map((column) => [column.name, column]));
  const toWire = await chainToWire(db, experimentId, lengths);
  const summary: Summary = {
    revision: request.revision,
    n_chains: verdict.chains.length,
    ...(superchains === null
      ? {}
      : { n_superchains: new Set(verdict.chains.map((name) => superchains.get(name))).size }),
    n_samples: verdict.draws,
    variables: inKindOrder(rows.map((row) => toWireRow(row, declared.get(row.variable)))),
    verdict: verdictToWire(verdict),
    chains: chains.map((chain) => toWire(chain, sampler, apart)),
  };
  const numVariables = judged.filter((name) => name !== 'lp__').length;
  return { summary, numVariables, numSamples, numChains: lengths.size };
}

/** The row of a chain in the summary; what the sampler's own columns say precedes what the chain recorded. */
async function chainToWire(
  db: Executor,
  experimentId: number,
  lengths: ReadonlyMap<string, number>,
) {
  const profiles = await listProfiles(db, experimentId);
  return (chain: ChainRow, found?: SamplerFindings, apart?: ReadonlySet<string>) => {
    const { name } = chain;
    const times = profiles.get(name);
    return {
      name,
      n_samples: lengths.get(name) ?? 0,
      ...(apart?.has(name) ? { is_apart: true } : {}),
      divergences: found?.divergences.get(name) ?? chain.divergences,
      treedepth_hits: found?.treedepthHits.get(name) ?? chain.treedepth_hits,
      ebfmi: orNull(found?.ebfmi.get(name)),
      step_size: chain.step_size,
      warmup_seconds: chain.warmup_seconds,
      sampling_seconds: chain.sampling_seconds,
      ...(times === undefined ? {} : { profiles: times.map(profileFigures) }),
    };
  };
}

const judgedRegions = (chains: readonly ChainEvidence[], leftOut: readonly string[]) =>
  chains.flatMap(({ name, region }) =>
    region === undefined || leftOut.includes(name) ? [] : [region],
  );

/** Number of variables, the worst, that are read again to find the chain that disagrees. */
const mostLooked = 20;

/** Names of chains without which the others agree, for a run that R-hat rejects. */
async function findApart(
  db: Executor,
  experimentId: number,
  found: {
    readonly kept: readonly ReadChain[];
    readonly rows: readonly SummaryRow[];
    readonly verdict: Verdict;
  },
): Promise<Set<string>> {
  const { kept, rows, verdict } = found;
  const isBad = verdict.checks.some(({ name, tone }) => name === 'rhat' && tone === 'bad');
  if (!isBad || kept.length < 3) return new Set();
  const worst = rows
    .filter(({ rhat }) => rhat > verdictLimits.rhat.warn)
    .toSorted((a, b) => b.rhat - a.rhat)
    .slice(0, mostLooked);
  let names = kept.map(({ name }) => name);
  // Only one variable is in memory at a time.
  for (const { variable } of worst) {
    if (names.length === 0) break;
    const chains: Float64Array[] = [];
    for (const chain of kept) {
      const draws = (await readChain(db, experimentId, chain, [variable])).get(variable);
      if (draws !== undefined) chains.push(draws);
    }
    if (chains.length < kept.length) continue;
    const isApart = chainsApart([chains], kept.length);
    names = names.filter((name) => isApart[kept.findIndex((chain) => chain.name === name)]);
  }
  return new Set(worst.length === 0 ? [] : names);
}

const noFits: ReadonlyMap<string, FitEvidence> = new Map();

/** What each chain's own columns say. */
async function readFits(
  db: Executor,
  experimentId: number,
  chains: readonly ReadChain[],
  method: FitMethod,
): Promise<ReadonlyMap<string, FitEvidence>> {
  const fits = new Map<string, FitEvidence>();
  for (const chain of chains) {
    const draws = await readChain(db, experimentId, chain, evidenceColumns[method]);
    fits.set(chain.name, fitEvidence(method, draws));
  }
  return fits;
}

/** Chains of a calibration have different posteriors, so no statistic combines them. */
async function summariseSimulations(
  db: Executor,
  { experimentId, revision, chains, bounds, leftOut = [], settings }: SummariseRequest,
  lengths: ReadonlyMap<string, number>,
  columns: readonly string[],
): Promise<RunStatistics> {
  const found = await readCalibration({
    chains,
    lengths,
    columns,
    leftOut,
    settings,
    read: (name, variables) =>
      readChain(db, experimentId, { name, to: bounds?.get(name) }, variables),
  });
  const verdict = judgeRun({
    rows: [],
    chains: [],
    isHamiltonian: true,
    method: 'calibration',
    fits: noFits,
    calibration: found,
  });
  const numDraws = Math.max(0, ...lengths.values());
  const toWire = await chainToWire(db, experimentId, lengths);
  return {
    summary: {
      revision,
      n_chains: found.calibration.chains.length,
      n_samples: numDraws,
      variables: [],
      verdict: verdictToWire(verdict),
      calibration: calibrationToWire(found),
      chains: chains.map((chain) => toWire(chain)),
    },
    numVariables: columns.filter((name) => !isSamplerColumn(name) && name !== 'lp__').length,
    numSamples: numDraws,
    numChains: lengths.size,
  };
}

/** What the sampler's own columns say, by chain. */
interface SamplerFindings {
  readonly isHamiltonian: boolean;
  readonly hasDivergences: boolean;
  readonly hasEnergies: boolean;
  readonly divergences: ReadonlyMap<string, number>;
  readonly ebfmi: ReadonlyMap<string, number>;
  readonly regions: ReadonlyMap<string, ChainRegion>;
  /** Counted here only for chains without recorded counts, at Stan's default limit if the run's is unknown. */
  readonly treedepthHits: ReadonlyMap<string, number>;
  /** No source gives the maximum depth. */
  readonly isTreedepthAssumed: boolean;
}

/** Reads one column of one chain at a time. */
async function readSamplerEvidence(
  db: Executor,
  request: SummariseRequest,
  readChains: readonly ReadChain[],
  columns: readonly string[],
): Promise<SamplerFindings> {
  const has = (name: string) => columns.includes(name);
  const said = request.settings?.max_treedepth;
  const deepest = typeof said === 'number' ? said : verdictLimits.usualTreedepth;
  const outside = sampledElsewhere(request);
  const divergences = new Map<string, number>();
  const energies = new Map<string, number>();
  const treedepthHits = new Map<string, number>();
  const regions = new Map<string, ChainRegion>();
  const stepSizes = new Map(request.chains.map((chain) => [chain.name, chain.step_size]));
  let isHamiltonian = false;
  for (const chain of readChains) {
    const { name } = chain;
    const read = async (column: string): Promise<Float64Array | undefined> =>
      has(column)
        ? (await readChain(db, request.experimentId, chain, [column])).get(column)
        : undefined;
    const divergent = await read('divergent__');
    if (divergent !== undefined)
      divergences.set(
        name,
        countOf(divergent, (value) => value !== 0),
      );
    const energy = await read('energy__');
    if (energy !== undefined) energies.set(name, ebfmi(energy));
    regions.set(name, regionOf(name, await read('lp__'), stepSizes.get(name)));
    const depths = outside.has(name) ? await read('treedepth__') : undefined;
    if (depths !== undefined)
      treedepthHits.set(
        name,
        countOf(depths, (depth) => depth >= deepest),
      );
    if (!isHamiltonian)
      isHamiltonian = (await read('stepsize__'))?.some((value) => value !== 0) ?? false;
  }
  // A step size of 0 throughout: no Hamiltonian sampler made these draws. JAGS is not one, and has no step size.
  const isStill = has('stepsize__') && readChains.length > 0 && !isHamiltonian;
  const isOther = isStill || request.settings?.sampler === jagsSampler;
  return {
    isHamiltonian: !isOther,
    hasDivergences: has('divergent__'),
    hasEnergies: has('energy__'),
    divergences,
    ebfmi: isOther ? new Map() : energies,
    treedepthHits,
    regions,
    isTreedepthAssumed: treedepthHits.size > 0 && typeof said !== 'number',
  };
}

/** Names of chains whose sampler did not report to us: outside chains, and those whose draws are another run's. */
function sampledElsewhere({ chains, settings }: SummariseRequest): ReadonlySet<string> {
  const isElsewhere = ({ state }: ChainRow) => state === 'outside' || isGenerated(settings);
  return new Set(chains.filter(isElsewhere).map(({ name }) => name));
}

const isGenerated = (settings: SummariseRequest['settings']): boolean =>
  settings?.algorithm === 'generate_quantities';

function countOf(values: Float64Array, isCounted: (value: number) => boolean): number {
  return values.reduce((count, value) => count + (isCounted(value) ? 1 : 0), 0);
}

/** Chains without draws are part of the evidence: nothing is known about them. */
function evidenceOf(
  request: SummariseRequest,
  lengths: ReadonlyMap<string, number>,
  sampler: SamplerFindings,
) {
  const rows = new Map(request.chains.map((chain) => [chain.name, chain]));
  const elsewhere = sampledElsewhere(request);
  const evidence = [...new Set([...rows.keys(), ...lengths.keys()])].map((name): ChainEvidence => {
    const row = rows.get(name);
    const own = row === undefined || elsewhere.has(name) ? null : row.treedepth_hits;
    return {
      name,
      numDraws: lengths.get(name) ?? 0,
      divergences: sampler.hasDivergences ? (sampler.divergences.get(name) ?? 0) : null,
      treedepthHits: sampler.treedepthHits.get(name) ?? own,
      ebfmi: sampler.hasEnergies ? (sampler.ebfmi.get(name) ?? Number.NaN) : null,
      region: sampler.regions.get(name),
    };
  });
  return {
    chains: evidence,
    isHamiltonian: sampler.isHamiltonian,
    isTreedepthAssumed: sampler.isTreedepthAssumed,
  };
}

const orNull = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : value;

function toWireRow(row: SummaryRow, column?: DrawColumn): Summary['variables'][number] {
  return {
    variable: row.variable,
    mean: orNull(row.mean),
    mcse_mean: orNull(row.mcse_mean),
    sd: orNull(row.sd),
    median: orNull(row.median),
    mad: orNull(row.mad),
    q5: orNull(row.q5),
    q25: orNull(row.q25),
    q75: orNull(row.q75),
    q95: orNull(row.q95),
    rhat: orNull(row.rhat),
    ess_bulk: orNull(row.ess_bulk),
    ess_tail: orNull(row.ess_tail),
    non_finite: row.non_finite,
    constant: row.constant,
    ...(column?.lower === undefined ? {} : { lower: column.lower }),
    ...(column?.upper === undefined ? {} : { upper: column.upper }),
    ...(column?.block === undefined ? {} : { block: column.block }),
  };
}

function verdictToWire(verdict: Verdict): Summary['verdict'] {
  return {
    ...verdict,
    checks: [...verdict.checks],
    chains: [...verdict.chains],
    chains_left_out: [...verdict.chains_left_out],
  };
}
