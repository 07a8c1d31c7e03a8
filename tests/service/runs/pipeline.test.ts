import { describe, expect, it } from 'vitest';
import { createMemoryQueue } from '../../../src/service/jobs/memory-queue.ts';
import { createPgBossQueue } from '../../../src/service/jobs/pg-boss-queue.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { listChains } from '../../../src/service/repositories/chains.ts';
import { listColumns, readDraws } from '../../../src/service/repositories/draws.ts';
import { findExperimentById, findSummary } from '../../../src/service/repositories/experiments.ts';
import { findLogSize, readLog } from '../../../src/service/repositories/logs.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { startWorker } from '../../../src/service/runs/worker-loop.ts';
import { createFileStore } from '../../../src/service/storage/file-store.ts';
import { createTestDatabase } from '../../support/database.ts';
import { makeUser, makeWorkflow } from '../../support/service-objects.ts';

const logger = createLogger({ level: 'warn' });

describe('a run', () => {
  it('goes from a workflow to statistics', async () => {
    const { pool, connection } = await createTestDatabase();
    const user = await makeUser(pool);
    const workflow = await makeWorkflow(pool, user.id, {
      settings: 'sampling: {seed: 1, num_warmup: 300, num_samples: 200}',
    });
    const queue = createPgBossQueue({ connection, logger, supervise: true });
    const worker = await startWorker({
      pool,
      connection,
      queue,
      logger,
      files: createFileStore('/tmp/pgt/files'),
      slots: 2,
      pools: [],
    });
    const t = performance.now();
    const experiment = await startRun(pool, { workflowId: workflow.id, ownerId: user.id });
    for (;;) {
      const now = await findExperimentById(pool, experiment.id);

      if (now?.status === 'FIN' || now?.status === 'ERR') {
        console.log(Math.round(performance.now() - t), JSON.stringify(now));
        break;
      }
      await new Promise((r) => setTimeout(r, 100));
    }
    console.log(JSON.stringify(await findSummary(pool, experiment.id)).slice(0, 1500));
    console.log((await listChains(pool, experiment.id)).map((c) => c.state));
    console.log((await listColumns(pool, experiment.id)).map((c) => c.name).join(' '));
    for (const s of ['stdlog', 'platform'] as const)
      console.log(
        s,
        (
          await readLog(pool, {
            experimentId: experiment.id,
            stream: s,
            from: 0,
            to: (await findLogSize(pool, experiment.id, s)).bytes,
          })
        ).text,
      );
    console.log(
      (await readDraws(pool, { experimentId: experiment.id, variables: ['mu'] })).map((s) => [
        s.name,
        s.firstIteration,
        s.values.length,
      ]),
    );
    await worker.stop();
  });
});
