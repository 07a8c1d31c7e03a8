/** What a run leaves: draws, summary, logs. */

import type { WebContext } from '../context.ts';
import type { Handlers } from '../http/call.ts';
import { invalidParameter } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { viewLogRange } from '../results/logs.ts';
import { viewSummary } from '../results/summary.ts';
import { openDraws, viewDraws } from '../results/visible-draws.ts';
import { logDensityOf } from '../runs/log-density.ts';

export function resultHandlers(
  context: WebContext,
): Pick<Handlers, 'viewDraws' | 'viewSummary' | 'viewLog' | 'computeLogDensity'> {
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
    // who may change a run may compute with its program and data
    computeLogDensity: async ({ params, body, viewer }) => {
      const { objid } = params;
      const object = await authorizeLive(context, { objid, operation: 'update', viewer });
      if (object.kind !== 'experiment')
        throw invalidParameter(`The id must be an experiment's, not of kind ${object.kind}.`, {
          field: 'objid',
        });
      return logDensityOf(context, object.id, body);
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
