/** What a run leaves: draws, summary, logs. */
import type { Handlers } from '../http/call.ts';
import { authorizeLive } from '../policy/authorize.ts';
import type { ServiceContext } from '../service-deps.ts';
import { openDraws, viewDraws } from '../use-cases/draws.ts';
import { viewLogRange } from '../use-cases/logs.ts';
import { viewSummary } from '../use-cases/summary.ts';

export function resultHandlers(
  context: ServiceContext,
): Pick<Handlers, 'viewDraws' | 'viewSummary' | 'viewLog'> {
  return {
    viewDraws: async ({ params, query, viewer }) => {
      const request = {
        objid: params.objid,
        operation: 'draws',
        viewer,
        shareId: query.share_id,
      } as const;
      return viewDraws(context, await openDraws(context, request), query);
    },
    viewSummary: async ({ params, query, viewer }) => {
      const request = {
        objid: params.objid,
        operation: 'summary',
        viewer,
        shareId: query.share_id,
      } as const;
      return viewSummary(context, await openDraws(context, request));
    },
    viewLog: async ({ params, query, viewer }) => {
      const object = await authorizeLive(context, {
        objid: params.objid,
        operation: 'log',
        viewer,
      });
      return viewLogRange(context, object, query);
    },
  };
}
