/** Does a handler's preparation of a large body in the thread that reads it: transfers bytes and leaves few values. */
import * as z from 'zod/mini';
import { limits } from '../../contract/limits.ts';
import { sentContentSchema } from '../../contract/model.ts';
import { isRecord } from '../../shared/items.ts';
import { readPackedFile } from '../analysis/analyzer-file.ts';
import { decodeData } from '../content/data-format.ts';
import { readContent } from '../content/model-content.ts';
import { checkSettingsSize } from '../content/settings-size.ts';
import type { Prepared, ReadBody } from '../http/prepared.ts';
import { tooLarge } from '../http/service-error.ts';
import { validate } from '../http/validate.ts';
import { decodeFiles, importTypeOf } from '../imports/request-files.ts';
import { readDrawsMessage } from '../outside-runners/read-draws-message.ts';

type Payload = Readonly<Record<string, unknown>>;
type Taken = Prepared & { readonly rest: Payload };

/**
 * `kind`: the type of a payload without `object_type`. Throws like the handlers; what remains in `body` is limited to
 * `body_text_bytes`.
 */
export function prepareBody(body: unknown, kind: string | null): ReadBody {
  const payload = (body as { readonly payload?: unknown } | null)?.payload;
  const taken = isRecord(payload) ? take(payload, payload.object_type ?? kind) : null;
  if (taken === null) {
    checkTexts(body);
    return { body, prepared: {} };
  }
  const { rest, ...prepared } = taken;
  const left = { ...(body as object), payload: rest };
  checkTexts(left);
  return { body: left, prepared };
}

/** Values of an unexpected shape do not change: the endpoint's schema reports them. */
function take(payload: Payload, type: unknown): Taken | null {
  switch (type) {
    case 'data':
      return takeData(payload);
    case 'model':
      return takeContent(payload);
    case 'experiment':
      return takeFiles(payload);
    case 'experiment.protobuf_message':
      if (!isRecord(payload.logs)) return null;
      return { rest: { ...payload, logs: {} }, draws: readDrawsMessage(payload.logs) };
    case 'workflow.analyzer_result':
      return takeResult(payload);
    case 'workflow':
      if (typeof payload.settings === 'string') checkSettingsSize(payload.settings);
      return null;
    default:
      return null;
  }
}

function takeData(payload: Payload): Taken | null {
  const { data, base64_encoded: isBase64 = false, data_uri: uri } = payload;
  if (typeof data !== 'string' || typeof isBase64 !== 'boolean' || uri) return null;
  return { rest: { ...payload, data: '' }, data: decodeData(data, isBase64) };
}

function takeContent(payload: Payload): Taken | null {
  const { content, entrance_file: entrance = '' } = payload;
  if (!isRecord(content) || typeof entrance !== 'string') return null;
  const checked = validate(contentPayloadSchema, { payload: { content } }, 'body');
  return {
    rest: { ...payload, content: null },
    content: readContent(checked.payload.content, entrance),
  };
}

/** Gives the full path of an invalid field. */
const contentPayloadSchema = z.object({ payload: z.object({ content: sentContentSchema }) });

function takeFiles(payload: Payload): Taken | null {
  const { data_files: files, data_file_type: type } = payload;
  const areTexts = Array.isArray(files) && files.every((file) => typeof file === 'string');
  if (!areTexts || files.length === 0) return null;
  const rest = { ...payload, data_files: files.map(() => '') };
  return { rest, dataFiles: decodeFiles(files as string[], importTypeOf(type)) };
}

function takeResult(payload: Payload): Taken | null {
  const { result } = payload;
  if (typeof result !== 'string') return null;
  return { rest: { ...payload, result: '' }, result: { file: readPackedFile(result) } };
}

/** Without recursion; the number of values has been limited before. */
function checkTexts(root: unknown): void {
  const allowed = limits.body_text_bytes;
  let size = 0;
  const left: unknown[] = [root];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value === 'string') size += Buffer.byteLength(value);
    else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) {
        size += Array.isArray(value) ? 0 : key.length;
        left.push(member ?? null);
      }
    if (size > allowed)
      throw tooLarge(
        `The texts of the body, apart from its content, have more than ${allowed} bytes (body_text_bytes).`,
        { field: 'body', limit: 'body_text_bytes', allowed },
      );
  }
}
