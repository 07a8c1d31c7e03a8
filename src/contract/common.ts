/** Ids, dates, paging and the small types every resource shares. Wire names are kept everywhere. */
import * as z from 'zod/mini';

// The JIT of zod probes `new Function`, which the page's content security policy reports as a violation.
z.config({ jitless: true });

/** Kinds of objects, as in `object_type`. */
export const objectKinds = [
  'model',
  'experiment',
  'share',
  'event',
  'callback',
  'relation',
  'data',
  'workflow',
  'project',
] as const;
export type ObjectKind = (typeof objectKinds)[number];

/** First letter of the id of each kind. The document gives M, X, S, F; D is what public clients use; E, C, R, P are ours. */
export const kindLetters = {
  model: 'M',
  experiment: 'X',
  share: 'S',
  workflow: 'F',
  data: 'D',
  event: 'E',
  callback: 'C',
  relation: 'R',
  project: 'P',
} as const satisfies Record<ObjectKind, string>;

/** An id: kind letter and 7 or 8 of 0-9A-Za-z; case matters. We generate 7. */
export const objectIdPattern = /^[MXSFDECRP][0-9A-Za-z]{7,8}$/;

/** The kind of an id, or null when it is not an id. */
export function kindOfId(id: string): ObjectKind | null {
  if (!objectIdPattern.test(id)) return null;
  return objectKinds.find((kind) => kindLetters[kind] === id[0]) ?? null;
}

/** OpenAPI description of a schema that cannot express it itself: see `openapi.ts`. */
export const describedAs = z.registry<{ readonly json: Readonly<Record<string, unknown>> }>();

function annotate<T extends z.ZodMiniType>(schema: T, json: Readonly<Record<string, unknown>>): T {
  describedAs.add(schema, { json });
  return schema;
}

/** In answers: a whole number. Those of other servers are accepted as they are. */
export const integer = annotate(z.number(), { type: 'integer' });
/** In answers: ISO 8601 in UTC. Those of other servers are accepted as they are. */
export const dateTime = annotate(z.string(), { type: 'string', format: 'date-time' });
/** In answers: a time, or nothing. */
export const optionalDateTime = z.optional(z.nullable(dateTime));

/** A query text for which the service knows these values. */
export const choice = (values: readonly string[]) =>
  annotate(z.string(), { type: 'string', enum: values });

/** true/false in a query, in any case (a public client sends `True`). */
export const queryBooleanSchema = annotate(
  z.pipe(
    z.union([z.boolean(), z.string()]),
    z.transform((value, context) => {
      const text = String(value).toLowerCase();
      if (text === 'true' || text === '1') return true;
      if (text === 'false' || text === '0' || text === '') return false;
      context.issues.push({ code: 'custom', message: 'must be true or false', input: value });
      return z.NEVER;
    }),
  ),
  { type: 'boolean' },
);

/** The largest number that an integer column holds: versions, iterations, counts. */
export const maxInteger = 2 ** 31 - 1;

/** A whole number in a query; `low` and `high` are inclusive. */
export function queryIntegerSchema(low: number, high: number) {
  return annotate(
    z.pipe(
      z.union([z.number(), z.string()]),
      z.transform((value, context) => {
        const number =
          typeof value === 'number' ? value : value.trim() === '' ? Number.NaN : Number(value);
        if (!Number.isInteger(number) || number < low || number > high) {
          context.issues.push({
            code: 'custom',
            message: `must be a whole number from ${low} to ${high}`,
            input: value,
          });
          return z.NEVER;
        }
        return number;
      }),
    ),
    { type: 'integer', minimum: low, maximum: high },
  );
}

/** A key that may be repeated in a query: always parsed to a list. */
export const queryListSchema = annotate(
  z.pipe(
    z.union([z.string(), z.array(z.string())]),
    z.transform((value) => (Array.isArray(value) ? value : value === '' ? [] : [value])),
  ),
  { type: 'array', items: { type: 'string' } },
);

export const maxPageSize = 1000;

export const pageQueryShape = {
  /** 1-based. */
  page_no: z._default(queryIntegerSchema(1, 1_000_000_000), 1),
  page_size: z._default(queryIntegerSchema(1, maxPageSize), 100),
};

/** `total` is exact and counts before paging; `page` and `count_per_page` echo the request. */
export function pageSchema<T extends z.ZodMiniType>(objectSchema: T) {
  return z.object({
    total: integer,
    page: integer,
    count_per_page: integer,
    objects: z.array(objectSchema),
  });
}

/** A string that may be absent, null or anything a foreign server sends for "nothing". */
export const optionalText = z.optional(z.nullable(z.string()));
