/** Stops an import whose files are waiting or being read. */
import type { CoreContext } from '../context.ts';
import { publishLive } from '../repositories/chains.ts';
import { inTransaction } from '../repositories/database.ts';
import { type ExperimentRow, updateExperiment } from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import { dropTask } from '../repositories/tasks.ts';
import { deleteUploadsOf } from '../repositories/uploads.ts';

/** False: it is not an import. The process that reads the files finds its lease gone and stores nothing. */
export async function stopImport(
  { pool, files }: Pick<CoreContext, 'pool' | 'files'>,
  row: ExperimentRow,
): Promise<boolean> {
  const uploads = await inTransaction(pool, async (tx) => {
    if (!(await dropTask(tx, { kind: 'import', subjectId: row.id }))) return null;
    const message = 'The import was stopped before its draws were stored.';
    await updateExperiment(tx, row.id, {
      status: 'ERR',
      meta: {
        action: 'stopped',
        error: { code: 'IMPORT_STOPPED', message },
        run_info: { status: 'ERR' },
        progress: null,
      },
    });
    await appendLog(tx, { experimentId: row.id, stream: 'platform', text: `${message}\n` });
    await publishLive(tx, row.short_id, 'status');
    return deleteUploadsOf(tx, row.id);
  });
  if (uploads === null) return false;
  await files.uploads.remove(uploads);
  return true;
}
