/** `run_analyze`: requests the analysis of a workflow's experiment, and waits for it if the caller wants that. */

import type { CoreContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { conflict, notFound, orNotFound } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { type AnalysisRow, findAnalysis, insertAnalysis } from '../repositories/analyses.ts';
import { inTransaction } from '../repositories/database.ts';
import { findExperiment } from '../repositories/experiments.ts';
import { findWorkflow } from '../repositories/workflows.ts';
import { defaultAnalyzerId } from './analysis-ids.ts';

export interface AnalysisRequest {
  readonly workflowId: string;
  readonly viewer: Viewer;
  /** Wait until it has ended. */
  readonly getResponse: boolean;
}

export interface AnalysisAnswer {
  readonly analyzer?: {
    /** `running` when it takes longer than a caller may wait. */
    readonly status: 'running' | 'done' | 'error';
    readonly return_code: number | null;
  };
}

/** How long a caller may wait; the analysis itself continues. */
const MAX_WAIT_MS = 860_000;
const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 1000;

/**
 * Durable when it returns: a job carries it out. While an analysis of the workflow is running, another request joins it.
 * Throws CONFLICT when there is no experiment to analyse.
 */
export async function runAnalysis(
  context: CoreContext,
  { workflowId, viewer, getResponse }: AnalysisRequest,
): Promise<AnalysisAnswer> {
  const { pool, queue } = context;
  const object = await authorizeLive(context, { objid: workflowId, operation: 'invoke', viewer });
  const workflow = orNotFound(await findWorkflow(pool, object.short_id));
  const experiment =
    workflow.experiment_id === '' ? null : await findExperiment(pool, workflow.experiment_id);
  if (experiment === null)
    throw conflict(
      'This workflow has no experiment to analyse: run its sampling first, or attach one.',
      { state: { experiment_id: '' } },
    );
  const request = {
    workflowId: object.id,
    experimentId: experiment.id,
    analyzerId: workflow.analyzer_id || defaultAnalyzerId,
    userId: object.owner_id,
  };
  const row = await inTransaction(pool, async (tx) => {
    const analysis = await insertAnalysis(tx, request);
    const { id } = analysis.row;
    if (analysis.isNew) await queue.send('analyse', { analysisId: id }, { tx, key: String(id) });
    return analysis.row;
  });
  return getResponse ? { analyzer: await waitForEnd(context, row) } : {};
}

async function waitForEnd(
  { pool }: CoreContext,
  { id }: AnalysisRow,
): Promise<AnalysisAnswer['analyzer']> {
  const until = performance.now() + MAX_WAIT_MS;
  let pause = FIRST_LOOK_MS;
  for (;;) {
    const row = await findAnalysis(pool, id);
    if (row === null) throw notFound('The workflow was removed in the meantime.');
    if (row.state === 'done') return { status: 'done', return_code: row.return_code };
    if (row.state === 'failed') return { status: 'error', return_code: row.return_code };
    if (performance.now() > until) return { status: 'running', return_code: null };
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(LAST_LOOK_MS, pause * 1.5);
  }
}
