/** What waits and runs, on which workers, and how much of them each user may have (ours, capability `queue`). */
import * as z from 'zod/mini';
import { dateTime, integer } from './common.ts';

/**
 * A run in the queue. Only an administrator (a super user) can identify other people's runs: for everybody
 * else `experiment_id` is null, and `name` and `owner` are empty.
 */
const whichRun = {
  experiment_id: z.nullable(z.string()),
  name: z.string(),
  owner: z.string(),
};

export const queuedRunSchema = z.object({
  ...whichRun,
  is_mine: z.boolean(),
  run_on: z.string(),
  /** Chains; 1 for a program. */
  waiting: integer,
  running: integer,
  /** 0 to 1, of the running chains; null if it is unknown. */
  progress: z.nullable(z.number()),
  priority: integer,
  /** From 1, among runs for the same workers; null: none of it is waiting. */
  place: z.nullable(integer),
  /** Since when it has been waiting, or when the running part began. */
  since: dateTime,
});
export type QueuedRun = z.infer<typeof queuedRunSchema>;

/** `work`; `drain`: it takes no more chains; `retire`: it returns its chains, which continue elsewhere, and stops. */
export const workerStates = ['work', 'drain', 'retire'] as const;
export type WorkerState = (typeof workerStates)[number];

export const workerSchema = z.object({
  id: integer,
  host: z.string(),
  pid: integer,
  /** The values of `run_on` that it serves; empty: all that no other worker serves. */
  pools: z.array(z.string()),
  /** Simultaneous chains. */
  slots: integer,
  desired_state: z.enum(workerStates),
  /** False: it belongs to a service, and stops with it. */
  can_retire: z.boolean(),
  /** No heartbeat for half a minute. */
  is_silent: z.boolean(),
  version: z.string(),
  started_at: dateTime,
  heartbeat_at: dateTime,
  /** Analyses, imports and the like that it is carrying out now. */
  tasks: integer,
  runs: z.array(
    z.object({
      ...whichRun,
      /** Empty for a program. */
      chains: z.array(integer),
      draws_per_second: z.number(),
    }),
  ),
});
export type QueueWorker = z.infer<typeof workerSchema>;

/** A person's or team's share of the machines; what a team gets is divided among its members in the same way. */
const shareFields = {
  /** Of two with chains waiting, the one with twice the weight has twice as many running. */
  weight: z.number(),
  /**
   * Simultaneous chains on all machines, a program counting as one; 0 holds all back. For a person: what they started,
   * including a team's runs; null: as the workers were started. For a team: all its runs; null: no limit.
   */
  chain_limit: z.nullable(integer),
};

export const queueUserSchema = z.object({
  name: z.string(),
  is_team: z.boolean(),
  waiting: integer,
  running: integer,
  ...shareFields,
});
export type QueueUser = z.infer<typeof queueUserSchema>;

export const queueSchema = z.object({
  /** What is running, then what waits in the order in which it will start; the first 200. */
  runs: z.array(queuedRunSchema),
  /** Number of runs, including those not listed, and of chains. */
  total: z.object({ runs: integer, waiting: integer, running: integer }),
  workers: z.array(workerSchema),
  /** Everybody with something in the queue or a configured share; empty for anybody but an administrator. */
  users: z.array(queueUserSchema),
  /** Whether the caller is an administrator: may drain and retire workers, and set shares. */
  may_manage: z.boolean(),
});
export type Queue = z.infer<typeof queueSchema>;

export const updateWorkerSchema = z.object({ desired_state: z.enum(workerStates) });

export const updateQueueUserSchema = z.object({
  /** Of a person or a team: `name` or `name(@id)`. */
  name: z.string().check(z.minLength(1), z.maxLength(300)),
  weight: z.number().check(z.gte(0.01), z.lte(100)),
  chain_limit: z.nullable(z.int().check(z.gte(0), z.lte(100_000))),
});
