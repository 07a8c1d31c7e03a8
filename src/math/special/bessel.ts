/** Bessel functions of integer order and the modified ones, with what their derivatives need. */
import { digamma, lgamma } from './gamma.ts';
import { gaussLegendre20 } from './gauss-legendre.ts';

/** log I_v(z) for v > −1, z ≥ 0, and its derivatives. */
export class LogBesselI {
  value = 0;
  dv = 0;
  dz = 0;

  /**
   * The power series DLMF 10.25.2, all of whose terms are positive; the running sum is rescaled before it overflows.
   * About z + 20 terms.
   */
  compute(v: number, z: number): void {
    if (z === 0) {
      this.value = v === 0 ? 0 : -Infinity;
      this.dz = 0;
      this.dv = -Infinity;
      return;
    }
    const q = 0.25 * z * z;
    let term = 1;
    let sum = 1;
    let kSum = 0;
    let psi = digamma(v + 1);
    let psiSum = psi;
    let logScale = 0;
    for (let k = 1; k < 10_000_000; k++) {
      term *= q / (k * (k + v));
      psi += 1 / (k + v);
      sum += term;
      kSum += k * term;
      psiSum += psi * term;
      if (term < 1e-17 * sum && k > 0.5 * z - v) break;
      if (sum > 1e250) {
        term *= 1e-250;
        sum *= 1e-250;
        kSum *= 1e-250;
        psiSum *= 1e-250;
        logScale += 250 * Math.LN10;
      }
    }
    const logHalf = Math.log(0.5 * z);
    this.value = v * logHalf - lgamma(v + 1) + logScale + Math.log(sum);
    this.dv = logHalf - psiSum / sum;
    this.dz = (v + (2 * kSum) / sum) / z;
  }
}

/** Hankel's expansion DLMF 10.40.1 of √(2πz) e^−z I_v(z), for z large compared with v². */
function besselIExpansion(v: number, z: number): number {
  const mu = 4 * v * v;
  let term = 1;
  let sum = 1;
  for (let k = 1; k < 40; k++) {
    const next = (-term * (mu - (2 * k - 1) ** 2)) / (8 * k * z);
    if (Math.abs(next) > Math.abs(term) || Math.abs(next) < 1e-17) break;
    term = next;
    sum += term;
  }
  return sum;
}

const series = new LogBesselI();

/** log I_0(z), z ≥ 0. */
export function logBesselI0(z: number): number {
  if (z > 40) return z - 0.5 * Math.log(2 * Math.PI * z) + Math.log(besselIExpansion(0, z));
  series.compute(0, z);
  return series.value;
}

/** I_1(z) / I_0(z) = d log I_0(z) / dz. */
export function besselRatio(z: number): number {
  if (z > 40) return besselIExpansion(1, z) / besselIExpansion(0, z);
  series.compute(0, z);
  return series.dz;
}

/** I_n(z) for integer n ≥ 0 and any z. */
export function besselI(n: number, z: number): number {
  if (n < 0) return besselI(-n, z);
  series.compute(n, Math.abs(z));
  return (z < 0 && n % 2 === 1 ? -1 : 1) * Math.exp(series.value);
}

export function besselIDz(n: number, z: number): number {
  return n === 0 ? besselI(1, z) : 0.5 * (besselI(n - 1, z) + besselI(n + 1, z));
}

/** K_n(z) = ∫₀^∞ exp(−z cosh t) cosh(nt) dt (DLMF 10.32.9); the trapezoidal rule converges geometrically here. */
export function besselK(n: number, z: number): number {
  if (!(z > 0)) return z === 0 ? Infinity : Number.NaN;
  const h = 1 / 16;
  let sum = 0.5 * Math.exp(-z);
  for (let k = 1; k < 100_000; k++) {
    const t = k * h;
    const log = Math.abs(n) * t - z * Math.cosh(t);
    const term = Math.exp(log) * 0.5 * (1 + Math.exp(-2 * Math.abs(n) * t));
    sum += term;
    if (term < 1e-18 * sum && z * Math.sinh(t) > Math.abs(n)) break;
  }
  return h * sum;
}

export function besselKDz(n: number, z: number): number {
  return -0.5 * (besselK(n - 1, z) + besselK(n + 1, z));
}

/**
 * J_n(z): the power series DLMF 10.2.2 while z²/4 < n + 1, otherwise Bessel's integral 10.9.2 by the trapezoidal rule, which
 * is geometric for a periodic integrand once there are more points than n + z.
 */
export function besselJ(n: number, z: number): number {
  if (n < 0) return (n % 2 === 0 ? 1 : -1) * besselJ(-n, z);
  const q = 0.25 * z * z;
  if (q < n + 1) {
    let term = 1;
    let sum = 1;
    for (let k = 1; k < 200 && Math.abs(term) > 1e-18 * Math.abs(sum); k++) {
      term *= -q / (k * (k + n));
      sum += term;
    }
    return (
      (z < 0 && n % 2 === 1 ? -1 : 1) *
      Math.exp(n * Math.log(Math.abs(z) / 2) - lgamma(n + 1)) *
      sum
    );
  }
  const points = Math.ceil(n + Math.abs(z)) + 40;
  let sum = 0;
  for (let k = 0; k < points; k++) {
    const t = (Math.PI * (2 * k + 1)) / (2 * points);
    sum += Math.cos(n * t - z * Math.sin(t));
  }
  return sum / points;
}

export function besselJDz(n: number, z: number): number {
  return 0.5 * (besselJ(n - 1, z) - besselJ(n + 1, z));
}

/**
 * Y_n(z), z > 0: the integrals of DLMF 10.9.7 for orders 0 and 1, then the recurrence 10.6.1 upwards, which is stable
 * for Y.
 */
export function besselY(n: number, z: number): number {
  if (!(z > 0)) return z === 0 ? -Infinity : Number.NaN;
  if (n < 0) return (n % 2 === 0 ? 1 : -1) * besselY(-n, z);
  let y0 = besselYIntegral(0, z);
  if (n === 0) return y0;
  let y1 = besselYIntegral(1, z);
  for (let k = 1; k < n; k++) [y0, y1] = [y1, ((2 * k) / z) * y1 - y0];
  return y1;
}

function besselYIntegral(n: number, z: number): number {
  const panels = 4 + Math.ceil(z / 8);
  let oscillating = 0;
  for (let k = 0; k < panels; k++) {
    oscillating += gaussLegendre20((Math.PI * k) / panels, (Math.PI * (k + 1)) / panels, (t) =>
      Math.sin(z * Math.sin(t) - n * t),
    );
  }
  // beyond `end` the integrand is below e^−40 of its start
  const end = Math.asinh(45 / z) + 1;
  const decayPanels = Math.ceil(2 * end) + 4;
  let decaying = 0;
  for (let k = 0; k < decayPanels; k++) {
    decaying += gaussLegendre20((end * k) / decayPanels, (end * (k + 1)) / decayPanels, (t) => {
      const e = Math.exp(n * t) + (n % 2 === 0 ? 1 : -1) * Math.exp(-n * t);
      return e * Math.exp(-z * Math.sinh(t));
    });
  }
  return (oscillating - decaying) / Math.PI;
}

export function besselYDz(n: number, z: number): number {
  return 0.5 * (besselY(n - 1, z) - besselY(n + 1, z));
}
