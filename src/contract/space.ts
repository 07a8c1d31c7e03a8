/** How much room a user's objects take (ours, capability `space`). */
import * as z from 'zod/mini';

/** Bytes and counts by kind of content; `deleted` is what *Delete for good* would free. */
export const spaceSchema = z.object({
  kinds: z.array(
    z.object({
      kind: z.enum(['model', 'data', 'draws', 'logs', 'files']),
      bytes: z.number(),
      objects: z.number(),
    }),
  ),
  deleted: z.object({ bytes: z.number(), objects: z.number() }),
});
export type Space = z.infer<typeof spaceSchema>;
