/** Draws, summaries and log ranges: binary and JSON answers of ours (capabilities `draws`, `summary`, `log_range`). */
import * as z from 'zod/mini';
import { dateTime, integer, maxInteger, queryIntegerSchema, queryListSchema } from './common.ts';
import { verdictSchema } from './experiment.ts';

export const drawsQuerySchema = z.object({
  /** Flat names; none = every variable of the run. */
  variable: z.optional(queryListSchema),
  /** `chain#1`, …; none = all. */
  chain: z.optional(queryListSchema),
  /** Absent or empty: sampling. */
  phase: z.optional(z.enum(['warmup', 'sampling', ''])),
  /** First and last iteration, 1-based within the phase, inclusive; 0 = open. */
  from: z._default(queryIntegerSchema(0, maxInteger), 0),
  to: z._default(queryIntegerSchema(0, maxInteger), 0),
  /** If a column has more draws, they are thinned to min–max pairs, with divergent draws kept; 0 = never. */
  max_points: z._default(queryIntegerSchema(0, 10_000_000), 0),
  share_id: z._default(z.string(), ''),
});

/** The two parts of a chain. */
export const phaseSchema = z.enum(['warmup', 'sampling']);
export type Phase = z.infer<typeof phaseSchema>;

/** One run of values of one variable in one chain. `offset` counts float64 values from the start of the columns. */
export const encodedColumnSchema = z.object({
  chain: z.string(),
  variable: z.string(),
  phase: phaseSchema,
  /** 1-based within the phase. */
  first_iteration: integer,
  /** 1: consecutive values; 0: thinned, (iteration, value) pairs and `count` counts the pairs. */
  step: integer,
  count: integer,
  offset: integer,
});
export type EncodedColumn = z.infer<typeof encodedColumnSchema>;
/** `revision` changes when draws were added or the run was finalised. */
export const drawsHeaderSchema = z.object({
  columns: z.array(encodedColumnSchema),
  revision: z.string(),
});
export type DrawsHeader = z.infer<typeof drawsHeaderSchema>;

/**
 * Body of `GET /api/draws/{objid}`: u32 little-endian byte length of the JSON header, the header, padding to a multiple
 * of 8 from the start, then little-endian float64 columns.
 */
export function encodeDraws(header: DrawsHeader, values: Float64Array): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const start = Math.ceil((4 + json.length) / 8) * 8;
  const bytes = new Uint8Array(start + values.byteLength);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, 4);
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), start);
  return bytes;
}

/** Inverse of {@link encodeDraws}; throws if the body is cut off or the header does not fit the contract. */
export function decodeDraws(body: ArrayBuffer): { header: DrawsHeader; values: Float64Array } {
  if (body.byteLength < 4) throw new Error('draws: the body is shorter than its header length');
  const headerBytes = new DataView(body).getUint32(0, true);
  const start = Math.ceil((4 + headerBytes) / 8) * 8;
  if (start > body.byteLength) throw new Error('draws: the body ends inside its header');
  const header = drawsHeaderSchema.parse(
    JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, headerBytes))),
  );
  // Columns begin at a multiple of 8, so they can be read in place: no copy of what may be many megabytes.
  const values = new Float64Array(body, start, Math.floor((body.byteLength - start) / 8));
  for (const column of header.columns) {
    const length = column.step === 0 ? 2 * column.count : column.count;
    if (column.offset + length > values.length)
      throw new Error(`draws: column ${column.variable} is cut`);
  }
  return { header, values };
}

const statistic = z.nullable(z.number());

/** Statistics of one scalar variable over all chains; null where undefined (constant or not finite). */
export const summaryRowSchema = z.object({
  variable: z.string(),
  mean: statistic,
  mcse_mean: statistic,
  sd: statistic,
  median: statistic,
  mad: statistic,
  q5: statistic,
  q25: statistic,
  q75: statistic,
  q95: statistic,
  rhat: statistic,
  ess_bulk: statistic,
  ess_tail: statistic,
  /** Draws that are NaN or infinite. */
  non_finite: integer,
  constant: z.boolean(),
  /**
   * The bounds that the program declares for the variable, on each side that has one: plots end there. Absent if
   * none is declared or known (outside draws), or if it depends on parameters.
   */
  lower: z.optional(z.number()),
  upper: z.optional(z.number()),
  /** The block of the program that declares it; absent if no program is known (outside draws). */
  block: z.optional(z.enum(['parameters', 'transformed parameters', 'generated quantities'])),
  /** Its name with the labels of its dimensions (`meta.labels` of the experiment): `theta[School C]`. Absent: none. */
  label: z.optional(z.string()),
});
export type SummaryRow = z.infer<typeof summaryRowSchema>;

