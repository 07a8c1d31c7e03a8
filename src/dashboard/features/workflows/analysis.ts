/** The state of a workflow's newest analysis, read from its `analyzer_result`. */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { objectKeys } from '../../objects/query-keys.ts';

export interface Analysis {
  readonly state: 'none' | 'running' | 'done' | 'error';
  readonly finishedAt: string;
  readonly returnCode: number | null;
  /** Its last lines of output. */
  readonly errlines: readonly string[];
}

const none: Analysis = { state: 'none', finishedAt: '', returnCode: null, errlines: [] };

/** Servers and clients store various things there: unknown content counts as no analysis. */
export function analysisOf({ analyzer_result: text }: Workflow): Analysis {
  if (!text) return none;
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    const { status, finished_at, return_code, errlines } = value;
    if (status !== 'running' && status !== 'done' && status !== 'error') return none;
    return {
      state: status,
      finishedAt: typeof finished_at === 'string' ? finished_at : '',
      returnCode: typeof return_code === 'number' ? return_code : null,
      errlines: Array.isArray(errlines) ? errlines.map(String) : [],
    };
  } catch {
    return none;
  }
}

/** Address of the report; empty before there is one. Requested again when an analysis has ended. */
export function reportQueryOptions(client: Client, workflow: Workflow) {
  const { finishedAt, state } = analysisOf(workflow);
  return queryOptions({
    queryKey: objectKeys('workflow').part(workflow.short_id, ['report', finishedAt, state]),
    queryFn: async ({ signal }) => {
      const answer = await client.viewObject({
        params: { objid: workflow.short_id },
        query: { 'view-analyzer': true },
        signal,
      });
      return answer.object_type === 'workflow.analyzer' ? answer.url : '';
    },
    // addresses expire after an hour
    staleTime: 30 * 60_000,
    retry: false,
  });
}
