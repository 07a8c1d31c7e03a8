/** Data objects: what a run conditions on. */
import * as z from 'zod/mini';
import { dateTime, integer } from './common.ts';

export const dataSchema = z.object({
  object_type: z.literal('data'),
  name: z.string(),
  description: z.string(),
  short_id: z.string(),
  created_at: dateTime,
  updated_at: dateTime,
  /** Signed address of the bytes, new in each view; empty in lists. */
  path: z._default(z.string(), ''),
  /** `json`, `csv` or `raw`, determined from the content. */
  fmt: z._default(z.string(), 'raw'),
  tags: z.optional(z.nullable(z.array(z.string()))),
  // Ours:
  id: z.optional(integer),
  version: z.optional(integer),
  /** Bytes. */
  size: z.optional(integer),
  owner: z.optional(z.string()),
});
export type Data = z.infer<typeof dataSchema>;

export const createDataSchema = z.object({
  object_type: z.literal('data'),
  name: z.string().check(z.minLength(1), z.maxLength(255)),
  description: z._default(z.string().check(z.maxLength(2048)), ''),
  data: z._default(z.string(), ''),
  base64_encoded: z._default(z.boolean(), false),
  data_uri: z._default(z.string(), ''),
  tags: z.optional(z.nullable(z.array(z.enum(['anonymous'])))),
});

export const updateDataSchema = z.object({
  object_type: z.literal('data'),
  name: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(255)))),
  description: z.optional(z.nullable(z.string().check(z.maxLength(2048)))),
  data: z.optional(z.nullable(z.string())),
  base64_encoded: z._default(z.boolean(), false),
  data_uri: z.optional(z.nullable(z.string())),
  base_version: z.optional(z.nullable(integer)),
});
