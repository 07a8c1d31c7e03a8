/** The von Mises density on the circle. */

import { besselRatio, logBesselI0 } from '../special/bessel.ts';
import { logTwoPi } from '../special/constants.ts';
import { finiteVariable, location, nonnegativeFinite } from './arguments.ts';
import { density } from './density.ts';

/** log VonMises(y | mu, kappa) = kappa cos(y − mu) − log I₀(kappa) − log 2π. */
export const vonMisesLpdf = density(
  'von_mises_lpdf',
  [finiteVariable, location, ['Scale parameter', nonnegativeFinite]],
  (call, y, mu, kappa) => {
    const logI0 = kappa.derive(0, call.includes(kappa) ? logBesselI0 : () => 0);
    const ratio = kappa.derive(1, kappa.active ? besselRatio : () => 0);
    let lp = call.propto ? 0 : -call.n * logTwoPi;
    for (let i = 0; i < call.n; i++) {
      const k = kappa.at(i);
      const angle = y.at(i) - mu.at(i);
      const c = Math.cos(angle);
      const d = k * Math.sin(angle);
      lp += k * c - logI0[i * kappa.stride];
      if (y.active) y.add(i, -d);
      if (mu.active) mu.add(i, d);
      if (kappa.active) kappa.add(i, c - ratio[i * kappa.stride]);
    }
    return lp;
  },
);
