/** Address parameters of the lists of events, callbacks and relations; apart from the page, so that routes stay light. */
import * as z from 'zod/mini';
import { listSearchShape, textSearch } from '../../ui/list-search.ts';

export const eventSearchSchema = z.object({
  ...listSearchShape,
  id: textSearch,
  make: z.catch(z._default(z.boolean(), false), false),
  from: textSearch,
  to: textSearch,
});
