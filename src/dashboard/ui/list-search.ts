/** Search parameters every list has; a bad value falls back and the page still opens. */
import * as z from 'zod/mini';

/** Text; a number is what the router makes of an address that a person typed, `?q=12`. */
export const textSearch = z.catch(
  z._default(z.pipe(z.union([z.string(), z.number()]), z.transform(String)), ''),
  '',
);
export const pageSearch = z.catch(z._default(z.number().check(z.int(), z.gte(1)), 1), 1);
/** Order of a list; the newest first unless asked otherwise. Which columns sort is known to the list. */
const sortSearch = z.catch(
  z._default(z.string().check(z.regex(/^-?[a-z]{1,20}$/)), '-created'),
  '-created',
);
/** `yes`, `no`, or empty for both; `true` and `false` are what the router makes of those words. */
export const eitherSearch = z.catch(z._default(z.enum(['', 'yes', 'no']), ''), '');

/** What the address of every list says. */
export const listSearchShape = {
  q: textSearch,
  page: pageSearch,
  sort: sortSearch,
  /** Keys of the columns, parted by commas; empty: those this browser remembers. */
  cols: textSearch,
  created: textSearch,
};
