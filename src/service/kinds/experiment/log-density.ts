/** The log density of a run's program at a point: a user who may change a run may compute with its program and data. */
import type * as z from 'zod/mini';
import type { LogDensity, logDensityRequestSchema } from '../../../contract/log-density.ts';
import type { CoreContext } from '../../context.ts';
import type { Viewer } from '../../http/call.ts';
import { invalidParameter } from '../../http/service-error.ts';
import { authorizeLive } from '../../policy/authorize.ts';
import { logDensityOf } from '../../runs/log-density.ts';

export async function computeLogDensity(
  context: CoreContext,
  { objid, viewer }: { readonly objid: string; readonly viewer: Viewer },
  request: z.output<typeof logDensityRequestSchema>,
): Promise<LogDensity> {
  const object = await authorizeLive(context, { objid, operation: 'update', viewer });
  if (object.kind !== 'experiment')
    throw invalidParameter(`The id must be an experiment's, not of kind ${object.kind}.`, {
      field: 'objid',
    });
  return logDensityOf(context, object.id, request);
}
