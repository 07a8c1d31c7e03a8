/** `/api/object`, `/api/versions`, `/invoke`. */

import { plainUpdateAnswer } from '../../contract/objects.ts';
import type { WebContext } from '../context.ts';
import type { Handlers } from '../http/call.ts';
import { listObjects } from '../kinds/list-objects.ts';
import { asOwner, moveObject } from '../kinds/move-object.ts';
import {
  changeObject,
  createObject,
  deleteOrUndo,
  invoke,
  listVersions,
  viewObject,
} from '../kinds/objects.ts';

export function objectHandlers(context: WebContext) {
  return {
    listObjects: ({ user, query }) => listObjects(context, user, query),
    createObject: async ({ user, viewer, body, prepared }) => {
      const caller = { user, viewer, prepared };
      const { owner = '', payload } = body;
      const kind = payload.object_type;
      const maker = owner === '' ? caller : await asOwner(context, caller, { kind, owner });
      return createObject(context, maker, payload);
    },
    moveObject: ({ user, viewer, params, body }) =>
      moveObject(context, { user, viewer }, { objid: params.objid, owner: body.owner }),
    deleteObjects: async ({ user, viewer, query }) => {
      const deletion = { ids: query.objids ?? [], deletedKey: query.deleted_key };
      return { deleted_key: await deleteOrUndo(context, { user, viewer }, deletion) };
    },
    viewObject: ({ params, query, viewer, baseUrl }) =>
      viewObject(context, { objid: params.objid, query, viewer, baseUrl }),
    updateObject: async ({ params, viewer, body, prepared, acceptsFullView, reply }) => {
      const onAnswered = (listener: () => void) => reply.raw.once('finish', listener);
      const change = { objid: params.objid, payload: body.payload, viewer, prepared, onAnswered };
      const answer = await changeObject(context, change);
      return acceptsFullView ? answer : plainUpdateAnswer(answer);
    },
    deleteObject: async ({ user, viewer, params, query }) => {
      const deletion = { ids: [params.objid], deletedKey: query.deleted_key };
      return { deleted_key: await deleteOrUndo(context, { user, viewer }, deletion) };
    },
    invoke: ({ viewer, body }) =>
      invoke(context, {
        target: body.target,
        action: body.action,
        viewer,
        parameters: body.parameters,
        getResponse: body.get_response,
      }),
    listVersions: ({ params, viewer }) => listVersions(context, params.objid, viewer),
  } satisfies Partial<Handlers>;
}
