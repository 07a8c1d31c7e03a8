/** The log density of a run's program at a point, with its gradient (ours, capability `log_density`). */
import * as z from 'zod/mini';

/** Largest number of free values of a program that can be evaluated. */
const mostValues = 100_000;

/** One of the two. `point`: values by parameter on the constrained scale; `unconstrained`: all free values in order. */
export const logDensityRequestSchema = z.object({
  point: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  unconstrained: z.optional(z.nullable(z.array(z.number()).check(z.maxLength(mostValues)))),
});

const densitySchema = z.object({
  /** Natural log, without constants; null: infinite. */
  lp: z.nullable(z.number()),
  /** With respect to the free values. */
  gradient: z.array(z.nullable(z.number())),
});

export const logDensitySchema = z.object({
  /** Of the free values, named as in CmdStan: `mu`, `theta.1`. */
  names: z.array(z.string()),
  unconstrained: z.array(z.number()),
  /** With the log Jacobian of the constraints, as in a sampler, and without. */
  with_jacobian: densitySchema,
  without_jacobian: densitySchema,
});
export type LogDensity = z.infer<typeof logDensitySchema>;
