/** Draws files for download: written in the background, stored by content, rewritten when the draws have grown. */
import { Readable } from 'node:stream';
import type { Experiment } from '../../contract/experiment.ts';
import { asSentence, headlineOf } from '../../posterior/verdict-label.ts';
import type { WebContext } from '../context.ts';
import { holdTask } from '../jobs/hold-task.ts';
import { snapshotEntry } from '../policy/share-snapshot.ts';
import { findExperimentById } from '../repositories/experiments.ts';
import {
  beginExportFile,
  type ExportFileRow,
  type ExportKey,
  findExportFile,
  finishExportFile,
  loseExportFile,
} from '../repositories/export-files.ts';
import type { ShareRow } from '../repositories/shares.ts';
import type { Lease } from '../repositories/tasks.ts';
import { readObserved } from '../results/observed-data.ts';
import { notUsedTexts, viewSummary } from '../results/summary.ts';
import type { VisibleDraws } from '../results/visible-draws.ts';
import { arvizContent } from './arviz-export.ts';
import { csvContent } from './csv-export.ts';
import { ExportError, type ExportFormat, type ExportRequest } from './export-content.ts';
import { type GristExtras, gristContent } from './grist-export.ts';
import { parquetContent } from './parquet-export.ts';

/** Milliseconds that a request waits for the file before it answers "generating". */
const maxWaitMs = 1500;

export interface DrawsFileRequest {
  readonly objid: string;
  readonly fmt: ExportFormat;
  /** First iterations of each chain; 0: all. */
  readonly numIterations: number;
  readonly draws: VisibleDraws & { readonly share: ShareRow | null };
}

export const exportSuffixes: Readonly<Record<ExportFormat, string>> = {
  csv: '.csv',
  grist: '.grist',
  arviz: '.tar',
  parquet: '.parquet',
  'arviz flat': '.tar',
};

/** The file's state after a moment: `done`, `error` with the reason, or still `generating`. */
export async function prepareDrawsFile(
  context: WebContext,
  order: DrawsFileRequest,
  waitMs = maxWaitMs,
): Promise<ExportFileRow> {
  const { pool, exportsInWork } = context;
  const { draws, objid, fmt, numIterations } = order;
  // A share limits the draws, so it has separate files.
  const share = draws.share?.short_id ?? null;
  const key: ExportKey = {
    experimentId: draws.experimentId,
    fmt: share === null ? fmt : `${fmt} of ${share}`,
    numIterations,
  };
  const folder = `exports/${objid}/${share ?? 'live'}-${fmt.replace(' ', '-')}-${numIterations}`;
  const before = await findExportFile(pool, key);
  // missing after a backup was restored: backups contain no files that can be made again
  if (before?.state === 'done' && !(await context.files.has(before.path)))
    await loseExportFile(pool, key);
  else if (before !== null && isGoodEnough(before, draws)) return before;
  const lease = exportsInWork.has(folder)
    ? null
    : await beginExportFile(pool, key, revisionNumber(draws));
  if (lease !== null) {
    const place = { key, lease, folder, replaces: before?.path ?? '' };
    const making = holdTask(context, lease, () => makeFile(context, order, place));
    exportsInWork.set(folder, making);
    void making.finally(() => exportsInWork.delete(folder));
  }
  const timeLimit = new Promise((resolve) => setTimeout(resolve, waitMs).unref());
  await Promise.race([exportsInWork.get(folder), timeLimit]);
  return (await findExportFile(pool, key)) as ExportFileRow;
}

/** The revision a file is made for; a share always shows the same draws. */
const revisionNumber = ({ bounds, revision }: VisibleDraws) =>
  bounds === null ? Number(revision) : 0;

/** While a run is active, its draws grow faster than a large file is written: a recent file is good enough. */
function isGoodEnough(file: ExportFileRow, { isEnded }: VisibleDraws): boolean {
  const isYoung = Date.now() - Date.parse(file.created_at) < 60_000;
  return file.state === 'done' && !isEnded && isYoung && file.size > 8 * 2 ** 20;
}

interface FilePlace {
  readonly key: ExportKey;
  readonly lease: Lease;
  /** A separate folder, so that no file serves two different requests. */
  readonly folder: string;
  /** The previous file, which is removed once this one exists. */
  readonly replaces: string;
}

/** Never throws: the outcome is stored with the file. */
async function makeFile(
  context: WebContext,
  order: DrawsFileRequest,
  { key, lease, folder, replaces }: FilePlace,
): Promise<void> {
  const { pool, files, logger } = context;
  try {
    const content = Readable.from(contentOf(context, order));
    const stored = await files.put(folder, content, exportSuffixes[order.fmt]);
    const isOurs = await finishExportFile(pool, key, { lease, end: stored });
    // otherwise another process has written the same bytes under the same name
    if (isOurs && replaces !== '' && replaces !== stored.path) await files.remove(replaces);
  } catch (error) {
    const isExpected = error instanceof ExportError;
    const { experimentId } = key;
    if (!isExpected)
      logger.error({ err: error, experimentId }, 'a draws file could not be written');
    const message = isExpected
      ? error.message
      : 'The file could not be written; the log of the service says why.';
    await finishExportFile(pool, key, { lease, end: { message } }).catch((failure: unknown) =>
      logger.error({ err: failure }, 'the failure could not be stored'),
    );
  }
}

function contentOf(context: WebContext, order: DrawsFileRequest): AsyncIterable<Buffer> {
  const { pool, version } = context;
  const { draws, numIterations, objid } = order;
  const readData = async () => (await readObserved(context, draws)).variables ?? [];
  const request: ExportRequest = { pool, draws, numIterations, objid, version, readData };
  switch (order.fmt) {
    case 'csv':
      return csvContent(request);
    case 'arviz':
      return arvizContent(request, 'arrays');
    case 'arviz flat':
      return arvizContent(request, 'flat');
    case 'parquet':
      return parquetContent(request);
    case 'grist':
      return gristContent(request, () => extrasOf(context, order));
  }
}

/** For a share: what it froze. */
async function extrasOf(
  context: WebContext,
  { draws, objid }: DrawsFileRequest,
): Promise<GristExtras> {
  const summary = await viewSummary(context, draws);
  const row =
    draws.share === null ? await findExperimentById(context.pool, draws.experimentId) : null;
  const shown = row ?? (draws.share && (snapshotEntry(draws.share) as Experiment));
  const facts: [string, string][] = [['id', objid]];
  if (shown === null) return { summary, facts };
  const { name, model_name: model, meta } = shown;
  const verdict = headlineOf(meta?.verdict?.headline ? meta.verdict : summary.verdict);
  facts.push(['name', name], ['model', model], ['verdict on the chains', verdict]);
  for (const note of notUsedTexts(summary)) facts.push(['summary', asSentence(note)]);
  for (const [key, value] of Object.entries(meta?.settings ?? {}))
    facts.push([`setting ${key}`, typeof value === 'string' ? value : JSON.stringify(value)]);
  if (meta?.started_at) facts.push(['started', meta.started_at]);
  if (meta?.finished_at) facts.push(['finished', meta.finished_at]);
  return { summary, facts };
}
