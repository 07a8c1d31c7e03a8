/** Addresses that state only what differs from a page's defaults: short enough to read and pass on. */
import { type SearchMiddleware, stripSearchParams } from '@tanstack/react-router';
import * as z from 'zod/mini';

/** Options of a route: `schema`, which has a default for each of its keys, and addresses without these defaults. */
export function shortSearch<Schema extends z.ZodMiniObject>(schema: Schema) {
  const strip = stripSearchParams<object>(z.parse(schema, {}));
  return {
    validateSearch: schema,
    search: { middlewares: [strip as unknown as SearchMiddleware<z.output<Schema>>] },
  };
}
