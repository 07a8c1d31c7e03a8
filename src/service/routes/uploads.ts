/** `/api/upload`: files sent in pieces. */
import type { WebContext } from '../context.ts';
import type { Handlers } from '../http/call.ts';
import { notSupported } from '../http/service-error.ts';
import { appendToUpload, beginUpload, removeUpload, uploadsOf } from '../imports/take-uploads.ts';

export function uploadHandlers(context: WebContext) {
  const allowed = uploadBytes(context.config);
  return {
    listUploads: ({ user }) => uploadsOf(context, user.id),
    createUpload: async ({ user, body }) => {
      if (allowed === 0)
        throw notSupported('This server does not accept uploads (--max-upload 0).');
      return beginUpload(context, user.id, body, allowed);
    },
    appendUpload: ({ user, params, query, body }) =>
      appendToUpload(context, user.id, {
        id: params.upload_id,
        offset: query.offset,
        blocks: body,
      }),
    deleteUpload: async ({ user, params }) => {
      await removeUpload(context, user.id, params.upload_id);
      return null;
    },
  } satisfies Partial<Handlers>;
}

const DEFAULT_GB = 64;

/** Bytes that the uploads of one user may take; 0: uploads are refused. */
export const uploadBytes = ({ maxUpload = DEFAULT_GB }: WebContext['config']): number =>
  maxUpload * 1e9;
