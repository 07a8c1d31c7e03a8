/** Ended runs of every verdict, stored in the database as chains leave them, and as the command line has them. */
import type { RunResult } from '../../../src/engine/run.ts';
import { summariseVariable } from '../../../src/posterior/summary.ts';
import { execute, sql } from '../../../src/service/repositories/database.ts';
import { ensureLayout, insertDraws } from '../../../src/service/repositories/draws.ts';
import { touchDraws, updateExperiment } from '../../../src/service/repositories/experiments.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import { finaliseRun } from '../../../src/service/runs/finalise.handler.ts';
import { startExperiment } from '../../support/objects.ts';
import type { Person, TestService } from '../../support/service.ts';

export interface PlannedRun {
  /** Draws per chain. */
  readonly lengths: readonly number[];
  /** Divergent draws of chain 1. */
  readonly divergent?: number;
  /** Added to `mu` in chain 1. */
  readonly shift?: number;
  /** Energies that hardly change from draw to draw. */
  readonly isSlow?: boolean;
  /** Draws that came from elsewhere, without the largest tree depth. */
  readonly isOutside?: boolean;
  readonly isStopped?: boolean;
  /** Why the last chain failed. */
  readonly failure?: string;
  /** Default: NUTS. */
  readonly by?: keyof typeof columnsBy;
  /** Spread of the log ratios of an approximation; 0: it is exact. */
  readonly misfit?: number;
}

const fraction = (value: number) => value - Math.floor(value);

/** Evenly spread values that differ by chain: the chains agree, whatever their length. */
function spread(multiplier: number, chain: number, length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => fraction(multiplier * (i + 1) + 0.37 * chain));
}

const columnsBy = {
  nuts: ['lp__', 'mu', 'treedepth__', 'divergent__', 'energy__'],
  pathfinder: ['lp_approx__', 'lp__', 'path__', 'pareto_k__', 'mu'],
  laplace: ['log_p__', 'log_q__', 'mu'],
  advi: ['lp__', 'log_p__', 'log_g__', 'mu'],
  optimize: ['lp__', 'converged__', 'mu'],
  fixed: ['lp__', 'accept_stat__', 'mu'],
} as const;

const columnsOf = ({ by = 'nuts' }: PlannedRun): readonly string[] => columnsBy[by];

/** A density, and a second one whose ratio to it has heavier tails the larger `misfit` is. */
function columnOfFit(name: string, { misfit = 0 }: PlannedRun, length: number): Float64Array {
  const ratio = spread(Math.E, 0, length).map((u) => -misfit * Math.log(1 - u));
  switch (name) {
    case 'mu':
      return spread(Math.sqrt(3), 0, length);
    case 'lp__':
    case 'log_p__':
      return spread(Math.SQRT2, 0, length).map((value, i) => value + ratio[i]);
    case 'lp_approx__':
    case 'log_q__':
    case 'log_g__':
      return spread(Math.SQRT2, 0, length);
    case 'pareto_k__':
      return new Float64Array(length).fill(misfit === 0 ? 0.3 : 1.2);
    default:
      return new Float64Array(length).fill(1);
  }
}

function chainColumns(plan: PlannedRun, index: number): Float64Array[] {
  const length = plan.lengths[index];
  if (plan.by !== undefined) return columnsOf(plan).map((name) => columnOfFit(name, plan, length));
  const isFirst = index === 0;
  const energy = plan.isSlow
    ? Float64Array.from({ length }, (_, i) => Math.sin(i / 2))
    : spread(Math.E, index, length);
  return [
    spread(Math.SQRT2, index, length),
    spread(Math.sqrt(3), index, length).map((value) => value + (isFirst ? (plan.shift ?? 0) : 0)),
    new Float64Array(length).fill(3),
    Float64Array.from({ length }, (_, i) => (isFirst && i < (plan.divergent ?? 0) ? 1 : 0)),
    energy,
  ];
}

/** The shift of chain 1 that gives `mu` this R-hat. */
export function shiftFor(rhat: number, lengths: readonly number[]): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 40; step++) {
    const shift = (low + high) / 2;
    const chains = lengths.map((_, index) => chainColumns({ lengths, shift }, index)[1]);
    if (summariseVariable('mu', chains).rhat < rhat) low = shift;
    else high = shift;
  }
  return high;
}

/** Ends a run as a worker and the finaliser do; returns its id. */
export async function addEndedRun(
  service: TestService,
  { client }: Person,
  name: string,
  plan: PlannedRun,
): Promise<string> {
  const { pool } = service.database;
  const { short_id: objid } = await startExperiment(client, name);
  const object = await findObject(pool, objid);
  if (object === null) throw new Error(`no experiment ${objid}`);
  const { id: experimentId } = object;
  const columns = columnsOf(plan);
  const layoutId = await ensureLayout(
    pool,
    experimentId,
    columns.map((column) =>
      column.endsWith('__') ? { name: column, sampler: true } : { name: column },
    ),
  );
  await execute(pool, sql`delete from experiment_chains where experiment_id = ${experimentId}`);
  for (const [index, count] of plan.lengths.entries()) {
    const isFailed = plan.failure !== undefined && index === plan.lengths.length - 1;
    const ended = plan.isOutside ? 'outside' : plan.isStopped ? 'stopped' : 'done';
    await execute(
      pool,
      sql`insert into experiment_chains (experiment_id, chain, name, state, saved_samples, divergences, error_code, error_message)
          values (${experimentId}, ${index + 1}, ${`chain#${index + 1}`}, ${isFailed ? 'failed' : ended}, ${count},
                  ${index === 0 ? (plan.divergent ?? 0) : 0}, ${isFailed ? 'CHAIN_FAILED' : null},
                  ${isFailed ? (plan.failure ?? null) : null})`,
    );
    if (count === 0) continue;
    const values = new Float64Array(columns.length * count);
    chainColumns(plan, index).forEach((column, at) => values.set(column, at * count));
    const place = { experimentId, chain: index + 1, phase: 'sampling', layoutId } as const;
    await insertDraws(pool, { ...place, firstIteration: 1, count, values });
  }
  await touchDraws(pool, experimentId);
  await updateExperiment(pool, experimentId, {
    status: 'SAMPLE_FIN',
    numChains: plan.lengths.length,
    meta: plan.isStopped ? { action: 'stopped' } : {},
  });
  const outcome = await finaliseRun(pool, experimentId);
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  return objid;
}

const namesOfNuts = [
  'lp__',
  'accept_stat__',
  'stepsize__',
  'treedepth__',
  'n_leapfrog__',
  'divergent__',
  'energy__',
  'mu',
];

/** What `ergodic run` collects from the same draws. */
export function resultOf(plan: PlannedRun): RunResult {
  const columns = columnsOf(plan);
  const names = plan.by === undefined ? namesOfNuts : columns;
  return {
    seed: 1,
    columns: names,
    variables: [],
    chains: plan.lengths.map((length, index) => {
      const made = chainColumns(plan, index);
      const sampling = names.map((name) => {
        const at = columns.indexOf(name);
        return at === -1 ? new Float64Array(length).fill(0.5) : made[at];
      });
      return {
        chain: index + 1,
        outcome: { status: plan.isStopped ? 'stopped' : 'complete' },
        warmup: [],
        sampling: length === 0 ? [] : sampling,
        progress: { divergences: index === 0 ? (plan.divergent ?? 0) : 0, treeDepthHits: 0 },
        adaptation:
          plan.by !== undefined ? null : { stepSize: 0.5, invMetric: new Float64Array(1) },
      } as unknown as RunResult['chains'][number];
    }),
  };
}
