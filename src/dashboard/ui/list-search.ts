/** Search parameters of every list; an invalid value falls back and the page still opens. */
import * as z from 'zod/mini';

/** Text; the router reads a typed `?q=12` as a number. */
export const textSearch = z.catch(
  z._default(z.pipe(z.union([z.string(), z.number()]), z.transform(String)), ''),
  '',
);
export const pageSearch = z.catch(z._default(z.number().check(z.int(), z.gte(1)), 1), 1);
/** Order of a list; newest first unless requested otherwise. The list knows which columns are sortable. */
const sortSearch = z.catch(
  z._default(z.string().check(z.regex(/^-?[a-z]{1,20}$/)), '-created'),
  '-created',
);
/** `yes`, `no`, or empty for both; the router would turn `true` and `false` into booleans. */
export const eitherSearch = z.catch(z._default(z.enum(['', 'yes', 'no']), ''), '');

/** Parameters in the address of every list. */
export const listSearchShape = {
  q: textSearch,
  page: pageSearch,
  sort: sortSearch,
  /** Column keys, separated by commas; empty: those this browser remembers. */
  cols: textSearch,
  created: textSearch,
};
