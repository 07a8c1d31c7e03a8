/**
 * Uploads in pieces, stored until an import uses them (ours, capability `uploads`): begun with their size, appended to at
 * the server's offset, found again after a lost connection or a reload, and used by `data_uploads`.
 */
import * as z from 'zod/mini';
import { dateTime, integer, queryIntegerSchema } from './common.ts';

export const createUploadSchema = z.object({
  /** The name of the file, for messages. */
  name: z.string().check(z.minLength(1), z.maxLength(255)),
  /** Bytes of the entire file. */
  size: z.int().check(z.positive()),
  /** Any text that identifies the file, so that its sender finds the upload again. */
  fingerprint: z._default(z.string().check(z.maxLength(500)), ''),
});

export const uploadSchema = z.object({
  upload_id: z.string(),
  name: z.string(),
  size: integer,
  /** Bytes that are safe on the server's disk: the next piece begins here. */
  offset: integer,
  fingerprint: z.string(),
  /** It is deleted then, unless more comes or an import uses it. */
  expires_at: dateTime,
});
export type Upload = z.infer<typeof uploadSchema>;

export const appendQuerySchema = z.object({
  offset: queryIntegerSchema(0, Number.MAX_SAFE_INTEGER),
});
