/** A run that waits, with its program and data frozen. */
import type pg from 'pg';
import { startRun } from '../../src/service/runs/start-run.ts';
import { makeWorkflow, type WorkflowParts } from './service-objects.ts';

/** Its id. */
export async function insertExperimentOf(
  pool: pg.Pool,
  ownerId: number,
  parts: WorkflowParts,
): Promise<string> {
  const workflow = await makeWorkflow(pool, ownerId, parts);
  const { short_id } = await startRun(pool, { workflowId: workflow.id, ownerId });
  return short_id;
}
