/** Handles messages of outside runners at `POST /api/object/{objid}`: lines and events, draws, statistics. */
import type * as z from 'zod/mini';
import type {
  nsampleStatSchema,
  protobufMessageSchema,
  textMessageSchema,
} from '../../contract/runner.ts';
import type { CoreContext } from '../context.ts';
import { conflict } from '../http/service-error.ts';
import { sendFinalise } from '../jobs/job-queue.ts';
import { publishLive } from '../repositories/chains.ts';
import { inTransaction } from '../repositories/database.ts';
import { updateExperiment } from '../repositories/experiments.ts';
import { appendLog, findRepeatedLog } from '../repositories/logs.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import type { ChainBlock } from '../repositories/runner-draws.ts';
import { type RunKey, type RunnerRun, updateRunnerRun } from '../repositories/runner-runs.ts';
import { type LiveMessage, publishMessage } from './live-messages.ts';
import { readDrawsMessage } from './read-draws-message.ts';
import { readStat } from './read-stat-message.ts';
import { readTextMessages } from './read-text-message.ts';
import { admitRun, type OpenLedger, openLedger, say, stopped } from './run-ledger.ts';
import { storeDraws } from './store-draws.ts';
import { runOf, unansweredTexts } from './unanswered-texts.ts';

export type RunnerMessage =
  | z.output<typeof textMessageSchema>
  | z.output<typeof protobufMessageSchema>
  | z.output<typeof nsampleStatSchema>;

/** Seconds to wait for further late draws before the statistics are recomputed. */
const lateSeconds = 2;

export interface Delivered {
  readonly object: ObjectRow;
  /** The draws of the message, if they were already read. */
  readonly blocks?: readonly ChainBlock[];
  /** Calls back when the answer to the message was sent. */
  readonly onAnswered?: (listener: () => void) => void;
}

/**
 * Durable when it returns. Throws CONFLICT `stopped` when the owner stopped the run, CONFLICT when the experiment is
 * sampled here, INVALID_PARAMETER and LIMIT_EXCEEDED for content that cannot be stored.
 */
export async function takeRunnerMessage(
  context: CoreContext,
  { object, blocks, onAnswered = () => {} }: Delivered,
  message: RunnerMessage,
): Promise<void> {
  const work = workOf(message, { context, blocks, onAnswered });
  const key = { batchId: message.batch_id, runId: message.run_id };
  const isStopped = await inTransaction(context.pool, async (tx) => {
    const ledger = await openLedger(tx, object, context.queue);
    checkOutside(ledger);
    const run = await admitRun(ledger, key);
    if (run.status === 'STOPPED') return true;
    await work({ ledger, key, run });
    return false;
  });
  // after the commit: the first batch after a stop is remembered as stopped
  if (isStopped) throw stopped();
}

/** A run of the service's own engine accepts no messages from outside. */
export function checkOutside({ isOurs, status, action }: OpenLedger): void {
  if (!isOurs) return;
  const state = { status: status === 'SAMPLE_FIN' ? 'RUN' : status, action };
  throw conflict('This service runs the experiment, so it accepts no messages from runners.', {
    state,
  });
}

interface Spoken {
  readonly ledger: OpenLedger;
  readonly key: RunKey;
  readonly run: RunnerRun;
}

type Work = (spoken: Spoken) => Promise<void>;

interface WorkInput extends Pick<Required<Delivered>, 'onAnswered'> {
  readonly context: CoreContext;
  readonly blocks: readonly ChainBlock[] | undefined;
}

/** Validates the message before the database is used, and returns the work to do. */
function workOf(message: RunnerMessage, given: WorkInput): Work {
  switch (message.object_type) {
    case 'experiment.text_message':
      return takeText(message, given);
    case 'experiment.protobuf_message':
      return takeDraws(given.blocks ?? readDrawsMessage(message.logs));
    case 'experiment.nsample_stat':
      return takeStat(message);
  }
}

function takeDraws(blocks: readonly ChainBlock[]): Work {
  return async ({ ledger, key, run }) => {
    const { tx, experiment, queue } = ledger;
    const added = await storeDraws(tx, experiment.id, { key, blocks });
    if (added === 0) return;
    if (run.status !== 'RUN') await sendFinalise(queue, tx, experiment.id, lateSeconds);
    await publishLive(tx, experiment.short_id, 'draws');
  };
}

function takeText(
  message: z.output<typeof textMessageSchema>,
  { context, onAnswered }: WorkInput,
): Work {
  const { output, messages, error } = readTextMessages(message.datas);
  return async ({ ledger, key, run }) => {
    const { tx, experiment } = ledger;
    if (output !== '') {
      const place = { experimentId: experiment.id, batchId: key.batchId, runId: key.runId };
      const lines = { ...place, stream: 'stdlog', text: output } as const;
      const unanswered = unansweredTexts(context);
      const speaker = runOf(experiment.id, key);
      const last = await findRepeatedLog(tx, lines);
      // a client that did not get the answer sends the entire message again
      const isSentAgain = last !== null && unanswered.mayLack(speaker, last);
      const stored = isSentAgain ? last.place : await appendLog(tx, lines);
      if (stored !== null) {
        unanswered.add(speaker, stored);
        onAnswered(() => unanswered.answered(speaker, stored));
      }
      if (!isSentAgain) await publishLive(tx, experiment.short_id, 'log');
    }
    if (error !== null && error !== run.error) await noteError({ ledger, key, run }, error);
    for (const one of messages) await publishMessage(tx, experiment.short_id, one);
  };
}

/** Records the reason in case the run fails; it may arrive before or after that status. */
async function noteError({ ledger, key, run }: Spoken, error: string): Promise<void> {
  const { tx, experiment } = ledger;
  await say(ledger, key, `The runner reports an error: ${error}`);
  await updateRunnerRun(tx, experiment.id, key, { error });
  if (run.status !== 'ERR') return;
  await updateExperiment(tx, experiment.id, {
    meta: { error: { code: 'RUNNER_FAILED', message: error } },
  });
  await publishLive(tx, experiment.short_id, 'status');
}

function takeStat(message: z.output<typeof nsampleStatSchema>): Work {
  const { chain, stat } = readStat(message);
  return async ({ ledger, key, run }) => {
    const { tx, experiment } = ledger;
    const { [chain]: _, ...others } = run.stats;
    const kept = Object.entries(others).slice(-(maxStatChains - 1));
    await updateRunnerRun(tx, experiment.id, key, {
      stats: { ...Object.fromEntries(kept), [chain]: stat },
    });
    const message: LiveMessage = {
      action: 'experiment:nsample_stat',
      data: { chain_name: chain, ...stat },
    };
    await publishMessage(tx, experiment.short_id, message);
  };
}

/** Chains whose last statistics are stored per run. */
const maxStatChains = 64;
