/** Sample data for download: a long CSV made on demand in the background, kept by content, behind a signed address. */
import { Readable } from 'node:stream';
import type { View } from '../../contract/objects.ts';
import { longCsvRows } from '../../formats/long-csv.ts';
import type { Viewer } from '../http/call.ts';
import { notSupported } from '../http/service-error.ts';
import {
  beginExportFile,
  type ExportFileRow,
  type ExportKey,
  findExportFile,
  finishExportFile,
} from '../repositories/export-files.ts';
import type { ServiceContext } from '../service-deps.ts';
import { openDraws, readVisible, type VisibleDraws } from './draws.ts';
import type { ViewQuery } from './view-query.ts';

/** Milliseconds that a request waits for the file before it says "generating". */
const patienceMs = 1500;

export interface SampledataRequest {
  readonly objid: string;
  readonly query: ViewQuery;
  readonly viewer: Viewer;
  readonly baseUrl: string;
}

export async function requestSampledata(
  context: ServiceContext,
  request: SampledataRequest,
): Promise<View> {
  const { objid, query, viewer, baseUrl } = request;
  const draws = await openDraws(context, {
    objid,
    operation: 'sampledata',
    viewer,
    shareId: query.share_id,
  });
  if (query.fmt !== 'csv')
    throw notSupported(`This server does not write ${query.fmt} files yet; ask for csv.`);
  const key = keyOf(draws, draws.share?.short_id ?? null, query.n_iteration);
  const folder = `exports/${objid}/${draws.share?.short_id ?? 'live'}-${query.n_iteration}`;
  const file = await prepareFile(context, { key, folder }, draws);
  const answer = {
    object_type: 'experiment.sampledata' as const,
    url: null,
    progress: file.state,
    message: file.message,
  };
  if (file.state !== 'done') return answer;
  const share = draws.share?.short_id;
  const grant = {
    kind: 'csv',
    experiment: objid,
    file: file.path,
    ...(share ? { share } : {}),
  } as const;
  return { ...answer, url: baseUrl + context.signer.sign(grant, `${objid}.csv`) };
}

/** A share's draws are bounded, so its files are its own. */
function keyOf(
  { experimentId }: VisibleDraws,
  share: string | null,
  numIterations: number,
): ExportKey {
  return { experimentId, fmt: share === null ? 'csv' : `csv of ${share}`, numIterations };
}

/** The revision a file is made for; what a share shows never changes. */
const revisionNumber = ({ bounds, revision }: VisibleDraws) =>
  bounds === null ? Number(revision) : 0;

async function prepareFile(
  context: ServiceContext,
  order: FileOrder,
  draws: VisibleDraws,
): Promise<ExportFileRow> {
  const { pool, exportsInWork } = context;
  const { key } = order;
  const before = await findExportFile(pool, key);
  if (before?.state === 'done' && !(await isStored(context, before.path)))
    await finishExportFile(pool, key, { message: 'The file is gone.' });
  else if (before !== null && isGoodEnough(before, draws)) return before;
  const { folder } = order;
  if (!exportsInWork.has(folder) && (await beginExportFile(pool, key, revisionNumber(draws)))) {
    const making = makeFile(context, { ...order, replaces: before?.path ?? '' }, draws);
    exportsInWork.set(folder, making);
    void making.finally(() => exportsInWork.delete(folder));
  }
  const patience = new Promise((resolve) => setTimeout(resolve, patienceMs).unref());
  await Promise.race([exportsInWork.get(folder), patience]);
  return (await findExportFile(pool, key)) as ExportFileRow;
}

/** While a run lives its draws grow faster than a large file is written: the last one will do for a while. */
function isGoodEnough(file: ExportFileRow, { isEnded }: VisibleDraws): boolean {
  const isYoung = Date.now() - Date.parse(file.created_at) < 60_000;
  return file.state === 'done' && !isEnded && isYoung && file.size > 8 * 2 ** 20;
}

/** False after a backup was restored: files that can be made again are in none. */
async function isStored({ files }: ServiceContext, file: string): Promise<boolean> {
  const opened = await files.open(file);
  opened?.stream.destroy();
  return opened !== null;
}

interface FileOrder {
  readonly key: ExportKey;
  /** Its own, so that a file never serves two orders. */
  readonly folder: string;
}

/** Never throws: how it went is stored with the file. */
async function makeFile(
  { pool, files, logger }: ServiceContext,
  { key, folder, replaces }: FileOrder & { readonly replaces: string },
  draws: VisibleDraws,
): Promise<void> {
  try {
    const rows = csvRows(pool, draws, key.numIterations);
    const stored = await files.put(folder, Readable.from(rows), '.csv');
    await finishExportFile(pool, key, stored);
    if (replaces !== '' && replaces !== stored.path) await files.remove(replaces);
  } catch (error) {
    logger.error(
      { err: error, experimentId: key.experimentId },
      'sample data could not be written',
    );
    const message = 'The file could not be written; the log of the service says why.';
    await finishExportFile(pool, key, { message }).catch((failure: unknown) =>
      logger.error({ err: failure }, 'the failure could not be stored'),
    );
  }
}

/** Chain, variable, value: no header, iterations in order, saved draws of the sampling phase. */
async function* csvRows(
  pool: ServiceContext['pool'],
  draws: VisibleDraws,
  numIterations: number,
): AsyncGenerator<Buffer> {
  for await (const segments of readVisible(pool, draws, {
    phase: 'sampling',
    from: 0,
    to: numIterations,
  })) {
    for (const { name, variable, values } of segments) {
      // in pieces: a column of a long run is more text than one string may hold
      for (let from = 0; from < values.length; from += 100_000)
        yield Buffer.from(longCsvRows(name, variable, values.subarray(from, from + 100_000)));
    }
  }
}
