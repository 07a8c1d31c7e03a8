/** A file of draws as the page needs it: columns and their summary. Runs in a worker; independent of any page. */

import type { Summary } from '../../../contract/draws.ts';
import type { DrawsTable } from '../../../formats/draws-table.ts';
import { createDrawsCsvReader } from '../../../formats/long-csv.ts';
import { isSamplerColumn } from '../../../posterior/draws.ts';
import { ebfmi } from '../../../posterior/ebfmi.ts';
import { regionOf } from '../../../posterior/lost-chains.ts';
import { type SummaryRow, summarise } from '../../../posterior/summary.ts';
import { inKindOrder } from '../../../posterior/variable-kinds.ts';
import { judge, type Verdict, type VerdictInput } from '../../../posterior/verdict.ts';
import { verdictLimits } from '../../../posterior/verdict-limits.ts';
import { itemAt } from '../../../shared/items.ts';

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
  /** The maximum tree depth; null: not known, so Stan's default is assumed. */
  readonly maxTreedepth: number | null;
}

/** Fetches and reads the file in pieces as they arrive. Throws when it is unavailable or not a table of draws. */
export async function readSampleFile(request: SampleFileRequest): Promise<SampleFile> {
  const response = await fetch(request.url, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  });
  if (!response.ok) throw new Error(`the file's address returned status ${response.status}`);
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
    chains.map((values, index) => ({ variable, chain: itemAt(table.chains, index), values })),
  );
  return {
    columns: columns.filter((column) => column.values.length > 0),
    summary: summaryOf(table, maxTreedepth),
  };
}

function summaryOf(table: DrawsTable, maxTreedepth: number | null): Summary {
  const judged = table.variables.filter(({ variable }) => !isSamplerColumn(variable));
  const rows = summarise(judged);
  const evidence = evidenceOf(table, maxTreedepth);
  const verdict = judge({ rows, ...evidence });
  return {
    revision: `file of ${verdict.draws}`,
    n_chains: verdict.chains.length,
    n_samples: verdict.draws,
    variables: inKindOrder(rows.map(toWireRow)),
    verdict: toWireVerdict(verdict),
    chains: table.chains.map((name, index) => {
      const { numDraws, divergences, treedepthHits, ebfmi } = itemAt(evidence.chains, index);
      return {
        name,
        n_samples: numDraws,
        divergences: divergences ?? 0,
        treedepth_hits: treedepthHits ?? 0,
        ebfmi: orNull(ebfmi ?? Number.NaN),
        step_size: orNull(columnOf(table, 'stepsize__')?.[index]?.at(-1) ?? Number.NaN),
        warmup_seconds: null,
        sampling_seconds: null,
      };
    }),
  };
}

const noDraws = new Float64Array(0);
const hasDraws = (chain: Float64Array) => chain.length > 0;

function columnOf({ variables }: DrawsTable, name: string): readonly Float64Array[] | undefined {
  return variables.find(({ variable }) => variable === name)?.chains;
}

/** What the sampler's own columns say about each chain; null for each that the file lacks. */
function evidenceOf(
  table: DrawsTable,
  maxTreedepth: number | null,
): Required<Omit<VerdictInput, 'rows' | 'leftOut' | 'isGenerated'>> {
  const [divergent, depths, energies, stepSizes] = [
    'divergent__',
    'treedepth__',
    'energy__',
    'stepsize__',
  ].map((name) => columnOf(table, name));
  const densities = columnOf(table, 'lp__');
  const limit = maxTreedepth ?? verdictLimits.usualTreedepth;
  const judged = table.variables.filter(({ variable }) => !isSamplerColumn(variable));
  const count = (values: Float64Array | undefined, isCounted: (value: number) => boolean) =>
    (values ?? noDraws).reduce((so, value) => so + (isCounted(value) ? 1 : 0), 0);
  return {
    // If the step size is always 0, the draws are not from a Hamiltonian sampler.
    isHamiltonian:
      stepSizes?.some(hasDraws) !== true ||
      stepSizes.some((chain) => chain.some((size) => size !== 0)),
    isTreedepthAssumed: maxTreedepth === null,
    chains: table.chains.map((name, index) => ({
      name,
      numDraws: Math.min(...lengthsOf(judged, index)),
      divergences: divergent === undefined ? null : count(divergent[index], (value) => value !== 0),
      treedepthHits: depths === undefined ? null : count(depths[index], (value) => value >= limit),
      ebfmi: energies === undefined ? null : ebfmi(energies[index] ?? noDraws),
      region: regionOf(name, densities?.[index], stepSizes?.[index]?.at(-1)),
    })),
  };
}

/** Number of draws of a chain by variable, for variables with draws in it; 0 if none has any. */
function lengthsOf(variables: DrawsTable['variables'], chain: number): number[] {
  const lengths = variables.map(({ chains }) => chains[chain]?.length ?? 0).filter((n) => n > 0);
  return lengths.length === 0 ? [0] : lengths;
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
  return {
    ...verdict,
    checks: [...verdict.checks],
    chains: [...verdict.chains],
    chains_left_out: [...verdict.chains_left_out],
  };
}
