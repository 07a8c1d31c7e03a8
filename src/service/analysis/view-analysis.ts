/** The result of an analysis at a signed address: of a workflow, or of an experiment by any workflow. */

import type * as z from 'zod/mini';
import type { View } from '../../contract/objects.ts';
import type { analyzerResultSchema } from '../../contract/runner.ts';
import type { CoreContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import type { Prepared } from '../http/prepared.ts';
import { orNotFound } from '../http/service-error.ts';
import type { FileGrant } from '../http/signed-address.ts';
import type { UserBytes } from '../http/user-bytes.ts';
import { authorize } from '../policy/authorize.ts';
import { analysisOf, grantOf, hasSharedData } from '../policy/share-snapshot.ts';
import { findAnalysisFile, insertResult } from '../repositories/analyses.ts';
import { findBlob } from '../repositories/blobs.ts';
import { findExperiment } from '../repositories/experiments.ts';
import { findObject, type ObjectRow } from '../repositories/objects.ts';
import { findLiveShare } from '../repositories/shares.ts';
import { findWorkflow } from '../repositories/workflows.ts';
import { isPage, readPackedFile } from './analyzer-file.ts';
import { withoutObserved } from './observed-marks.ts';

export interface AnalysisView {
  readonly objid: string;
  readonly shareId: string;
  readonly viewer: Viewer;
  readonly baseUrl: string;
}

/**
 * The newest result, or through a share the one that existed when the share was made. `url` is empty while there is
 * none: the state of an analysis is in the workflow's `analyzer_result`.
 */
export async function viewAnalysis(
  context: CoreContext,
  { objid, shareId, viewer, baseUrl }: AnalysisView,
): Promise<View> {
  const request = { objid, operation: 'view_analyzer', viewer, shareId } as const;
  const access = await authorize(context, request);
  const isLive = access.mode === 'live';
  const file = isLive
    ? await findAnalysisFile(context.pool, ofKind(access.object))
    : analysisOf(access.share);
  if (file === null) return { object_type: 'workflow.analyzer', url: '' };
  const grant = {
    kind: 'analysis',
    objid,
    hash: file.hash,
    isPage: isPage(file.file_name),
    ...(isLive ? {} : grantOf(access.share)),
  } as const;
  const url = baseUrl + context.signer.sign(grant, file.file_name);
  return { object_type: 'workflow.analyzer', url };
}

function ofKind({ kind, id }: ObjectRow) {
  return { kind: kind === 'workflow' ? kind : ('experiment' as const), id };
}

type AnalysisGrant = Extract<FileGrant, { kind: 'analysis' }>;

/** Null once the object is gone. A share without the data gets a page without the parts that show them. */
export async function openAnalysis(
  { pool }: Pick<CoreContext, 'pool'>,
  grant: AnalysisGrant,
): Promise<Omit<UserBytes, 'fileName'> | null> {
  const { objid, hash, isPage: page } = grant;
  const object = await findObject(pool, objid);
  const stored = object === null ? null : await findBlob(pool, hash);
  if (stored === null) return null;
  const share = grant.share === undefined ? null : await findLiveShare(pool, grant.share);
  const isHidden = page && share !== null && !hasSharedData(share);
  const bytes = isHidden ? withoutObserved(stored) : stored;
  const mediaType = page ? 'text/html; charset=utf-8' : 'application/octet-stream';
  return { body: bytes, size: bytes.byteLength, mediaType };
}

/** Stores what an outside runner's analyzer made: its file, return code and last output become the newest result. */
export async function takeAnalyzerResult(
  { pool }: CoreContext,
  { object, read }: { readonly object: ObjectRow; readonly read: Prepared['result'] },
  payload: z.output<typeof analyzerResultSchema>,
): Promise<void> {
  const workflow = orNotFound(await findWorkflow(pool, object.short_id));
  const experiment =
    workflow.experiment_id === '' ? null : await findExperiment(pool, workflow.experiment_id);
  await insertResult(
    pool,
    {
      workflowId: object.id,
      experimentId: experiment?.id ?? null,
      analyzerId: '',
      userId: object.owner_id,
    },
    {
      // the column is signed: an unsigned return code of Windows keeps its bits
      returnCode: payload.return_code | 0,
      errlines: payload.errlines.join('\n'),
      file: read === undefined ? readPackedFile(payload.result) : read.file,
    },
  );
}
