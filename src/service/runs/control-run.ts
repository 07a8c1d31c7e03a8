/** Stop, pause, resume, extend and retry: commands written to the chains' rows, applied by their worker. */
import { lastingFailures, type RunAction } from '../../contract/experiment.ts';
import { limits } from '../../contract/limits.ts';
import { addRandomStarts } from '../../engine/chain-settings.ts';
import { countWarmups } from '../../engine/shared-warmup.ts';
import { readStored } from '../content/settings-text.ts';
import { conflict, invalidParameter, notFound, ServiceError } from '../http/service-error.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import {
  type ChainRow,
  extendChains,
  insertChains,
  lockChains,
  publishLive,
  requeueEnded,
  updateDesiredState,
  wakeWorkers,
} from '../repositories/chains.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import { chainsLeftOut } from '../repositories/experiment-meta.ts';
import {
  countIdleSeconds,
  type ExperimentRow,
  findExperimentById,
  updateExperiment,
  updateSummary,
} from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import { noteOrigin } from '../repositories/run-origins.ts';
import { endRunIfOver } from './end-run.ts';

export interface RunCommand {
  readonly experimentId: number;
  readonly action: RunAction;
  /** More draws per chain, for `extend`. */
  readonly extendBy: number;
  /** For `retry`: names of chains to restart from another point; absent: failed chains continue. */
  readonly again?: readonly string[];
  /** The user who requested it; absent: no particular user. */
  readonly userId?: number;
}

/** Durable when it returns. Throws CONFLICT with the state if the action does not fit. */
export async function controlRun(
  db: Executor,
  queue: JobQueue,
  command: RunCommand,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const chains = (await lockChains(tx, command.experimentId)).filter(
      (chain) => chain.state !== 'outside',
    );
    const experiment = await findExperimentById(tx, command.experimentId);
    if (experiment === null) throw notFound('There is no such experiment.');
    if (chains.length === 0)
      throw runConflict(experiment, command.action, 'it was not started here');
    const { extendBy, again = [] } = command;
    await actions[command.action]({ tx, queue, experiment, chains, extendBy, again });
    if (isGoingOn(command.action)) await noteOrigin(tx, experiment.id, command.userId ?? null);
    await appendLog(tx, {
      experimentId: experiment.id,
      stream: 'platform',
      text: requestText(command),
    });
    await publishLive(tx, experiment.short_id, 'status');
  });
}

const requestText = ({ action, again = [] }: RunCommand): string =>
  again.length === 0
    ? `Requested: ${action}.\n`
    : `Requested: ${action} of ${again.join(', ')} from other starting points.\n`;

/** Whether it queues chains again. */
const isGoingOn = (action: RunAction) => action !== 'stop' && action !== 'pause';

interface Action {
  readonly tx: Executor;
  readonly queue: JobQueue;
  readonly experiment: ExperimentRow;
  readonly chains: readonly ChainRow[];
  readonly extendBy: number;
  readonly again: readonly string[];
}

const actions: Record<RunAction, (action: Action) => Promise<void>> = {
  stop,
  pause,
  resume,
  extend,
  retry,
};

function runConflict(experiment: ExperimentRow, action: RunAction, why: string): ServiceError {
  const { status, meta } = experiment;
  const state = { status: status === 'SAMPLE_FIN' ? 'RUN' : status, action: meta.action ?? '' };
  return conflict(`The run cannot ${action}: ${why}.`, { state });
}

const isOpen = (chain: ChainRow) => ['queued', 'running', 'paused'].includes(chain.state);

async function stop({ tx, queue, experiment, chains }: Action): Promise<void> {
  if (!chains.some(isOpen)) throw runConflict(experiment, 'stop', 'it has ended');
  const idle = await countIdleSeconds(tx, experiment.id);
  await updateDesiredState(tx, experiment.id, 'stop');
  await updateExperiment(tx, experiment.id, { meta: { action: 'stopping', idle_seconds: idle } });
  await endRunIfOver(tx, queue, experiment.id);
}

async function pause({ tx, experiment, chains }: Action): Promise<void> {
  if (!chains.some((chain) => chain.state === 'queued' || chain.state === 'running')) {
    const isPaused = chains.some((chain) => chain.state === 'paused');
    throw runConflict(experiment, 'pause', isPaused ? 'it is already paused' : 'it has ended');
  }
  await updateDesiredState(tx, experiment.id, 'pause');
  await updateExperiment(tx, experiment.id, { meta: { action: 'paused' } });
}

async function resume({ tx, experiment, chains }: Action): Promise<void> {
  const leftOut = chainsLeftOut(experiment.meta);
  const isResumable = chains.some(
    ({ name, state, desired_state: desired }) =>
      state === 'paused' || ((state === 'stopped' || desired !== 'run') && !leftOut.includes(name)),
  );
  if (!isResumable) {
    throw runConflict(
      experiment,
      'resume',
      chains.some(isOpen) ? 'it is running' : 'it has made all its draws',
    );
  }
  await setGoing(tx, experiment, ['stopped']);
}

