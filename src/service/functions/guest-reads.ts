/** What a function may read, with the rights of its caller: runs, draws, summaries and data. */
import * as z from 'zod/mini';
import type { CoreContext } from '../context.ts';
import type { GuestLimits, GuestRead } from '../guests/guest-frames.ts';
import { type GuestReader, GuestRefusal, type ReadAnswer } from '../guests/guest-process.ts';
import type { Viewer } from '../http/call.ts';
import { ServiceError } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { findData, findDataBytes } from '../repositories/data.ts';
import { viewExperiment } from '../results/experiment-view.ts';
import { viewSummary } from '../results/summary.ts';
import { openDraws, readVisible } from '../results/visible-draws.ts';

const listOf = z.union([z.string(), z.array(z.string())]);
const wholeFrom = (least: number) =>
  z.optional(z.nullable(z.number().check(z.int(), z.minimum(least))));
const drawsOptionsSchema = z.object({
  variables: z.optional(z.nullable(listOf)),
  chains: z.optional(z.nullable(listOf)),
  /** Thinning: every n-th saved draw. */
  thin: wholeFrom(1),
  from: wholeFrom(0),
  to: wholeFrom(0),
  phase: z.optional(z.nullable(z.enum(['warmup', 'sampling']))),
});

/** A reader for one call by `caller`. Refusals carry the service's own messages and codes. */
export function createGuestReader(
  context: CoreContext,
  caller: Viewer,
  limits: GuestLimits,
): GuestReader {
  const reads: Record<GuestRead['what'], (read: GuestRead) => Promise<ReadAnswer>> = {
    experiment: async ({ id }) => {
      const request = { objid: id, viewer: caller, shareId: '', baseUrl: '' };
      return asJson(await viewExperiment(context, request));
    },
    summary: async ({ id }) => {
      const request = { objid: id, operation: 'summary', viewer: caller, shareId: '' } as const;
      return asJson(await viewSummary(context, await openDraws(context, request)));
    },
    draws: (read) => readDraws(context, { caller, read, maxBytes: limits.readBytes }),
    data: ({ id }) => readData(context, caller, id),
  };
  return async (read) => {
    const work = Object.hasOwn(reads, read.what) ? reads[read.what] : undefined;
    if (work === undefined || typeof read.id !== 'string')
      throw new GuestRefusal('INVALID_PARAMETER', 'There is no such reading function.');
    try {
      return await work(read);
    } catch (error) {
      if (error instanceof ServiceError)
        throw new GuestRefusal(error.code, `ergodic.${read.what}("${read.id}"): ${error.message}`);
      throw error;
    }
  };
}

const asJson = (value: unknown): ReadAnswer => ({ json: JSON.stringify(value) });

const toList = (value: string | readonly string[] | null | undefined) =>
  typeof value === 'string' ? [value] : (value ?? undefined);

async function readDraws(
  context: CoreContext,
  { caller, read, maxBytes }: { caller: Viewer; read: GuestRead; maxBytes: number },
): Promise<ReadAnswer> {
  const parsed = drawsOptionsSchema.safeParse(read.options);
  if (!parsed.success)
    throw new GuestRefusal(
      'INVALID_PARAMETER',
      `ergodic.draws takes {variables, chains, thin, from, to, phase}: ${parsed.error.issues[0]?.path.join('.')} is wrong.`,
    );
  const { thin, from, to, phase } = parsed.data;
  const request = { objid: read.id, operation: 'draws', viewer: caller, shareId: '' } as const;
  const visible = await openDraws(context, request);
  const range = {
    variable: toList(parsed.data.variables),
    chain: toList(parsed.data.chains),
    phase: phase ?? ('sampling' as const),
    from: from ?? 0,
    to: to ?? 0,
  };
  // only the owner may see warmup draws
  if (range.phase === 'warmup' && visible.bounds !== null) return { json: '[]' };
  const parts = new Map<string, { variable: string; chain: string; values: Float64Array[] }>();
  let bytes = 0;
  for await (const segments of readVisible(context.pool, visible, range)) {
    for (const { name: chain, variable, values, firstIteration } of segments) {
      const kept = thinned(values, firstIteration, thin ?? 1);
      const key = JSON.stringify([variable, chain]);
      const part = parts.get(key) ?? { variable, chain, values: [] };
      parts.set(key, part);
      part.values.push(kept);
      bytes += kept.byteLength;
    }
    if (bytes > maxBytes)
      throw new GuestRefusal(
        'LIMIT_EXCEEDED',
        `These draws are larger than the ${maxBytes} bytes a function may read: select variables or chains, or thin the draws.`,
      );
  }
  return pack([...parts.values()]);
}

function thinned(values: Float64Array, firstIteration: number, thin: number): Float64Array {
  if (thin === 1) return values;
  // the same iterations in every chain: 1, 1 + thin, …
  const first = (thin - ((firstIteration - 1) % thin)) % thin;
  return values.filter((_, i) => i >= first && (i - first) % thin === 0);
}

/** Columns one after another, and the location of each: {variable, chain, offset and count in values}. */
function pack(
  parts: readonly { variable: string; chain: string; values: readonly Float64Array[] }[],
): ReadAnswer {
  const total = parts.reduce(
    (sum, part) => sum + part.values.reduce((n, values) => n + values.length, 0),
    0,
  );
  const all = new Float64Array(total);
  let at = 0;
  const columns = parts.map(({ variable, chain, values }) => {
    const offset = at;
    for (const piece of values) {
      all.set(piece, at);
      at += piece.length;
    }
    return { variable, chain, offset, count: at - offset };
  });
  return { json: JSON.stringify(columns), bytes: new Uint8Array(all.buffer) };
}

/** Text if the bytes are valid UTF-8, otherwise the bytes. */
async function readData(context: CoreContext, caller: Viewer, id: string): Promise<ReadAnswer> {
  const object = await authorizeLive(context, { objid: id, operation: 'view', viewer: caller });
  const row = await findData(context.pool, object.short_id);
  const bytes = row === null ? null : await findDataBytes(context.pool, row.id);
  if (row === null || bytes === null)
    throw new GuestRefusal('NOT_FOUND', `ergodic.data("${id}"): there is no such data object.`);
  const { name, fmt, version } = row;
  const text = textOf(bytes);
  if (text !== null) return asJson({ name, fmt, version, text });
  return { ...asJson({ name, fmt, version, text: null }), bytes };
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