const perSimulation = z.optional(z.array(statistic));

/**
 * For a run with `algorithm: calibration`: the ranks of its simulations' true values among the draws. `position` is the
 * rank as a number in [0, 1], uniform if program and sampler are right; rank, draws and the others have one entry per
 * simulation, in the order of `chains`, null if a quantity is not known there.
 */
export const calibrationSchema = z.object({
  /** Simulations requested. */
  asked: integer,
  /** Chains whose simulations are done and counted. */
  chains: z.array(z.string()),
  failed: z.array(z.string()),
  /** Of the completed ones: those with divergent transitions, and those with a small ESS. */
  divergent: z.array(z.string()),
  slow: z.array(z.string()),
  /** Of the simultaneous band of each quantity: 0.95 over all of them together (Bonferroni). */
  probability: z.number(),
  quantities: z.array(
    z.object({
      variable: z.string(),
      /** `warn`: outside the band; `bad`: outside that of 99.9 %. */
      state: z.enum(['passed', 'warn', 'bad']),
      /** How the posterior departs, if it does. */
      shape: z.nullable(z.enum(['narrow', 'wide', 'high', 'low', 'other'])),
      /** Largest distance from uniform, in half-widths of the band: 1 and more is outside. */
      distance: statistic,
      /** 1 − posterior variance ÷ variance of the true values. */
      contraction: statistic,
      /** Of (posterior mean − true value) ÷ posterior sd. */
      z_mean: statistic,
      z_sd: statistic,
      /** Draws below the true value, and their total after thinning. Absent if the ranks would be too many to send. */
      rank: perSimulation,
      draws: perSimulation,
      position: perSimulation,
      truth: perSimulation,
      /** As for a row of the summary. */
      label: z.optional(z.string()),
    }),
  ),
});
export type WireCalibration = z.infer<typeof calibrationSchema>;

/** Time that the statements of `profile("name")` took, with CmdStan's names; in seconds. */
const profileSchema = z.object({
  name: z.string(),
  total_time: z.number(),
  forward_time: z.number(),
  reverse_time: z.number(),
  autodiff_calls: integer,
  no_autodiff_calls: integer,
});
export type WireProfile = z.infer<typeof profileSchema>;

export const summarySchema = z.object({
  revision: z.string(),
  /** Chains that were included: those with draws that were not left out. */
  n_chains: integer,
  /** Starting points of these chains if some share one (`warmup_chains`): R-hat is then the nested one, over them. */
  n_superchains: z.optional(integer),
  /** Draws per included chain: as many as the shortest of them has. */
  n_samples: integer,
  /** Parameters first, then in the order of `kindOf` in `src/posterior`; `lp__` last. */
  variables: z.array(summaryRowSchema),
  verdict: verdictSchema,
  /** Of a calibration, which has no `variables`: its draws are from many posteriors. */
  calibration: z.optional(calibrationSchema),
  /** All of the run, including those left out. */
  chains: z.array(
    z.object({
      name: z.string(),
      /** Draws that this chain has; absent on other servers. */
      n_samples: z.optional(integer),
      /** If R-hat rules out the use of the draws: whether the other chains agree without this one. */
      is_apart: z.optional(z.boolean()),
      divergences: integer,
      treedepth_hits: integer,
      ebfmi: statistic,
      step_size: statistic,
      warmup_seconds: statistic,
      sampling_seconds: statistic,
      /** Of the program's `profile` statements, warmup included; absent if it has none. */
      profiles: z.optional(z.array(profileSchema)),
    }),
  ),
});
export type Summary = z.infer<typeof summarySchema>;

export const logQuerySchema = z.object({
  stream: z._default(z.enum(['stdlog', 'platform']), 'stdlog'),
  /** Byte range, `to` exclusive; a negative `from` counts from the end; `to` 0 = the end. */
  from: z._default(queryIntegerSchema(-(2 ** 40), 2 ** 40), 0),
  to: z._default(queryIntegerSchema(0, 2 ** 40), 0),
  q: z._default(z.string(), ''),
});
export const logRangeSchema = z.object({
  from: integer,
  to: integer,
  /** Current bytes and lines of the entire log. */
  size: integer,
  lines: integer,
  text: z.string(),
  /** Byte offsets of lines that contain `q`, at most 10 000. */
  matches: z.optional(z.array(integer)),
});
export type LogRange = z.infer<typeof logRangeSchema>;

/** `GET /api/versions/{objid}`, newest first. */
export const versionsSchema = z.object({
  versions: z.array(
    z.object({ version: integer, created_at: dateTime, note: z.optional(z.string()) }),
  ),
});
