/** Requests for calls: one at a time if a function wants that, cached answers, and a record of each call. */

import type { CoreContext } from '../context.ts';
import { isConfinedLanguage } from '../guests/confined-runtimes.ts';
import type { Viewer } from '../http/call.ts';
import { conflict, limitExceeded, notSupported } from '../http/service-error.ts';
import { authorizeBuiltin, authorizeLive } from '../policy/authorize.ts';
import { inTransaction } from '../repositories/database.ts';
import {
  type CallRow,
  type ClaimedCall,
  callTask,
  cancelCall,
  claimCall,
  findAnswer,
  insertCall,
  MAX_WAITING,
  USER_WAITING,
} from '../repositories/function-calls.ts';
import { renewAwaited } from '../repositories/tasks.ts';
import { readFunctionProgram } from './function-program.ts';
import { runClaimedCall } from './run-call.ts';

export interface CallRequest {
  readonly target: string;
  readonly parameters: unknown;
  /** False: stored durably once requested, and run by a job. */
  readonly getResponse: boolean;
  readonly viewer: Viewer;
  /** Return a remembered answer to the same call if there is one, and remember this one. */
  readonly cache?: boolean;
  /** Only one call with the same function and key runs at a time. */
  readonly lockKey?: string;
  /** How long the caller waits for other calls to finish. */
  readonly maxWaitMs?: number;
}

const MAX_WAIT_MS = 25_000;
/** How often a caller checks whether it can run. */
const LOOK_MS = 50;

/** The answer, or undefined when the caller does not wait. Throws like `callFunction`, and CONFLICT if it cannot start. */
export async function requestCall(context: CoreContext, request: CallRequest): Promise<unknown> {
  const { target, getResponse, viewer, cache = false } = request;
  const { version, isSingleInstance } = await checkTarget(context, target, viewer);
  const userId = viewer.user?.id ?? 0;
  const parameters = JSON.stringify(request.parameters ?? {});
  const key = { functionId: target, version, userId, parameters };
  const known = cache ? await findAnswer(context.pool, key) : null;
  if (known !== null) return JSON.parse(known);
  const call = await insertRequestedCall(context, {
    functionId: target,
    version,
    userId,
    parameters,
    background: !getResponse,
    lockKey: lockKeyOf(target, request.lockKey ?? '', isSingleInstance),
  });
  if (!getResponse) return undefined;
  const claimed = await waitForTurn(context, call, request.maxWaitMs ?? MAX_WAIT_MS);
  return runClaimedCall(context, claimed, { viewer, remember: cache });
}

/** A key restricts the lock to calls of the function with the same key. */
function lockKeyOf(target: string, key: string, isSingleInstance: boolean): string | null {
  if (key !== '') return `${target}:${key.slice(0, 200)}`;
  return isSingleInstance ? target : null;
}

/** Rejects calls that cannot run: missing permission, no such function, or no runtime for it. */
async function checkTarget(
  context: CoreContext,
  target: string,
  viewer: Viewer,
): Promise<{ version: number; isSingleInstance: boolean }> {
  if (authorizeBuiltin({ objid: target, operation: 'invoke', viewer }) !== null)
    return { version: 0, isSingleInstance: false };
  const object = await authorizeLive(context, { objid: target, operation: 'invoke', viewer });
  const { version, isSingleInstance, language } = await readFunctionProgram(
    context.pool,
    object.short_id,
  );
  const missing = isConfinedLanguage(language) ? await context.confined.missing(language) : null;
  if (missing !== null) throw notSupported(missing);
  return { version, isSingleInstance };
}

/** Records the call; if no caller waits for it, a job is queued in the same transaction. */
export async function insertRequestedCall(
  { pool, queue }: Pick<CoreContext, 'pool' | 'queue'>,
  request: Parameters<typeof insertCall>[1],
): Promise<CallRow> {
  return inTransaction(pool, async (tx) => {
    const call = await insertCall(tx, request);
    if (call === null)
      throw limitExceeded(
        `Too many calls are waiting: at most ${MAX_WAITING} of this function, which runs one at a time, and ${USER_WAITING} of yours.`,
        { limit: 'calls_waiting', allowed: MAX_WAITING },
      );
    if (call.background)
      await queue.send('function_call', { callId: call.id }, { tx, key: String(call.id) });
    return call;
  });
}

async function waitForTurn(
  { pool }: CoreContext,
  call: CallRow,
  maxWaitMs: number,
): Promise<ClaimedCall> {
  const until = performance.now() + maxWaitMs;
  for (let looks = 0; ; looks++) {
    const claimed = await claimCall(pool, call);
    if (claimed !== null) return claimed;
    if (performance.now() > until) break;
    if (looks % 40 === 39) await renewAwaited(pool, callTask(call.id));
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  const message =
    'This function runs one call at a time and another call is running: try again later.';
  await cancelCall(pool, call, { error: { code: 'CONFLICT', message } });
  throw conflict(message, { state: { waiting: true } });
}
