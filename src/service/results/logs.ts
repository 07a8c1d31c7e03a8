/** Logs of runs: the documented views, and byte ranges with search. */
import type * as z from 'zod/mini';
import type { LogRange, logQuerySchema } from '../../contract/draws.ts';
import type { RunStats } from '../../contract/experiment.ts';
import type { View } from '../../contract/objects.ts';
import type { CoreContext } from '../context.ts';
import { notFound } from '../http/service-error.ts';
import { findExperiment } from '../repositories/experiments.ts';
import { findLogSize, listLogLines, readLog, searchLog } from '../repositories/logs.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import { countRunnerRuns, findRunnerRun, type RunnerRun } from '../repositories/runner-runs.ts';
import { statusToWire } from './experiment-view.ts';

/** Which of an outside runner's runs; empty: all. */
export interface RunBatch {
  readonly batchId: string;
  readonly runId: string;
}

/** Lines in the documented view at most; a range returns all of them. */
const maxLines = 10_000;
/** Bytes in a range at most. */
const maxRangeBytes = 4 * 2 ** 20;
const maxMatches = 10_000;
/** Characters of a search text. */
const maxSearch = 1000;

export async function viewStdlog(
  { pool }: CoreContext,
  object: ObjectRow,
  batch: RunBatch,
): Promise<View> {
  const chunks = await listLogLines(pool, { experimentId: object.id, stream: 'stdlog', ...batch });
  return { object_type: 'experiment.stdlog', logs: chunks.map((chunk) => chunk.content).join('') };
}

/** The service's own messages about the run, under the name that clients know. */
export async function viewPlatformLog(
  { pool }: CoreContext,
  object: ObjectRow,
  batch: RunBatch,
): Promise<View> {
  const chunks = await listLogLines(pool, {
    experimentId: object.id,
    stream: 'platform',
    ...batch,
  });
  const lines = chunks.flatMap(({ created_at, content }) =>
    content
      .replace(/\n$/, '')
      .split('\n')
      .map((line): [number, string] => [Date.parse(created_at), line]),
  );
  return { object_type: 'experiment.cloudwatch_log', logs: lines.slice(-maxLines) };
}

/** The last error that an outside runner's run reported; for a run of this service, the experiment's. */
export async function viewRunInfo(
  { pool }: CoreContext,
  object: ObjectRow,
  batch: RunBatch,
): Promise<View> {
  const run = await findRunnerRun(pool, object.id, batch);
  if (run !== null) return runInfoToWire(run, object.status);
  if ((await countRunnerRuns(pool, object.id)) > 0) throw notFound('There is no such run.');
  const row = await findExperiment(pool, object.short_id);
  const info = row?.meta.run_info as { status?: unknown } | undefined;
  const status = typeof info?.status === 'string' ? info.status : statusToWire(object.status);
  return { object_type: 'experiment.run_info', status };
}

/** A run is FIN once its experiment's files are made; one that its owner stopped counts as ended, too. */
function runInfoToWire(run: RunnerRun, experimentStatus: string | null): View {
  const isDone = run.status === 'SAMPLE_FIN' || run.status === 'STOPPED';
  return {
    object_type: 'experiment.run_info',
    status: isDone ? (experimentStatus === 'FIN' ? 'FIN' : 'SAMPLE_FIN') : run.status,
    started_at: run.started_at,
    last_message_at: run.last_message_at,
    error: run.error,
    stats: run.stats as RunStats,
  };
}

/** A negative `from` counts from the end; returns at most 4 MiB, and `to` is where they end. */
export async function viewLogRange(
  { pool }: CoreContext,
  object: ObjectRow,
  query: z.output<typeof logQuerySchema>,
): Promise<LogRange> {
  const { stream, q } = query;
  const which = { experimentId: object.id, stream };
  const { bytes: size, lines } = await findLogSize(pool, object.id, stream);
  const from = Math.min(size, query.from < 0 ? Math.max(0, size + query.from) : query.from);
  const end = query.to === 0 ? size : Math.min(size, query.to);
  const to = Math.max(from, Math.min(end, from + maxRangeBytes));
  const range =
    to > from ? await readLog(pool, { ...which, from, to }) : { from, to: from, text: '' };
  if (q === '') return { ...range, size, lines };
  const matches = await searchLog(pool, {
    ...which,
    query: q.slice(0, maxSearch),
    limit: maxMatches,
  });
  return { ...range, size, lines, matches };
}
