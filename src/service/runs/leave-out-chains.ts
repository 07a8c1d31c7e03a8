/** Leaves chains out of summary, verdict and plots, or brings them back: the owner's choice; no draws are lost. */
import type pg from 'pg';
import type { CoreContext } from '../context.ts';
import { conflict, invalidParameter, orNotFound } from '../http/service-error.ts';
import { type ChainRow, listChains, publishLive } from '../repositories/chains.ts';
import { inTransaction } from '../repositories/database.ts';
import { chainsLeftOut } from '../repositories/experiment-meta.ts';
import {
  bumpRevision,
  type ExperimentChange,
  type ExperimentRow,
  findExperimentById,
  updateExperiment,
  updateSummary,
} from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import { lockExperiment } from '../repositories/runner-runs.ts';
import { summariseRun } from '../results/summarise-run.ts';
import { runFailure } from './failure-scope.ts';

const field = 'payload.meta.chains_left_out';
/** For a run that keeps changing while it is judged. */
const mostAttempts = 3;

/** The names as sent; null: nothing was sent. `null` on the wire means none. Throws INVALID_PARAMETER. */
export function readChainNames(sent: unknown): string[] | null {
  if (sent === undefined) return null;
  if (sent === null) return [];
  if (!Array.isArray(sent) || !sent.every((name) => typeof name === 'string'))
    throw invalidParameter('meta.chains_left_out must be a list of chain names.', { field });
  return [...new Set(sent)];
}

/**
 * Stores the choice and, if the run has ended, the summary and verdict of the remaining chains, in one transaction.
 * Throws INVALID_PARAMETER for unknown names or if all chains are named, CONFLICT if the run keeps changing.
 */
export async function leaveOutChains(
  { pool }: Pick<CoreContext, 'pool'>,
  { id, short_id: objid }: Pick<ExperimentRow, 'id' | 'short_id'>,
  names: readonly string[],
): Promise<void> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++)
    if (await tryToLeaveOut(pool, { id, objid, names })) return;
  throw conflict('The run changed while its chains were judged. Try again.');
}

interface Choice {
  readonly id: number;
  readonly objid: string;
  readonly names: readonly string[];
}

/** False: the run changed meanwhile, and nothing was stored. */
async function tryToLeaveOut(pool: pg.Pool, { id, objid, names }: Choice): Promise<boolean> {
  const before = orNotFound(await findExperimentById(pool, id));
  const chains = await listChains(pool, id);
  const leftOut = chains.map(({ name }) => name).filter((name) => names.includes(name));
  checkNames(
    names,
    chains.map(({ name }) => name),
  );
  if (leftOut.join('\n') === chainsLeftOut(before.meta).join('\n')) return true;
  const revision = before.revision + 1;
  const { settings } = before.meta;
  const request = { experimentId: id, revision: String(revision), chains, leftOut, settings };
  const statistics = isEnded(before) ? await summariseRun(pool, request) : null;
  return inTransaction(pool, async (tx) => {
    await lockExperiment(tx, id);
    const now = orNotFound(await findExperimentById(tx, id));
    if (isEnded(now) !== isEnded(before)) return false;
    if (statistics !== null && now.revision !== before.revision) return false;
    const judged = statistics === null ? {} : endWithout(now, chains, leftOut);
    const verdict = statistics === null ? {} : { verdict: statistics.summary.verdict };
    const choice = { chains_left_out: leftOut.length === 0 ? null : leftOut };
    await updateExperiment(tx, id, { ...judged, meta: { ...choice, ...verdict, ...judged.meta } });
    if (statistics !== null) {
      await bumpRevision(tx, id);
      await updateSummary(tx, id, statistics.summary);
    }
    await appendLog(tx, { experimentId: id, stream: 'platform', text: logText(leftOut) });
    await publishLive(tx, objid, 'status');
    return true;
  });
}

/** If so, statistics exist and must be updated; otherwise the end of the run makes them. */
function isEnded({ status, meta }: ExperimentRow): boolean {
  return (status === 'FIN' || status === 'ERR') && Boolean(meta.verdict);
}

/** A run of ours has failed if a chain that is judged has; an outside runner says itself whether it failed. */
function endWithout(
  { settings }: ExperimentRow,
  chains: readonly ChainRow[],
  leftOut: readonly string[],
): Pick<ExperimentChange, 'status' | 'meta'> {
  if (settings === null) return {};
  const error = runFailure(chains, leftOut);
  const status = error === null ? 'FIN' : 'ERR';
  return { status, meta: { error, run_info: { status } } };
}

function checkNames(names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalidParameter(
      `meta.chains_left_out names ${unknown.slice(0, 100)}, but the run has ${known.length === 0 ? 'no chains' : known.join(', ').slice(0, 1000)}.`,
      { field },
    );
  if (known.length > 0 && known.every((name) => names.includes(name)))
    throw invalidParameter('meta.chains_left_out names every chain; at least one must be kept.', {
      field,
    });
}

function logText(leftOut: readonly string[]): string {
  return leftOut.length === 0
    ? 'Summary and plots use all chains again.\n'
    : `Left out of summary and plots: ${leftOut.join(', ')}.\n`;
}
