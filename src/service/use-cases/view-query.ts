/** The query of a view, as validated. */
import type * as z from 'zod/mini';
import type { viewQuerySchema } from '../../contract/objects.ts';

export type ViewQuery = z.output<typeof viewQuerySchema>;
