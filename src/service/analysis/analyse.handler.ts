/** The job of an analysis: calls the analyzer with the rights of the workflow's owner and stores the file it gives. */

import type { CoreContext } from '../context.ts';
import { publish } from '../facts/publish.ts';
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
      if (row !== null) await publishEnd(tx, row);
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
  if (!file.ok)
    return { returnCode: 1, errlines: [log, file.error].filter(Boolean).join('\n'), file: null };
  return { returnCode: 0, errlines: log, file: file.value };
}

/** What the analyzer printed, then what went wrong. */
function wordsOf({ message, details }: ServiceError): string {
  const log = typeof details?.log === 'string' ? details.log : '';
  return [log, message].filter(Boolean).join('\n');
}

async function publishEnd(tx: Executor, row: AnalysisRow): Promise<void> {
  const workflow = await findObjectById(tx, row.workflow_id);
  if (workflow === null) return;
  const failure = row.state === 'done' ? null : row.errlines;
  await publish(tx, { kind: 'analysis_ended', workflow, failure });
}

/** Analyses that lost their process wait again, or have failed; jobs that were lost are sent again. */
export async function recoverLostAnalyses({
  pool,
  queue,
}: Pick<CoreContext, 'pool' | 'queue'>): Promise<void> {
  const { waiting, failed } = await recoverAnalyses(pool);
  for (const row of failed) await publishEnd(pool, row);
  for (const id of waiting) await queue.send('analyse', { analysisId: id }, { key: String(id) });
}
