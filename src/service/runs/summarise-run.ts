/** Statistics of every variable of a run and the verdict on it, read from the stored draws a few columns at a time. */
import type { Summary } from '../../contract/draws.ts';
import { isSamplerColumn } from '../../posterior/draws.ts';
import { ebfmi } from '../../posterior/ebfmi.ts';
import type { SummaryRow } from '../../posterior/summary.ts';
import { judge, type SamplerEvidence } from '../../posterior/verdict.ts';
import type { ChainRow } from '../repositories/chains.ts';
import type { Executor } from '../repositories/database.ts';
import { type DrawSegment, listBounds, listColumns, readDraws } from '../repositories/draws.ts';
import { isRunnerInternal } from '../runners/variable-names.ts';
import { openSummaryDesk } from './summary-threads.ts';

export interface RunStatistics {
  readonly summary: Summary;
  /** Scalar variables without the sampler's columns. */
  readonly numVariables: number;
  /** Saved iterations a chain: the smallest over chains that have any. */
  readonly numSamples: number;
  readonly numChains: number;
}

/** Values read at once, at most: about 8 MB. */
const VALUES_AT_ONCE = 2 ** 20;
/** Groups in memory: one is read while others are summed up. */
const GROUPS_AT_ONCE = 3;

export interface SummariseRequest {
  readonly experimentId: number;
  readonly revision: string;
  readonly chains: readonly ChainRow[];
  /** Last iteration of each chain that counts, by name; absent: all. */
  readonly bounds?: ReadonlyMap<string, number>;
}

export async function summariseRun(
  db: Executor,
  request: SummariseRequest,
): Promise<RunStatistics> {
  const { experimentId, chains } = request;
  const lengths = await chainLengths(db, request);
  const columns = await listColumns(db, experimentId);
  const judged = columns
    .map((column) => column.name)
    .filter((name) => !isSamplerColumn(name) && !isRunnerInternal(name));
  const total = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  const rows = await summariseVariables(db, request, judged, total);
  const sampler = await readSamplerEvidence(
    db,
    request,
    columns.map((column) => column.name),
  );
  const numSamples = lengths.size === 0 ? 0 : Math.min(...lengths.values());
  const verdict = judge({
    rows,
    numChains: lengths.size,
    numDraws: numSamples,
    sampler: sampler.evidence,
  });
  const summary: Summary = {
    revision: request.revision,
    n_chains: lengths.size,
    n_samples: numSamples,
    variables: rows.map(toWireRow),
    verdict: wireVerdict(verdict),
    chains: chains.map((chain) => ({
      name: chain.name,
      divergences: sampler.divergences.get(chain.name) ?? chain.divergences,
      treedepth_hits: chain.treedepth_hits,
      ebfmi: orNull(sampler.ebfmi.get(chain.name)),
      step_size: chain.step_size,
      warmup_seconds: chain.warmup_seconds,
      sampling_seconds: chain.sampling_seconds,
    })),
  };
  const numVariables = judged.filter((name) => name !== 'lp__').length;
  return { summary, numVariables, numSamples, numChains: lengths.size };
}

/** `draws`: of a variable, all chains together. */
async function summariseVariables(
  db: Executor,
  request: SummariseRequest,
  variables: readonly string[],
  draws: number,
): Promise<SummaryRow[]> {
  const desk = openSummaryDesk(draws);
  const groups: Promise<SummaryRow[]>[] = [];
  try {
    const size = Math.max(1, Math.floor(VALUES_AT_ONCE / Math.max(1, draws)));
    for (const group of groupsOf(variables, size)) {
      await groups.at(-GROUPS_AT_ONCE);
      const read = await readChains(db, request, group);
      const rows = desk.summarise(
        group.map((variable) => ({ variable, chains: read.get(variable) ?? [] })),
      );
      // Whoever awaits it is told; until then it is not unhandled.
      rows.catch(() => undefined);
      groups.push(rows);
    }
    return (await Promise.all(groups)).flat();
  } finally {
    await desk.end();
  }
}

