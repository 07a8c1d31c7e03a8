/** The input of moment matching: parameters and pointwise log likelihoods of the judged draws of a finished run. */
import type { MatchingSettings } from '../../engine/chain-state.ts';
import { isLogLik } from '../../posterior/variable-kinds.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Executor } from '../repositories/database.ts';
import { listBounds, listColumns, readDraws } from '../repositories/draws.ts';
import { chainsLeftOut } from '../repositories/experiment-meta.ts';
import type { ExperimentRow } from '../repositories/experiments.ts';

/** Values in memory at a time (256 MiB). */
export const mostMatchedValues = 32 * 2 ** 20;

/** Chains one after another, cut to the shortest, without those left out. The error is for users. */
export async function readMatching(
  db: Executor,
  { id, meta }: Pick<ExperimentRow, 'id' | 'meta'>,
): Promise<Result<MatchingSettings, string>> {
  const leftOut = chainsLeftOut(meta);
  const bounds = (await listBounds(db, id)).filter(
    ({ name, sampling }) => sampling > 0 && !leftOut.includes(name),
  );
  const length = Math.min(...bounds.map(({ sampling }) => sampling));
  if (bounds.length === 0) return err('The run has no draws.');
  const all = await listColumns(db, id);
  const columns = all.flatMap(({ name, block }) => (block === 'parameters' ? [name] : []));
  const observations = all.flatMap(({ name }) => (isLogLik(name) ? [name] : []));
  const count = bounds.length * length;
  const values = new Float64Array(columns.length * count);
  const logLik = new Float64Array(observations.length * count);
  const places = new Map([
    ...columns.map((name, c): [string, Float64Array] => [name, own(values, c, count)]),
    ...observations.map((name, i): [string, Float64Array] => [name, own(logLik, i, count)]),
  ]);
  for (const [chain, { name }] of bounds.entries()) {
    const segments = await readDraws(db, {
      experimentId: id,
      variables: [...places.keys()],
      chains: [name],
      to: length,
    });
    const whole = segments.filter(
      (segment) => segment.firstIteration === 1 && segment.values.length === length,
    );
    if (whole.length < places.size) return err(`Draws of ${name} are missing.`);
    for (const { variable, values: read } of whole) places.get(variable)?.set(read, chain * length);
  }
  const draws = { columns, count, values, isParametersOnly: true };
  return ok({ draws, numChains: bounds.length, observations, logLik });
}

const own = (values: Float64Array, place: number, count: number) =>
  values.subarray(place * count, (place + 1) * count);
