/** Sample data for download: a file written on demand in the background, at a signed address. */
import type * as z from 'zod/mini';
import type { View, viewQuerySchema } from '../../contract/objects.ts';
import type { WebContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { limitExceeded, unavailable } from '../http/service-error.ts';
import type { UserBytes } from '../http/user-bytes.ts';
import { grantOf } from '../policy/share-snapshot.ts';
import { openDraws } from '../results/visible-draws.ts';
import { exportSuffixes, prepareDrawsFile } from './draws-file.ts';

export interface SampledataRequest {
  readonly objid: string;
  readonly query: Pick<z.output<typeof viewQuerySchema>, 'share_id' | 'fmt' | 'n_iteration'>;
  readonly viewer: Viewer;
  readonly baseUrl: string;
}

export async function requestSampledata(
  context: WebContext,
  request: SampledataRequest,
): Promise<View> {
  const { objid, query, viewer, baseUrl } = request;
  const { share_id: shareId, fmt, n_iteration: numIterations } = query;
  const draws = await openDraws(context, { objid, operation: 'sampledata', viewer, shareId });
  const file = await prepareDrawsFile(context, { objid, fmt, numIterations, draws });
  const answer = {
    object_type: 'experiment.sampledata' as const,
    url: null,
    progress: file.state,
    message: file.message,
  };
  if (file.state !== 'done') return answer;
  const grant = {
    kind: 'draws',
    experiment: objid,
    file: file.path,
    ...(draws.share === null ? {} : grantOf(draws.share)),
  } as const;
  return { ...answer, url: baseUrl + context.signer.sign(grant, objid + exportSuffixes[fmt]) };
}

export interface ArvizRequest {
  readonly objid: string;
  readonly shareId: string;
  readonly viewer: Viewer;
}

/** Milliseconds after which a client that requests the file itself is asked to retry. */
const longWaitMs = 100_000;

/** The tar that contains `theta%5B1%5D`, as documented clients expect. Throws `LIMIT_EXCEEDED` if it would be too large. */
export async function openArvizData(
  context: WebContext,
  { objid, shareId, viewer }: ArvizRequest,
): Promise<UserBytes> {
  const draws = await openDraws(context, { objid, operation: 'sampledata', viewer, shareId });
  const order = { objid, fmt: 'arviz flat', numIterations: 0, draws } as const;
  const file = await prepareDrawsFile(context, order, longWaitMs);
  if (file.state === 'generating')
    throw unavailable('The file is still being prepared; try again shortly.', 5);
  const stored = file.state === 'done' ? await context.files.open(file.path) : null;
  if (stored === null) throw limitExceeded(file.message);
  return {
    body: stored.stream,
    size: stored.size,
    fileName: `${objid}.tar`,
    mediaType: 'application/x-tar',
  };
}
