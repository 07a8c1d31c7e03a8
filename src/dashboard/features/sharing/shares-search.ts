/** The shares page's search parameters besides search and page; separate from the page, so that the route stays light. */
import * as z from 'zod/mini';

export const sharedKinds = ['experiment', 'model', 'workflow', 'project'] as const;
export type SharedKind = (typeof sharedKinds)[number];

export const sharesSearchShape = {
  tab: z.catch(z._default(z.enum(['by-me', 'with-me']), 'by-me'), 'by-me'),
  /** Which kind of others' objects is listed. */
  kind: z.catch(z._default(z.enum(sharedKinds), 'experiment'), 'experiment'),
};
