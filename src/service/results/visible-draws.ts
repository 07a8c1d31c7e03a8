/** Draws as columns: selected variables and chains, a range of iterations, thinned to what a plot can show. */
import type * as z from 'zod/mini';
import {
  type drawsQuerySchema,
  type EncodedColumn,
  encodeDraws,
  type Phase,
} from '../../contract/draws.ts';
import { type MatchedByVariable, matchedByVariable } from '../../posterior/matched-observations.ts';
import { thinTrace } from '../../posterior/thin.ts';
import { type DimensionLabels, readLabels } from '../../posterior/variable-labels.ts';
import type { CoreContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { limitExceeded } from '../http/service-error.ts';
import { authorize } from '../policy/authorize.ts';
import {
  boundsOf,
  labelsOf,
  leftOutOf,
  matchedOf,
  revisionOf,
  settingsOf,
} from '../policy/share-snapshot.ts';
import { type DrawSegment, listBounds, listColumns, readDraws } from '../repositories/draws.ts';
import { chainsLeftOut } from '../repositories/experiment-meta.ts';
import { findExperiment } from '../repositories/experiments.ts';
import type { ShareRow } from '../repositories/shares.ts';
import { join } from './read-chains.ts';

export type DrawsQuery = z.output<typeof drawsQuerySchema>;

/** Values read from the database together, and returned in one answer (256 MiB). */
const maxRead = 4 * 2 ** 20;
const maxAnswer = 32 * 2 ** 20;

/** An experiment's draws as one caller may see them. */
export interface VisibleDraws {
  readonly experimentId: number;
  readonly revision: string;
  /** Last visible iteration of the sampling phase by chain; null: all, warmup included. */
  readonly bounds: ReadonlyMap<string, number> | null;
  /** No more draws will arrive. */
  readonly isEnded: boolean;
  /** Names of chains that its owner left out of summary, verdict and plots; their draws are still visible. */
  readonly leftOut: readonly string[];
  /** Names and labels of the dimensions of its variables. */
  readonly labels: DimensionLabels;
  /** The known `meta.settings`. */
  readonly settings: Readonly<Record<string, unknown>> | null;
  /** Results of moment matching for these draws. */
  readonly matched: MatchedByVariable;
}

export async function openDraws(
  context: CoreContext,
  request: {
    objid: string;
    operation: 'draws' | 'summary' | 'sampledata';
    viewer: Viewer;
    shareId: string;
  },
): Promise<VisibleDraws & { share: ShareRow | null }> {
  const access = await authorize(context, request);
  if (access.mode !== 'live') return { ...sharedDraws(access.share), share: access.share };
  const row = await findExperiment(context.pool, access.object.short_id);
  const revision = String(row?.revision ?? 0);
  const isEnded = row?.status === 'FIN' || row?.status === 'ERR';
  return {
    experimentId: access.object.id,
    revision,
    bounds: null,
    isEnded,
    leftOut: chainsLeftOut(row?.meta),
    labels: readLabels(row?.meta.labels),
    settings: row?.meta.settings ?? null,
    matched: matchedByVariable(row?.meta.moment_match),
    share: null,
  };
}

function sharedDraws(share: ShareRow): VisibleDraws {
  const revision = `${share.short_id}.${revisionOf(share)}`;
  return {
    experimentId: share.object_id,
    revision,
    bounds: boundsOf(share),
    isEnded: true,
    leftOut: leftOutOf(share),
    labels: labelsOf(share),
    settings: settingsOf(share),
    matched: matchedOf(share),
  };
}

export async function viewDraws(
  context: CoreContext,
  draws: VisibleDraws,
  query: DrawsQuery,
): Promise<Uint8Array> {
  const columns: EncodedColumn[] = [];
  const parts: Float64Array[] = [];
  let size = 0;
  for await (const { column, values } of columnsOf(context, draws, query)) {
    columns.push({ ...column, offset: size });
    parts.push(values);
    size += values.length;
    if (size > maxAnswer)
      throw limitExceeded(
        `These draws hold more than ${maxAnswer} values; ask for fewer variables or iterations, or set max_points.`,
        { limit: 'draws_values', allowed: maxAnswer },
      );
  }
  return encodeDraws({ columns, revision: draws.revision }, join(parts));
}

interface ColumnPart {
  readonly column: Omit<EncodedColumn, 'offset'>;
  readonly values: Float64Array;
}

async function* columnsOf(
  { pool }: CoreContext,
  draws: VisibleDraws,
  query: DrawsQuery,
): AsyncGenerator<ColumnPart> {
  const phase: Phase = query.phase === 'warmup' ? 'warmup' : 'sampling';
  if (phase === 'warmup' && draws.bounds !== null) return;
  for await (const segments of readVisible(pool, draws, { ...query, phase })) {
    const flags = query.max_points === 0 ? null : await readFlags(pool, draws, phase, segments);
    for (const segment of segments) yield thin(segment, query.max_points, flags);
  }
}

export interface VisibleRange {
  readonly variable?: readonly string[];
  readonly chain?: readonly string[];
  readonly phase: Phase;
  readonly from: number;
  readonly to: number;
}

/** Segments by chain and group of variables, so that at most `maxRead` values are in memory. */
export async function* readVisible(
  pool: CoreContext['pool'],
  { experimentId, bounds }: VisibleDraws,
  { variable, chain, phase, from, to }: VisibleRange,
): AsyncGenerator<DrawSegment[]> {
  const names = variable ?? (await listColumns(pool, experimentId)).map((column) => column.name);
  for (const { name, [phase]: stored } of await listBounds(pool, experimentId)) {
    if (chain !== undefined && !chain.includes(name)) continue;
    const bound = bounds === null ? stored : Math.min(stored, bounds.get(name) ?? 0);
    const last = to === 0 ? bound : Math.min(to, bound);
    if (last < Math.max(1, from)) continue;
    const group = Math.max(1, Math.floor(maxRead / (last - Math.max(1, from) + 1)));
    for (let first = 0; first < names.length; first += group) {
      const variables = names.slice(first, first + group);
      yield await readDraws(pool, {
        experimentId,
        variables,
        chains: [name],
        phase,
        from,
        to: last,
      });
    }
  }
}

/** Marks divergent iterations, for the chain of these segments. */
async function readFlags(
  pool: CoreContext['pool'],
  { experimentId }: VisibleDraws,
  phase: Phase,
  segments: readonly DrawSegment[],
): Promise<DrawSegment[]> {
  const [first] = segments;
  if (first === undefined) return [];
  const chains = [first.name];
  return readDraws(pool, { experimentId, variables: ['divergent__'], chains, phase });
}

function thin(
  segment: DrawSegment,
  maxPoints: number,
  divergences: readonly DrawSegment[] | null,
): ColumnPart {
  const { name: chain, variable, phase, firstIteration, values } = segment;
  const column = { chain, variable, phase, first_iteration: firstIteration };
  if (divergences === null || values.length <= maxPoints)
    return { column: { ...column, step: 1, count: values.length }, values };
  const flags = new Uint8Array(values.length);
  for (const { firstIteration: first, values: marks } of divergences) {
    for (let i = 0; i < marks.length; i++) {
      const at = first + i - firstIteration;
      if (marks[i] !== 0 && at >= 0 && at < flags.length) flags[at] = 1;
    }
  }
  const trace = thinTrace(values, { maxPoints, firstIteration, flags });
  const pairs = new Float64Array(2 * trace.values.length);
  trace.iterations.forEach((iteration, i) => {
    pairs[2 * i] = iteration;
  });
  trace.values.forEach((value, i) => {
    pairs[2 * i + 1] = value;
  });
  return { column: { ...column, step: 0, count: trace.values.length }, values: pairs };
}
