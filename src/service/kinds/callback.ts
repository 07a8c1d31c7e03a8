/** Callbacks: code that events call. */

import { limits } from '../../contract/limits.ts';
import type { FunctionRun } from '../../contract/relations.ts';
import type { CoreContext, WebContext } from '../context.ts';
import { parseCallbackCode } from '../functions/callback-program.ts';
import { listFunctionRuns } from '../functions/function-runs.ts';
import type { Viewer } from '../http/call.ts';
import { invalidField, notFound, tooLarge } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import {
  type CallbackRow,
  insertCallback,
  listCallbacks,
  updateCallback,
} from '../repositories/relations.ts';
import { insertToken } from '../repositories/tokens.ts';
import { viewRequest } from './call-checks.ts';
import type { Caller, ChangePayload, CreatePayload, Kind, Target, ViewCall } from './kind.ts';

export const callback: Kind<'callback', CallbackRow> = {
  create,
  change,
  list: listCallbacks,
  toWire,
  view,
};

function toWire(
  row: CallbackRow,
  { token = '', runs }: { token?: string; runs?: FunctionRun[] } = {},
) {
  const { short_id, lang, code, single_instance, created_at } = row;
  return {
    object_type: 'callback' as const,
    short_id,
    lang,
    code,
    single_instance,
    created_at,
    token,
    ...(runs === undefined ? {} : { runs }),
  };
}

/** Days for which a callback's own token is valid. */
const TOKEN_DAYS = 365;
const dayMs = 86_400_000;

/** Only this response contains the callback's token in plain text. */
async function create(
  { pool, now }: CoreContext,
  { user }: Caller,
  payload: CreatePayload<'callback'>,
) {
  const { lang, code, single_instance: singleInstance } = payload;
  checkCode(code);
  const ownerId = user.id;
  return inTransaction(pool, async (tx) => {
    const row = await insertCallback(tx, { ownerId, lang, code, singleInstance, token: '' });
    const { text } = await insertToken(tx, {
      userId: user.id,
      kind: 'run',
      name: `callback ${row.short_id}`,
      scope: row.short_id,
      expiresAt: new Date(now() + TOKEN_DAYS * dayMs).toISOString(),
    });
    return toWire(row, { token: text });
  });
}

async function change(
  { pool }: CoreContext,
  { object, viewer }: Target,
  { lang, code, single_instance: singleInstance }: ChangePayload<'callback'>,
) {
  if (code !== undefined && code !== null) checkCode(code);
  await updateCallback(pool, object.id, { lang, code, singleInstance });
  return viewOf(pool, object, viewer);
}

function checkCode(code: string): void {
  const size = Buffer.byteLength(code);
  if (code.trim() === '') throw invalidField('payload.code', 'is empty.');
  if (size > limits.callback_bytes) {
    const allowed = limits.callback_bytes;
    const details = { field: 'payload.code', limit: 'callback_bytes', allowed, size };
    const message = `payload.code has ${size} bytes, more than callback_bytes allows (${allowed}).`;
    throw tooLarge(message, details);
  }
  parseCallbackCode(code);
}

async function view(context: WebContext, call: ViewCall) {
  const object = await authorizeLive(context, viewRequest(call));
  return viewOf(context.pool, object, call.viewer);
}

async function viewOf(db: Executor, object: ObjectRow, viewer: Viewer) {
  const [row] = await listCallbacks(db, [object]);
  if (row === undefined) throw notFound();
  return toWire(row, { runs: await listFunctionRuns(db, object.short_id, viewer) });
}
