/** Runs a claimed call: renews its lease meanwhile, records the outcome, and lets the next call start. */
import { kindOfId } from '../../contract/common.ts';
import { limits as bounds } from '../../contract/limits.ts';
import type { CoreContext } from '../context.ts';
import { GuestEnded } from '../guests/guest-process.ts';
import type { Viewer } from '../http/call.ts';
import { JsonText } from '../http/json-pieces.ts';
import { ServiceError } from '../http/service-error.ts';
import { holdTask } from '../jobs/hold-task.ts';
import type { JobOutcome } from '../jobs/job-queue.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import {
  type CallRow,
  type ClaimedCall,
  claimCall,
  endCall,
  findCall,
  insertAnswer,
  listNextCalls,
} from '../repositories/function-calls.ts';
import { releaseLease } from '../repositories/tasks.ts';
import { inSpan } from '../spans.ts';
import { callFunction, type FunctionAnswer, isPassing, runFunction } from './call-function.ts';
import { readCallbackProgram } from './callback-program.ts';
import { viewerOfUser } from './viewer-of-user.ts';

/**
 * Returns the answer or throws the error, after recording it. Errors that a retry may avoid are not recorded: if no
 * caller waits for it, the call goes back to the waiting calls.
 */
export async function runClaimedCall(
  context: CoreContext,
  claimed: ClaimedCall,
  { viewer, remember }: { viewer: Viewer; remember: boolean },
): Promise<unknown> {
  const { call, lease } = claimed;
  const since = performance.now();
  try {
    return await holdTask(context, lease, async () => {
      const { answer, log, milliseconds } = await inSpan('function call', spanOf(call), () =>
        dispatch(context, call, viewer),
      );
      await inTransaction(context.pool, async (tx) => {
        const isOurs = await endCall(tx, claimed, { log, milliseconds });
        if (isOurs && remember) await rememberAnswer(tx, call, answer);
      });
      return answer;
    });
  } catch (error) {
    const milliseconds = performance.now() - since;
    if (call.background && isPassing(error)) await releaseLease(context.pool, lease);
    else await endCall(context.pool, claimed, { ...failureOf(error), milliseconds });
    throw error;
  } finally {
    await startNext(context, call);
  }
}

/** Only the id of the function or callback: parameters and answers belong to the caller. */
const spanOf = ({ function_id: id, background }: CallRow) => ({
  attributes: { 'ergodic.function.id': id, 'ergodic.function.background': background },
});

async function dispatch(
  context: CoreContext,
  call: CallRow,
  viewer: Viewer,
): Promise<FunctionAnswer> {
  const parameters: unknown = JSON.parse(call.parameters);
  const limits = call.background
    ? { milliseconds: bounds.function_background_seconds * 1000 }
    : undefined;
  const { function_id: modelId, version } = call;
  if (kindOfId(modelId) !== 'callback')
    return callFunction(context, { modelId, version, parameters, caller: viewer, limits });
  const program = await readCallbackProgram(context, { callbackId: modelId, viewer });
  return runFunction(context, program, { parameters, caller: viewer, limits });
}

function failureOf(error: unknown): { error: { code: string; message: string }; log?: string } {
  if (error instanceof GuestEnded)
    return { error: { code: 'UNAVAILABLE', message: error.message } };
  if (!(error instanceof ServiceError))
    return { error: { code: 'INTERNAL', message: 'The call failed inside the service.' } };
  const { code, message, details } = error;
  return { error: { code, message }, log: typeof details?.log === 'string' ? details.log : '' };
}

/** Answers longer than this are not remembered. */
const MAX_REMEMBERED = 2 ** 20;

async function rememberAnswer(
  tx: Executor,
  { function_id: functionId, version, user_id: userId, parameters }: CallRow,
  answer: unknown,
): Promise<void> {
  const text = answer instanceof JsonText ? answer.text : JSON.stringify(answer ?? null);
  if (text.length > MAX_REMEMBERED) return;
  await insertAnswer(tx, { functionId, version, userId, parameters }, text);
}

async function startNext({ pool, queue }: CoreContext, call: CallRow): Promise<void> {
  for (const callId of await listNextCalls(pool, call))
    await queue.send('function_call', { callId }, { key: String(callId) });
}

/** The job of a call for which no caller waits. Its answer is remembered: the same call with `cache` finds it. */
export async function carryOutCall(context: CoreContext, callId: number): Promise<JobOutcome> {
  const call = await findCall(context.pool, callId);
  if (call === null || call.state !== 'waiting') return { kind: 'done' };
  const claimed = await claimCall(context.pool, call, context.workerId);
  // it runs when the previous call ends
  if (claimed === null) return { kind: 'done' };
  const viewer = await viewerOfUser(context.pool, call.user_id);
  if (viewer === null) return { kind: 'done' };
  try {
    await runClaimedCall(context, claimed, { viewer, remember: true });
  } catch (error) {
    if (!(error instanceof ServiceError))
      context.logger.error({ err: error, call: callId }, 'a function call failed');
  }
  return { kind: 'done' };
}