async function extend({ tx, experiment, chains, extendBy }: Action): Promise<void> {
  if (!Number.isInteger(extendBy) || extendBy < 1 || extendBy > 1e8) {
    throw invalidParameter(
      'meta.extend_by must be a whole number from 1 to 100000000: how many draws to add to each chain.',
    );
  }
  if (experiment.settings?.algorithm === 'optimize')
    throw runConflict(experiment, 'extend', 'an optimum is a single point, with no draws to add');
  if (experiment.settings?.algorithm === 'calibration')
    throw runConflict(
      experiment,
      'extend',
      'a calibration gains from more simulations, not from more draws',
    );
  if (experiment.settings?.algorithm === 'generate_quantities')
    throw runConflict(experiment, 'extend', 'it reads the draws of another run, which has no more');
  if (chains.every((chain) => chain.state === 'failed'))
    throw runConflict(experiment, 'extend', 'all its chains failed');
  const settings = experiment.settings ?? {};
  const thin = Number(settings.thin ?? 1);
  const numSamples = Number(settings.num_samples ?? 0) + extendBy * thin;
  await updateExperiment(tx, experiment.id, { settings: { ...settings, num_samples: numSamples } });
  await extendChains(tx, experiment.id, extendBy * thin);
  await setGoing(tx, experiment, ['stopped', 'done']);
}

/** Failed chains continue from their last checkpoint; the others are unchanged. */
async function retry(action: Action): Promise<void> {
  const { tx, experiment, chains, again } = action;
  if (again.length > 0) return startInstead(action);
  if (chains.some(isOpen)) throw runConflict(experiment, 'retry', 'it has not ended');
  const leftOut = chainsLeftOut(experiment.meta);
  const failed = chains.filter(({ state, name }) => state === 'failed' && !leftOut.includes(name));
  if (failed.length === 0) throw runConflict(experiment, 'retry', 'none of its chains failed');
  const repeatable = failed.find((chain) => lastingFailures.includes(chain.error_code ?? ''));
  if (repeatable !== undefined) {
    const why = `${repeatable.name} would fail in the same way (${repeatable.error_code}); change the program, the data or the settings and run it again`;
    throw runConflict(experiment, 'retry', why);
  }
  await setGoing(tx, experiment, ['failed']);
}

/**
 * Replaces each named chain with one from another starting point, under the next number, so that it has separate
 * random streams; it ignores the run's `inits`, with which it might start at the same point. The named chains keep their draws and are left out of summary and verdict, which can be undone;
 * if the run is in progress they are stopped, and stay so.
 */
async function startInstead({ tx, experiment, chains, again }: Action): Promise<void> {
  const isGoing = chains.some(isOpen);
  if (isGoing && experiment.meta.action === 'stopping')
    throw runConflict(experiment, 'retry', 'it is being stopped');
  if (isGoing && experiment.meta.action === 'paused')
    throw runConflict(experiment, 'retry', 'it is paused; resume it first');
  const unknown = again.find((name) => !chains.some((chain) => chain.name === name));
  if (unknown !== undefined)
    throw runConflict(experiment, 'retry', `it has no chain ${unknown.slice(0, 100)}`);
  const settings = experiment.settings ?? {};
  if (!byNuts(settings.algorithm))
    throw runConflict(experiment, 'retry', 'only NUTS chains can be restarted from another point');
  const planned = readStored(settings);
  const isWaiting =
    isGoing && countWarmups(planned) < planned.numChains && chains.length < planned.numChains;
  if (isWaiting)
    throw runConflict(experiment, 'retry', 'some of its chains wait for the warmup of others');
  const numChains = chains.length + again.length;
  if (numChains > mostChains)
    throw runConflict(experiment, 'retry', `a run has at most ${mostChains} chains`);
  const iterations = Number(settings.num_warmup ?? 0) + Number(settings.num_samples ?? 0);
  const more = again.length;
  const inits = addRandomStarts(planned.inits, { numChains: chains.length, more });
  if (JSON.stringify(inits).length > mostInitsBytes)
    throw runConflict(experiment, 'retry', 'its inits are too large to list them for each chain');
  await insertChains(tx, experiment.id, { count: again.length, iterations });
  const leftOut = [...new Set([...chainsLeftOut(experiment.meta), ...again])];
  await updateExperiment(tx, experiment.id, {
    settings: { ...settings, num_chains: numChains, ...(inits === null ? {} : { inits }) },
    meta: { chains_left_out: leftOut },
  });
  if (isGoing) await updateDesiredState(tx, experiment.id, 'stop', again);
  else await setGoing(tx, experiment, []);
}

const mostChains = 256;
/** Of all chains together. */
const mostInitsBytes = 16 * limits.inits_bytes;
const byNuts = (algorithm: unknown) => algorithm === undefined || algorithm === 'nuts';

async function setGoing(
  tx: Executor,
  experiment: ExperimentRow,
  from: readonly ('stopped' | 'done' | 'failed')[],
): Promise<void> {
  const idle = await countIdleSeconds(tx, experiment.id);
  await updateDesiredState(tx, experiment.id, 'run');
  await requeueEnded(tx, experiment.id, from, chainsLeftOut(experiment.meta));
  const meta = {
    action: 'running',
    verdict: null,
    error: null,
    run_info: { status: 'RUN' },
    idle_seconds: idle,
    ...(isPastTimeLimit(experiment) ? { time_limit_reached: false } : {}),
  };
  await updateExperiment(tx, experiment.id, { status: 'RUN', meta });
  await updateSummary(tx, experiment.id, null);
  await wakeWorkers(tx);
}

/** The limit applies to the run as it was started: once that has ended or has been stopped by it, to nothing more. */
function isPastTimeLimit({ status, settings, meta }: ExperimentRow): boolean {
  if (typeof settings?.time_limit !== 'number') return false;
  return (status !== 'NEW' && status !== 'RUN') || meta.time_limit_reached === true;
}
