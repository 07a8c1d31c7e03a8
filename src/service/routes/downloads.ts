/** `/download`, `/sys/get-arviz-data`. */

import type { WebContext } from '../context.ts';
import { openArvizData } from '../exports/sampledata.ts';
import type { Handlers } from '../http/call.ts';
import { openPackage } from '../packages/open-package.ts';

export function downloadHandlers(context: WebContext) {
  return {
    download: async ({ params, query, viewer, baseUrl }) => {
      const request = { objid: params.objid, fmt: query.fmt, viewer, baseUrl };
      const { bytes, fileName, mediaType } = await openPackage(context, request);
      return { body: bytes, fileName, mediaType, size: bytes.length };
    },
    viewArvizData: ({ query, viewer }) =>
      openArvizData(context, { objid: query.experiment_id, shareId: query.share_id, viewer }),
  } satisfies Partial<Handlers>;
}
