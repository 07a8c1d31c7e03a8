/** A file of draws as the page needs it: columns and their summary. Runs in a worker; knows no page. */
import type { Summary } from '../../../contract/draws.ts';
import type { DrawsTable } from '../../../formats/draws-table.ts';
import { createDrawsCsvReader } from '../../../formats/long-csv.ts';
import { isSamplerColumn } from '../../../posterior/draws.ts';
import { ebfmi } from '../../../posterior/ebfmi.ts';
import { type SummaryRow, summarise } from '../../../posterior/summary.ts';
import { judge, type SamplerEvidence, type Verdict } from '../../../posterior/verdict.ts';

export interface SampleColumn {
  readonly variable: string;
  readonly chain: string;
  readonly values: Float64Array;
}

export interface SampleFile {
  readonly columns: readonly SampleColumn[];
  readonly summary: Summary;
}

export interface SampleFileRequest {
  readonly url: string;
  /** Tree depth that counts as the largest; null: not known, so hits are not counted. */
  readonly maxTreedepth: number | null;
}

/** Fetches and reads the file in pieces as they arrive. Throws when it cannot be had or is no table of draws. */
export async function readSampleFile(request: SampleFileRequest): Promise<SampleFile> {
  const response = await fetch(request.url, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  });
  if (!response.ok) throw new Error(`the file's address answered with status ${response.status}`);
  const reader = createDrawsCsvReader();
  const decoder = new TextDecoder();
  const pieces = response.body?.getReader();
  for (;;) {
    const piece = await pieces?.read();
    if (piece === undefined || piece.done) break;
    reader.push(decoder.decode(piece.value, { stream: true }));
  }
  reader.push(decoder.decode());
  return sampleFileOf(reader.end(), request.maxTreedepth);
}

export function sampleFileOf(table: DrawsTable, maxTreedepth: number | null): SampleFile {
  const columns = table.variables.flatMap(({ variable, chains }) =>
    chains.map((values, index) => ({ variable, chain: table.chains[index], values })),
  );
  return {
    columns: columns.filter((column) => column.values.length > 0),
    summary: summaryOf(table, maxTreedepth),
  };
}

function summaryOf(table: DrawsTable, maxTreedepth: number | null): Summary {
  const judged = table.variables.filter(({ variable }) => !isSamplerColumn(variable));
  const rows = summarise(judged);
  const lengths = judged.flatMap(({ chains }) => chains.map((chain) => chain.length));
  const used = lengths.filter((length) => length > 0);
  const numDraws = used.length === 0 ? 0 : Math.min(...used);
  const numChains = Math.max(0, ...judged.map(({ chains }) => chains.filter(hasDraws).length));
  const sampler = evidenceOf(table, maxTreedepth);
  const verdict = judge({ rows, numChains, numDraws, sampler });
  return {
    revision: `file of ${numDraws}`,
    n_chains: numChains,
    n_samples: numDraws,
    variables: rows.map(toWireRow),
    verdict: toWireVerdict(verdict),
    chains: table.chains.map((name, index) => ({
      name,
      divergences: sum(columnOf(table, 'divergent__')?.[index] ?? noDraws),
      treedepth_hits: hits(columnOf(table, 'treedepth__')?.[index] ?? noDraws, maxTreedepth),
      ebfmi: orNull(ebfmi(columnOf(table, 'energy__')?.[index] ?? noDraws)),
      step_size: orNull(columnOf(table, 'stepsize__')?.[index]?.at(-1) ?? Number.NaN),
      warmup_seconds: null,
      sampling_seconds: null,
    })),
  };
}

const noDraws = new Float64Array(0);
const hasDraws = (chain: Float64Array) => chain.length > 0;

function columnOf({ variables }: DrawsTable, name: string): readonly Float64Array[] | undefined {
  return variables.find(({ variable }) => variable === name)?.chains;
}

/** What the sampler's own columns say; null for each that the file lacks. */
function evidenceOf(
  table: DrawsTable,
  maxTreedepth: number | null,
): SamplerEvidence | 'not-applicable' {
  const divergent = columnOf(table, 'divergent__');
  const depths = columnOf(table, 'treedepth__');
  const energies = columnOf(table, 'energy__');
  const stepSizes = columnOf(table, 'stepsize__');
  // A step size of 0 throughout: draws that no Hamiltonian sampler made.
  if (stepSizes?.some(hasDraws) && stepSizes.every((chain) => chain.every((size) => size === 0)))
    return 'not-applicable';
  const total = (chains: readonly Float64Array[], count: (chain: Float64Array) => number) =>
    chains.reduce((so, chain) => so + count(chain), 0);
  return {
    divergences: divergent === undefined ? null : total(divergent, sum),
    treedepthHits:
      depths === undefined || maxTreedepth === null
        ? null
        : total(depths, (chain) => hits(chain, maxTreedepth)),
    ebfmi: energies === undefined ? null : energies.filter(hasDraws).map(ebfmi),
  };
}

function sum(values: Float64Array): number {
  return values.reduce((so, value) => so + value, 0);
}

function hits(depths: Float64Array, maxTreedepth: number | null): number {
  if (maxTreedepth === null) return 0;
  return depths.reduce((count, depth) => count + (depth >= maxTreedepth ? 1 : 0), 0);
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function toWireRow(row: SummaryRow): Summary['variables'][number] {
  const { variable, non_finite, constant, ...statistics } = row;
  const defined = Object.entries(statistics).map(([name, value]) => [name, orNull(value)]);
  return {
    ...(Object.fromEntries(defined) as Record<keyof typeof statistics, number | null>),
    variable,
    non_finite,
    constant,
  };
}

function toWireVerdict(verdict: Verdict): Summary['verdict'] {
  const { state, rhat_max, ess_bulk_min, ess_tail_min } = verdict;
  const { divergences, treedepth_hits, ebfmi_min } = verdict;
  return { state, rhat_max, ess_bulk_min, ess_tail_min, divergences, treedepth_hits, ebfmi_min };
}
