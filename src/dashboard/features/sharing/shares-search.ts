/** What the address of the shares page says beside search and page; apart from the page, so that the route stays light. */
import * as z from 'zod/mini';

export const sharedKinds = ['experiment', 'model', 'workflow', 'project'] as const;
export type SharedKind = (typeof sharedKinds)[number];

export const sharesSearchShape = {
  tab: z.catch(z._default(z.enum(['by-me', 'with-me']), 'by-me'), 'by-me'),
  /** What of others' is listed. */
  kind: z.catch(z._default(z.enum(sharedKinds), 'experiment'), 'experiment'),
};
