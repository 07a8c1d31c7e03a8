/** The job of an analysis: calls the analyzer with the rights of the workflow's owner and stores the file it gives. */

import type { CoreContext } from '../context.ts';
import { callFunction, type FunctionAnswer } from '../functions/call-function.ts';
import { viewerOfUser } from '../functions/viewer-of-user.ts';
import { ServiceError } from '../http/service-error.ts';
import type { JobOutcome } from '../jobs/job-queue.ts';
import {
  type AnalysisEnd,
  type AnalysisRow,
  claimAnalysis,
  endAnalysis,
  RENEW_MS,
  recoverAnalyses,
  renewAnalysis,
} from '../repositories/analyses.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import { insertNotification } from '../repositories/notifications.ts';
import { findObjectById } from '../repositories/objects.ts';
import { readAnalyzerFile } from './analyzer-file.ts';

/** The documented limit of an analysis. */
const LIMIT_MS = 850_000;

export async function analyse(context: CoreContext, analysisId: number): Promise<JobOutcome> {
  const { pool, logger } = context;
  const analysis = await claimAnalysis(pool, analysisId, context.workerId);
  if (analysis === null) return { kind: 'done' };
  const renewing = setInterval(() => {
    renewAnalysis(pool, analysis).catch((error: unknown) =>
      logger.warn({ err: error }, 'an analysis was not renewed'),
    );
  }, RENEW_MS);
  try {
    const end = await runAnalyzer(context, analysis);
    await inTransaction(pool, async (tx) => {
      const row = await endAnalysis(tx, analysis, end);
      if (row !== null) await tellOwner(tx, row);
    });
  } finally {
    clearInterval(renewing);
  }
  return { kind: 'done' };
}

async function runAnalyzer(context: CoreContext, analysis: AnalysisRow): Promise<AnalysisEnd> {
  const { experiment_id, workflow_id, analyzer_id, user_id } = analysis;
  const failed = (errlines: string): AnalysisEnd => ({ returnCode: 1, errlines, file: null });
  const experiment =
    experiment_id === null ? null : await findObjectById(context.pool, experiment_id);
  const workflow = await findObjectById(context.pool, workflow_id);
  const viewer = await viewerOfUser(context.pool, user_id);
  if (experiment === null || workflow === null || viewer === null)
    return failed('The experiment was removed before its analysis began.');
  try {
    const answer = await callFunction(context, {
      modelId: analyzer_id,
      parameters: { experiment_id: experiment.short_id, workflow_id: workflow.short_id },
      caller: viewer,
      limits: { milliseconds: LIMIT_MS },
    });
    return endOf(answer);
  } catch (error) {
    if (error instanceof ServiceError) return failed(wordsOf(error));
    context.logger.error({ err: error, analysis: analysis.id }, 'an analysis failed');
    return failed('The analysis failed inside the service.');
  }
}

function endOf({ answer, log }: FunctionAnswer): AnalysisEnd {
  const file = readAnalyzerFile(answer);
  if (typeof file === 'string')
    return { returnCode: 1, errlines: [log, file].filter(Boolean).join('\n'), file: null };
  return { returnCode: 0, errlines: log, file };
}

/** What the analyzer printed, then what went wrong. */
function wordsOf({ message, details }: ServiceError): string {
  const log = typeof details?.log === 'string' ? details.log : '';
  return [log, message].filter(Boolean).join('\n');
}

async function tellOwner(tx: Executor, row: AnalysisRow): Promise<void> {
  const workflow = await findObjectById(tx, row.workflow_id);
  if (workflow === null) return;
  const name = workflow.name || workflow.short_id;
  const isDone = row.state === 'done';
  await insertNotification(tx, {
    userId: workflow.owner_id,
    event: isDone ? 'analysis_finished' : 'analysis_failed',
    title: isDone ? `The analysis of ${name} is finished` : `The analysis of ${name} failed`,
    message: isDone ? '' : row.errlines.slice(-500),
    object: workflow.short_id,
    verb: isDone ? 'finished' : 'failed',
  });
}

/** Analyses that lost their process wait again, or have failed; jobs that were lost are sent again. */
export async function recoverLostAnalyses({
  pool,
  queue,
}: Pick<CoreContext, 'pool' | 'queue'>): Promise<void> {
  const { waiting, failed } = await recoverAnalyses(pool);
  for (const row of failed) await tellOwner(pool, row);
  for (const id of waiting) await queue.send('analyse', { analysisId: id }, { key: String(id) });
}
