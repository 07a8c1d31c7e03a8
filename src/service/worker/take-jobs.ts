/** The jobs a worker runs in addition to chains: one line each. */
import { analyse, giveUpLostAnalysis } from '../analysis/analyse.handler.ts';
import { registerAnalysis } from '../analysis/register-analysis.ts';
import { type CoreContext, type CoreDeps, createCoreContext } from '../context.ts';
import { createFetcher, type Fetcher } from '../fetching/fetcher.ts';
import { carryOutCall } from '../functions/run-call.ts';
import { giveUpImport, importDraws } from '../imports/import-draws.ts';
import { sweepUploads } from '../imports/take-uploads.ts';
import { giveUpProgram } from '../language-runtimes/program-runner.ts';
import { createReadingThreads } from '../reading/reading-threads.ts';
import { knownExportFiles } from '../repositories/export-files.ts';
import { giveUpCall, listReadyCalls } from '../repositories/function-calls.ts';
import { purgeNotifications } from '../repositories/notifications.ts';
import { purgeRemoved } from '../repositories/objects.ts';
import { ensureServerKey } from '../repositories/settings.ts';
import {
  endLease,
  type Lease,
  listWaitingTasks,
  purgeTasks,
  recoverTasks,
  type TaskKind,
} from '../repositories/tasks.ts';
import { runDataScript } from '../runs/data-script.handler.ts';
import { finaliseRun } from '../runs/finalise.handler.ts';
import { matchMomentsOfRun } from '../runs/match-moments.handler.ts';
import { giveUpMatching } from '../runs/match-moments.ts';

/** A file that no row refers to may still be in use for this long. */
const LEFT_MS = 24 * 3600 * 1000;

/** What a worker provides; the rest of a job's context is derived from it. */
export interface JobDeps extends Omit<CoreDeps, 'serverKey' | 'now' | 'fetcher' | 'reading'> {
  /** Absent: a fetcher that reaches only public addresses. */
  readonly fetcher?: Fetcher;
  /** For the engine's threads; see `ChainRunnerDeps`. */
  readonly workerUrl?: URL;
  readonly heapMiB?: number;
  /** Aborted when the worker stops, for long work that can be returned to the queue. */
  readonly ending?: AbortSignal;
}

/** The same context as in the web service: its key comes from the database. */
export async function createJobContext(deps: JobDeps): Promise<CoreContext> {
  return createCoreContext({
    ...deps,
    reading: createReadingThreads(),
    fetcher: deps.fetcher ?? createFetcher({ allowFetch: [] }),
    serverKey: await ensureServerKey(deps.pool),
    now: () => Date.now(),
  });
}

export async function takeJobs(deps: JobDeps): Promise<void> {
  const { pool, queue, files } = deps;
  await queue.work('finalise', ({ experimentId }) => finaliseRun(pool, experimentId), 2);
  await queue.work('purge', async () => {
    const { experimentIds } = await purgeRemoved(pool);
    await purgeTasks(pool);
    await purgeNotifications(pool);
    for (const id of experimentIds) await files.removeFolder(`exports/${id}`);
    await sweepUploads(pool, files);
    await files.sweep(new Date(Date.now() - LEFT_MS), (names) => knownExportFiles(pool, names));
    return { kind: 'done' };
  });
  await queue.work('import', (job) => importDraws(deps, job, deps.workerId), 1);
  registerAnalysis();
  const context = await createJobContext(deps);
  await queue.work('analyse', ({ analysisId }) => analyse(context, analysisId), 1);
  await queue.work('function_call', ({ callId }) => carryOutCall(context, callId), 4);
  await queue.work('match_moments', (job) => matchMomentsOfRun(deps, job.experimentId), 1);
  await queue.work('data_script', ({ experimentId }) => runDataScript(context, experimentId), 2);
}

/** What happens to a task whose process was lost too often. */
const giveUp: Readonly<
  Record<TaskKind, (deps: Pick<JobDeps, 'pool' | 'queue'>, lease: Lease) => Promise<void>>
> = {
  analysis: ({ pool }, lease) => giveUpLostAnalysis(pool, lease),
  call: ({ pool }, lease) => giveUpCall(pool, lease),
  // the next request for the file makes it
  export: async ({ pool }, lease) => void (await endLease(pool, lease)),
  import: ({ pool }, lease) => giveUpImport(pool, lease),
  moment_match: ({ pool }, lease) => giveUpMatching(pool, lease),
  program: giveUpProgram,
};

/** Tasks whose process was lost wait again or are given up; jobs that may have been lost are sent again. */
export async function recoverLostTasks(deps: Pick<JobDeps, 'pool' | 'queue'>): Promise<void> {
  const { pool, queue } = deps;
  for (const lease of await recoverTasks(pool)) await giveUp[lease.kind](deps, lease);
  for (const callId of await listReadyCalls(pool))
    await queue.send('function_call', { callId }, { key: String(callId) });
  for (const analysisId of await listWaitingTasks(pool, 'analysis'))
    await queue.send('analyse', { analysisId }, { key: String(analysisId) });
  for (const experimentId of await listWaitingTasks(pool, 'moment_match'))
    await queue.send('match_moments', { experimentId }, { key: String(experimentId) });
  for (const experimentId of await listWaitingTasks(pool, 'import'))
    await queue.send('import', { experimentId }, { key: String(experimentId) });
}
