/** Results of runs: draws, summary, logs. */

import type { WebContext } from '../context.ts';
import type { Handlers } from '../http/call.ts';
import { computeLogDensity } from '../kinds/experiment/log-density.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { viewLogRange } from '../results/logs.ts';
import { viewSummary } from '../results/summary.ts';
import { openDraws, viewDraws } from '../results/visible-draws.ts';

export function resultHandlers(context: WebContext) {
  return {
    viewDraws: async ({ params: { objid }, query, viewer }) => {
      const request = { objid, operation: 'draws', viewer, shareId: query.share_id } as const;
      return viewDraws(context, await openDraws(context, request), query);
    },
    viewSummary: async ({ params: { objid }, query, viewer }) => {
      const request = { objid, operation: 'summary', viewer, shareId: query.share_id } as const;
      return viewSummary(context, await openDraws(context, request));
    },
    computeLogDensity: ({ params, body, viewer }) =>
      computeLogDensity(context, { objid: params.objid, viewer }, body),
    viewLog: async ({ params: { objid }, query, viewer }) => {
      const object = await authorizeLive(context, { objid, operation: 'log', viewer });
      return viewLogRange(context, object, query);
    },
  } satisfies Partial<Handlers>;
}
