/** How much room a user's objects take (ours, capability `space`). */
import * as z from 'zod/mini';
import { integer } from './common.ts';

/** Bytes and counts by kind of content; `deleted` is what *Delete for good* would free. */
export const spaceSchema = z.object({
  kinds: z.array(
    z.object({
      kind: z.enum(['model', 'data', 'draws', 'logs', 'files']),
      bytes: integer,
      objects: integer,
    }),
  ),
  deleted: z.object({ bytes: integer, objects: integer }),
});
export type Space = z.infer<typeof spaceSchema>;
