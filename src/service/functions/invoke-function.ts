/** The two endpoints that call functions: `/invoke`, and the older `model.run_script`. */
import type * as z from 'zod/mini';
import type { modelRunAnswerSchema, modelRunScriptSchema } from '../../contract/runner.ts';
import type { CoreContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { invalidField } from '../http/service-error.ts';
import { type CallRequest, requestCall } from './request-call.ts';

/** Empty when the caller does not wait for the answer. */
export async function invokeFunction(
  context: CoreContext,
  request: Pick<CallRequest, 'target' | 'parameters' | 'getResponse' | 'viewer'>,
): Promise<{ cloudfunction_response?: unknown }> {
  const answer = await requestCall(context, request);
  return request.getResponse ? { cloudfunction_response: answer ?? null } : {};
}

/** `params` is JSON text, or empty. */
export async function runScript(
  context: CoreContext,
  target: string,
  call: { payload: z.output<typeof modelRunScriptSchema>; viewer: Viewer },
): Promise<z.infer<typeof modelRunAnswerSchema>> {
  const { params, get_response: getResponse, cache, lock_key: lockKey } = call.payload;
  const parameters = readParams(params);
  const request = { target, parameters, getResponse, viewer: call.viewer, cache, lockKey };
  const answer = await requestCall(context, request);
  return { object_type: 'model.run_response', data: answer ?? null };
}

/** The JSON value of a text; an empty object if the text is empty. */
function readParams(params: string): unknown {
  if (params.trim() === '') return {};
  try {
    return JSON.parse(params);
  } catch (error) {
    throw invalidField('payload.params', `is not valid JSON: ${(error as Error).message}`);
  }
}
