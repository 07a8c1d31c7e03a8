/** Masses on integers whose arguments are all integers: hypergeometric and discrete range. */
import { lchoose } from '../special/beta.ts';
import { variable } from './arguments.ts';
import { density } from './density.ts';

/** log C(a, y) + log C(b, N − y) − log C(a + b, N). */
export const hypergeometricLpmf = density(
  'hypergeometric_lpmf',
  [
    ['Successes variable', null],
    ['Draws parameter', null],
    ['Successes in population', null],
    ['Failures in population', null],
  ],
  (call, y, draws, a, b) => {
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const k = y.at(i);
      const total = draws.at(i);
      if (!(total >= 0 && total <= a.at(i) + b.at(i))) {
        draws.fail(call.name, i, `in the interval [0, ${a.at(i) + b.at(i)}]`);
      }
      const low = Math.max(0, total - b.at(i));
      const high = Math.min(a.at(i), total);
      if (!(k >= low && k <= high)) y.fail(call.name, i, `in the interval [${low}, ${high}]`);
      lp += lchoose(a.at(i), k) + lchoose(b.at(i), total - k) - lchoose(a.at(i) + b.at(i), total);
    }
    return lp;
  },
);

/** −log(upper − lower + 1) within the bounds, −∞ outside. */
export const discreteRangeLpmf = density(
  'discrete_range_lpmf',
  [variable, ['Lower bound parameter', null], ['Upper bound parameter', null]],
  (call, y, lower, upper) => {
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      if (!(upper.at(i) >= lower.at(i))) {
        upper.fail(call.name, i, `greater than or equal to ${lower.at(i)}`);
      }
      if (y.at(i) < lower.at(i) || y.at(i) > upper.at(i)) return -Infinity;
      lp -= Math.log(upper.at(i) - lower.at(i) + 1);
    }
    return lp;
  },
);
