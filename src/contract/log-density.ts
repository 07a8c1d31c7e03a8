/** The log density of a run's program at a point, with its gradient (ours, capability `log_density`). */
import * as z from 'zod/mini';

/** Free values of a program that is asked about. */
const mostValues = 100_000;

/** One of both. `point`: values by parameter on the constrained scale; `unconstrained`: all free values in their order. */
export const logDensityRequestSchema = z.object({
  point: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  unconstrained: z.optional(z.nullable(z.array(z.number()).check(z.maxLength(mostValues)))),
});

const densitySchema = z.object({
  /** Natural log, without constants; null: infinite. */
  lp: z.nullable(z.number()),
  /** By the free values. */
  gradient: z.array(z.nullable(z.number())),
});

export const logDensitySchema = z.object({
  /** Of the free values, as CmdStan writes them: `mu`, `theta.1`. */
  names: z.array(z.string()),
  unconstrained: z.array(z.number()),
  /** With the log Jacobian of the constraints, as a sampler has it, and without. */
  with_jacobian: densitySchema,
  without_jacobian: densitySchema,
});
export type LogDensity = z.infer<typeof logDensitySchema>;
