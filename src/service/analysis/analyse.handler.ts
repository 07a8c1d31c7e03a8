/** The job of an analysis: calls the analyzer with the rights of the workflow's owner and stores the resulting file. */

import type { CoreContext } from '../context.ts';
import { publish } from '../facts/publish.ts';
import {
  callFunction,
  type FunctionAnswer,
  isPassing,
  valueOf,
} from '../functions/call-function.ts';
import { viewerOfUser } from '../functions/viewer-of-user.ts';
import { ServiceError } from '../http/service-error.ts';
import { holdTask } from '../jobs/hold-task.ts';
import type { JobOutcome } from '../jobs/job-queue.ts';
import {
  type AnalysisEnd,
  type AnalysisRow,
  claimAnalysis,
  endAnalysis,
  giveUpAnalysis,
} from '../repositories/analyses.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import { findObjectById } from '../repositories/objects.ts';
import { type Lease, releaseLease } from '../repositories/tasks.ts';
import { setSpanAttributes } from '../spans.ts';
import { readAnalyzerFile } from './analyzer-file.ts';

/** The documented limit of an analysis. */
const LIMIT_MS = 850_000;

export async function analyse(context: CoreContext, analysisId: number): Promise<JobOutcome> {
  const { pool } = context;
  const claimed = await claimAnalysis(pool, analysisId, context.workerId);
  if (claimed === null) return { kind: 'done' };
  try {
    await holdTask(context, claimed.lease, async () => {
      const end = await runAnalyzer(context, claimed.row);
      await inTransaction(pool, async (tx) => {
        const row = await endAnalysis(tx, claimed, end);
        if (row !== null) await publishEnd(tx, row);
      });
    });
  } catch (error) {
    if (!isPassing(error)) throw error;
    await releaseLease(pool, claimed.lease);
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
  setSpanAttributes({ 'ergodic.run.id': experiment.short_id });
  try {
    const answer = await callFunction(context, {
      modelId: analyzer_id,
      parameters: { experiment_id: experiment.short_id, workflow_id: workflow.short_id },
      caller: viewer,
      limits: { milliseconds: LIMIT_MS },
    });
    return endOf(answer);
  } catch (error) {
    if (isPassing(error)) throw error;
    if (error instanceof ServiceError) return failed(textOf(error));
    context.logger.error({ err: error, analysis: analysis.id }, 'an analysis failed');
    return failed('The analysis failed inside the service.');
  }
}

function endOf(given: FunctionAnswer): AnalysisEnd {
  const { log } = given;
  const file = readAnalyzerFile(valueOf(given));
  if (!file.ok)
    return { returnCode: 1, errlines: [log, file.error].filter(Boolean).join('\n'), file: null };
  return { returnCode: 0, errlines: log, file: file.value };
}

/** The analyzer's output, then what went wrong. */
function textOf({ message, details }: ServiceError): string {
  const log = typeof details?.log === 'string' ? details.log : '';
  return [log, message].filter(Boolean).join('\n');
}

async function publishEnd(tx: Executor, row: AnalysisRow): Promise<void> {
  const workflow = await findObjectById(tx, row.workflow_id);
  if (workflow === null) return;
  const failure = row.state === 'done' ? null : row.errlines;
  await publish(tx, { kind: 'analysis_ended', workflow, failure });
}

/** An analysis whose process was lost too often has failed. */
export async function giveUpLostAnalysis(pool: Executor, lease: Lease): Promise<void> {
  const row = await giveUpAnalysis(pool, lease);
  if (row !== null) await publishEnd(pool, row);
}
