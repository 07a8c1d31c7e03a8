/** Named views of lists (ours, capability `saved_views`): they follow their user from browser to browser. */
import * as z from 'zod/mini';

/** All views of one list: search, filters, order and columns, as the dashboard's addresses have them. */
export const savedViewsSchema = z.object({
  views: z
    .array(
      z.object({
        name: z.string().check(z.minLength(1), z.maxLength(60)),
        search: z.record(z.string(), z.string()),
      }),
    )
    .check(z.maxLength(100)),
});
export type SavedViews = z.infer<typeof savedViewsSchema>;
export type SavedView = SavedViews['views'][number];