/** Draws of each chain that has any. */
async function chainLengths(
  db: Executor,
  { experimentId, bounds, chains }: SummariseRequest,
): Promise<Map<string, number>> {
  const lengths = new Map<string, number>();
  // An outside runner may leave out iterations: the last is not how many there are.
  const saved = new Map(
    chains.flatMap((chain) =>
      chain.state === 'outside' && chain.saved_samples > 0
        ? [[chain.name, chain.saved_samples]]
        : [],
    ),
  );
  for (const { name, sampling } of await listBounds(db, experimentId)) {
    const stored = Math.min(sampling, saved.get(name) ?? sampling);
    const length = Math.min(stored, bounds?.get(name) ?? (bounds === undefined ? stored : 0));
    if (length > 0) lengths.set(name, length);
  }
  return lengths;
}

/** By variable: an array a chain. */
async function readChains(
  db: Executor,
  { experimentId, bounds }: SummariseRequest,
  variables: readonly string[],
): Promise<Map<string, Float64Array[]>> {
  const segments = await readDraws(db, { experimentId, variables });
  const byVariable = new Map<string, Map<string, DrawSegment[]>>();
  for (const segment of segments) {
    const chains = byVariable.get(segment.variable) ?? new Map<string, DrawSegment[]>();
    byVariable.set(segment.variable, chains);
    chains.set(segment.name, [...(chains.get(segment.name) ?? []), segment]);
  }
  return new Map(
    [...byVariable].map(([variable, chains]) => [
      variable,
      [...chains].map(([name, parts]) =>
        cut(joinSegments(parts), bounds === undefined ? undefined : (bounds.get(name) ?? 0)),
      ),
    ]),
  );
}

function cut(values: Float64Array, length: number | undefined): Float64Array {
  return length === undefined ? values : values.subarray(0, length);
}

function joinSegments(parts: readonly DrawSegment[]): Float64Array {
  if (parts.length === 1) return parts[0].values;
  const values = new Float64Array(parts.reduce((sum, part) => sum + part.values.length, 0));
  let at = 0;
  for (const part of parts) {
    values.set(part.values, at);
    at += part.values.length;
  }
  return values;
}

interface SamplerFindings {
  readonly evidence: SamplerEvidence | 'not-applicable';
  readonly divergences: ReadonlyMap<string, number>;
  readonly ebfmi: ReadonlyMap<string, number>;
}

async function readSamplerEvidence(
  db: Executor,
  request: SummariseRequest,
  columns: readonly string[],
): Promise<SamplerFindings> {
  const has = (name: string) => columns.includes(name);
  const wanted = ['divergent__', 'energy__', 'stepsize__'].filter(has);
  const divergences = new Map<string, number>();
  const energies = new Map<string, number>();
  let isHamiltonian = false;
  const segments = await readDraws(db, { experimentId: request.experimentId, variables: wanted });
  for (const { name, variable, values } of segments) {
    const used = cut(
      values,
      request.bounds === undefined ? undefined : (request.bounds.get(name) ?? 0),
    );
    if (variable === 'divergent__') {
      divergences.set(
        name,
        (divergences.get(name) ?? 0) + used.reduce((sum, value) => sum + value, 0),
      );
    }
    if (variable === 'energy__') energies.set(name, ebfmi(used));
    if (variable === 'stepsize__' && used.some((value) => value !== 0)) isHamiltonian = true;
  }
  if (has('stepsize__') && segments.length > 0 && !isHamiltonian) {
    return { evidence: 'not-applicable', divergences, ebfmi: new Map() };
  }
  const ours = request.chains.some((chain) => chain.state !== 'outside');
  return {
    evidence: {
      divergences: has('divergent__')
        ? [...divergences.values()].reduce((sum, count) => sum + count, 0)
        : null,
      treedepthHits: ours
        ? request.chains.reduce((sum, chain) => sum + chain.treedepth_hits, 0)
        : null,
      ebfmi: has('energy__') ? [...energies.values()] : null,
    },
    divergences,
    ebfmi: energies,
  };
}

function* groupsOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

const orNull = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : value;

function toWireRow(row: SummaryRow): Summary['variables'][number] {
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
  };
}

function wireVerdict(verdict: ReturnType<typeof judge>): Summary['verdict'] {
  return {
    state: verdict.state,
    rhat_max: orNull(verdict.rhat_max ?? undefined),
    ess_bulk_min: orNull(verdict.ess_bulk_min ?? undefined),
    ess_tail_min: orNull(verdict.ess_tail_min ?? undefined),
    divergences: verdict.divergences,
    treedepth_hits: verdict.treedepth_hits,
    ebfmi_min: orNull(verdict.ebfmi_min ?? undefined),
  };
}
