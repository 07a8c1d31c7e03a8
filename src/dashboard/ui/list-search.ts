/** Search parameters every list has; a bad value falls back and the page still opens. */
import * as z from 'zod/mini';

export const textSearch = z.catch(z._default(z.string(), ''), '');
export const pageSearch = z.catch(z._default(z.number().check(z.int(), z.gte(1)), 1), 1);
/** Order of a list; the newest first unless asked otherwise. */
export const sortSearch = z.catch(
  z._default(z.string().check(z.regex(/^-?(created|updated|name|status)$/)), '-created'),
  '-created',
);
