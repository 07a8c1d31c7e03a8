/** Special functions element by element: incomplete gamma and beta, Bessel, Owen's T, Lambert W. */
import {
  besselI,
  besselIDz,
  besselJ,
  besselJDz,
  besselK,
  besselKDz,
  besselY,
  besselYDz,
  LogBesselI,
} from '../../special/bessel.ts';
import { erfDx, invPhi } from '../../special/erf.ts';
import { IncompleteBeta } from '../../special/incomplete-beta.ts';
import { IncompleteGamma } from '../../special/incomplete-gamma.ts';
import { inverseIncompleteBeta } from '../../special/inverse-incomplete-beta.ts';
import { lambertW0, lambertWDx, lambertWm1 } from '../../special/lambert-w.ts';
import { owensT, owensTDa, owensTDh } from '../../special/owens-t.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { type Ternary, ternaryForms } from '../machinery/ternary-forms.ts';
import { type Binary, binaryForms } from '../machinery/vectorise-binary.ts';
import { type Unary, unaryForms } from '../machinery/vectorise-unary.ts';

const gamma = new IncompleteGamma();
const beta = new IncompleteBeta();
const logBessel = new LogBesselI();

const unary: Readonly<Record<string, Unary>> = {
  // erfc(x) = 2 Φ(−√2 x)
  inv_erfc: { f: (x) => -invPhi(0.5 * x) / Math.SQRT2, df: (_, fx) => -1 / erfDx(fx) },
  lambert_w0: { f: lambertW0, df: lambertWDx },
  lambert_wm1: { f: lambertWm1, df: lambertWDx },
};

const reals: Readonly<Record<string, Binary>> = {
  gamma_p: {
    f(a, x) {
      gamma.compute(a, x);
      return Math.exp(gamma.logP);
    },
    da(a, x, p) {
      gamma.compute(a, x);
      return p * gamma.daLogP;
    },
    db(a, x) {
      gamma.compute(a, x);
      return Math.exp(gamma.logDensity);
    },
  },
  gamma_q: {
    f(a, x) {
      gamma.compute(a, x);
      return Math.exp(gamma.logQ);
    },
    da(a, x, q) {
      gamma.compute(a, x);
      return q * gamma.daLogQ;
    },
    db(a, x) {
      gamma.compute(a, x);
      return -Math.exp(gamma.logDensity);
    },
  },
  owens_t: { f: owensT, da: owensTDh, db: owensTDa },
  log_modified_bessel_first_kind: {
    f(v, z) {
      logBessel.compute(v, z);
      return logBessel.value;
    },
    da(v, z) {
      logBessel.compute(v, z);
      return logBessel.dv;
    },
    db(v, z) {
      logBessel.compute(v, z);
      return logBessel.dz;
    },
  },
};

const noDerivative = () => Number.NaN;

/** Integer order first. */
const orders: Readonly<Record<string, Binary>> = {
  bessel_first_kind: { f: besselJ, da: noDerivative, db: besselJDz },
  bessel_second_kind: { f: besselY, da: noDerivative, db: besselYDz },
  modified_bessel_first_kind: { f: besselI, da: noDerivative, db: besselIDz },
  modified_bessel_second_kind: { f: besselK, da: noDerivative, db: besselKDz },
};

/** I_x(a, b). */
const incBeta: Ternary = (a, b, x) => {
  beta.compute(a, b, x, 1 - x);
  const p = Math.exp(beta.logI);
  return [p, p * beta.daLogI, p * beta.dbLogI, Math.exp(beta.logDensity)];
};

/** x with I_x(a, b) = p; partials by the implicit function theorem. */
const invIncBeta: Ternary = (a, b, p) => {
  const x = inverseIncompleteBeta(a, b, p);
  const [, da, db, dx] = incBeta(a, b, x);
  return [x, -da / dx, -db / dx, 1 / dx];
};

const part: Record<string, LibraryFunction> = {
  ...ternaryForms('inc_beta', incBeta),
  ...ternaryForms('inv_inc_beta', invIncBeta),
};
for (const [name, fn] of Object.entries(unary)) Object.assign(part, unaryForms(name, fn));
for (const [name, fn] of Object.entries(reals)) Object.assign(part, binaryForms(name, fn));
for (const [name, fn] of Object.entries(orders)) {
  Object.assign(part, binaryForms(name, fn, ['int', 'real']));
}

export const specialFunctionsPart: LibraryPart = part;
