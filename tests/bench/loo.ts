/**
 * Leave-one-out with as many values as a comparison may have, and moment matching for the observations that need it:
 *
 *   npm run bench -- loo [MILLION VALUES, default 10]
 */
import { looOf } from '../../src/posterior/loo.ts';
import { type MatchTarget, matchMoments } from '../../src/posterior/moment-match.ts';
import { outlierLogDensity, outlierLogLik, outliers } from '../support/outlier-program.ts';
import { seededRng } from '../support/seeded-rng.ts';

const millions = Number(process.argv[2] ?? 10);
const numChains = 4;
const length = 1000;
const observations = Math.round((millions * 1e6) / (numChains * length));
const rng = seededRng(3);
const logLik = Array.from({ length: observations }, () =>
  Array.from({ length: numChains }, () =>
    Float64Array.from({ length }, () => -1 + 0.3 * rng.normal()),
  ),
);
const timed = <T>(what: string, work: () => T): T => {
  const began = performance.now();
  const result = work();
  process.stdout.write(`${what}: ${(performance.now() - began).toFixed(0)} ms\n`);
  return result;
};
let most = 0;
let last = performance.now();
const onObservation = () => {
  const now = performance.now();
  most = Math.max(most, now - last);
  last = now;
};
timed(`leave-one-out of ${observations} observations × ${numChains * length} draws`, () =>
  looOf(logLik, { onObservation }),
);
process.stdout.write(`the longest of an observation: ${most.toFixed(1)} ms\n`);

const dimension = 5;
const values = Float64Array.from(outliers.draws);
const count = values.length / dimension;
const points = Array.from({ length: count }, (_, s) =>
  values.subarray(s * dimension, (s + 1) * dimension),
);
const target: MatchTarget = {
  draws: { values, count, dimension },
  numChains: 1,
  logDensity: Float64Array.from(points, outlierLogDensity),
  evaluate: (point, i) => [outlierLogDensity(point), outlierLogLik(point, i)],
};
for (const i of outliers.y.keys()) {
  if (outliers.k[i] <= 0.7) continue;
  const own = Float64Array.from(points, (point) => outlierLogLik(point, i));
  timed(`moment matching of observation ${i + 1}, ${count} draws of ${dimension} parameters`, () =>
    matchMoments(target, i, own, { threshold: 0.7 }),
  );
}
