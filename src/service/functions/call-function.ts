/** Calls a cloud function or a built-in one, in a sandbox and with the rights of its caller. */
import { limits as bounds } from '../../contract/limits.ts';
import { isRecord } from '../../shared/items.ts';
import type { CoreContext } from '../context.ts';
import { isConfinedLanguage } from '../guests/confined-runtimes.ts';
import type { GuestFailure, GuestLimits } from '../guests/guest-frames.ts';
import { GuestEnded, type GuestResult } from '../guests/guest-process.ts';
import { SMALL_BYTES } from '../http/body-reader.ts';
import type { Viewer } from '../http/call.ts';
import { JsonText } from '../http/json-pieces.ts';
import {
  invalidParameter,
  limitExceeded,
  notSupported,
  ServiceError,
} from '../http/service-error.ts';
import { authorizeBuiltin, authorizeLive } from '../policy/authorize.ts';
import { isUnavailable } from '../repositories/database.ts';
import { type FunctionProgram, readFunctionProgram } from './function-program.ts';
import { createGuestReader } from './guest-reads.ts';

export interface FunctionCall {
  /** Id of a model with the tag `code`, or of a built-in function. */
  readonly modelId: string;
  /** A version of the model; absent or 0: the latest. */
  readonly version?: number;
  /** Any JSON value; the function gets a copy of it. */
  readonly parameters: unknown;
  /** Must be allowed to call the function, which can read only what this viewer may see. */
  readonly caller: Viewer;
  /** Absent: the limits of `/sys/config`. */
  readonly limits?: Partial<GuestLimits>;
}

export interface FunctionAnswer {
  /** JSON value; a long one is `JsonText`, see {@link valueOf}. Bytes are {base64}. */
  readonly answer: unknown;
  /** Its log, limited in size. */
  readonly log: string;
  readonly milliseconds: number;
}

export const functionLimits: GuestLimits = {
  milliseconds: bounds.function_seconds * 1000,
  memoryBytes: bounds.function_memory_bytes,
  answerBytes: bounds.function_answer_bytes,
  logBytes: bounds.function_log_bytes,
  reads: bounds.function_reads,
  readBytes: bounds.function_read_bytes,
};

/**
 * Throws `ServiceError`: PERMISSION_DENIED, NOT_FOUND, INVALID_PARAMETER when it is not a function or its program failed
 * (`details`: file, line, stack, log), LIMIT_EXCEEDED for time, memory and sizes, NOT_SUPPORTED with what to install.
 */
export async function callFunction(
  context: CoreContext,
  { modelId, version = 0, parameters, caller, limits }: FunctionCall,
): Promise<FunctionAnswer> {
  const builtin = authorizeBuiltin({ objid: modelId, operation: 'invoke', viewer: caller });
  if (builtin !== null) {
    const since = performance.now();
    const given = { parameters: isRecord(parameters) ? parameters : {}, caller };
    const answer = await builtin.handler(context, given);
    return { answer, log: '', milliseconds: performance.now() - since };
  }
  const object = await authorizeLive(context, {
    objid: modelId,
    operation: 'invoke',
    viewer: caller,
  });
  const program = await readFunctionProgram(context.pool, object.short_id, version);
  return runFunction(context, program, { parameters, caller, limits });
}

/** Runs a program that the caller may run; its reads have the rights of the caller. Throws like `callFunction`. */
export async function runFunction(
  context: CoreContext,
  program: FunctionProgram,
  call: Pick<FunctionCall, 'parameters' | 'caller' | 'limits'>,
): Promise<FunctionAnswer> {
  const limits = { ...functionLimits, ...call.limits };
  const parameters = JSON.stringify(call.parameters ?? null) ?? 'null';
  const { language, entrance, files } = program;
  let result: GuestResult;
  if (language === 'javascript') {
    const read = createGuestReader(context, call.caller, limits);
    const texts = Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString()]));
    const guest = { files: texts, entrance, form: 'function', parameters } as const;
    result = await context.guests.run({ program: guest, limits, read });
  } else if (isConfinedLanguage(language)) {
    const missing = await context.confined.missing(language);
    if (missing !== null) throw notSupported(missing);
    result = await context.confined.run({ language, files, entrance, parameters }, limits);
  } else {
    throw invalidParameter(
      `${entrance} cannot be called: a function's entrance file must end in .js, .mjs, .py, .jl or .R.`,
    );
  }
  if (!result.ok) throw failed(result.failure, result.log);
  const { answer, log, milliseconds } = result;
  return { answer: await readAnswer(context, answer), log, milliseconds };
}

/** Long answers are checked in a thread, and passed on as text. */
async function readAnswer({ reading }: CoreContext, text: string): Promise<unknown> {
  if (text.length <= SMALL_BYTES) return JSON.parse(text);
  return (await reading.run('isJson', { text })) ? new JsonText(text) : null;
}

/** The parsed value of an answer, for callers that need to look into it. */
export function valueOf({ answer }: FunctionAnswer): unknown {
  return answer instanceof JsonText ? JSON.parse(answer.text) : answer;
}

/** Whether another attempt may succeed: this process is stopping, or the database was unavailable. */
export const isPassing = (error: unknown): boolean =>
  error instanceof GuestEnded || isUnavailable(error);

/** The program's error with its location, or the limit it exceeded. */
function failed(failure: GuestFailure, log: string): ServiceError {
  const { kind, message, file, line, stack } = failure;
  const place = file === null ? '' : line === 0 ? `${file}: ` : `${file}, line ${line}: `;
  const details = { file, line, stack, log: log.slice(-8000) };
  if (kind === 'limit')
    return limitExceeded(`The function was stopped. ${place}${message}`, details);
  return invalidParameter(`The function failed. ${place}${message}`, details);
}
