/**
 * Cumulants of statistics under a truncated density: for an exponential family, the derivatives of the logarithm of an
 * incomplete integral in the natural parameters (Barndorff-Nielsen 1978, section 8.1).
 */
import { legendreNodes, legendreWeights } from '../special/gauss-legendre.ts';

/** Up to the third, of two statistics: `second` holds those of 11, 12, 22, `third` those of 111, 112, 122, 222. */
export interface Cumulants {
  readonly first: readonly [number, number];
  readonly second: readonly [number, number, number];
  readonly third: readonly [number, number, number, number];
}

export interface CutDensity {
  /** Up to a constant; falls on both sides of `mode`. */
  readonly logWeight: (v: number) => number;
  /** Where the density is largest within its range. */
  readonly mode: number;
  /** The range; an open end is infinite. */
  readonly from: number;
  readonly to: number;
  readonly statistics: readonly [(v: number) => number, (v: number) => number];
}

/** Densities below e⁻⁴⁵ of the largest are ignored. */
const negligible = 45;
const panels = 12;

/** How far from the mode, in one direction, the density matters. */
function reach({ logWeight, mode }: CutDensity, direction: 1 | -1, most: number): number {
  const top = logWeight(mode);
  const isNegligible = (h: number) => top - logWeight(mode + direction * h) > negligible;
  let h = 0.1;
  while (h < most && !isNegligible(h)) h *= 1.6;
  while (h > 1e-300 && isNegligible(h / 1.6)) h /= 1.6;
  return Math.min(h, most);
}

export function truncatedCumulants(density: CutDensity): Cumulants {
  const { logWeight, mode, from, to, statistics } = density;
  const top = logWeight(mode);
  const numNodes = 2 * panels * legendreNodes.length;
  const [w, x, y] = [0, 0, 0].map(() => new Float64Array(numNodes));
  let count = 0;
  for (const direction of [-1, 1] as const) {
    const length = reach(density, direction, direction < 0 ? mode - from : to - mode);
    if (!(length > 0)) continue;
    const half = length / panels / 2;
    for (let panel = 0; panel < panels; panel++) {
      legendreNodes.forEach((node, k) => {
        const v = mode + direction * half * (2 * panel + 1 + node);
        w[count] = legendreWeights[k] * half * Math.exp(logWeight(v) - top);
        x[count] = statistics[0](v);
        y[count++] = statistics[1](v);
      });
    }
  }
  return cumulantsOf(w.subarray(0, count), x, y);
}

function cumulantsOf(w: Float64Array, x: Float64Array, y: Float64Array): Cumulants {
  let [total, meanX, meanY] = [0, 0, 0];
  for (let i = 0; i < w.length; i++) {
    total += w[i];
    meanX += w[i] * x[i];
    meanY += w[i] * y[i];
  }
  meanX /= total;
  meanY /= total;
  const second: [number, number, number] = [0, 0, 0];
  const third: [number, number, number, number] = [0, 0, 0, 0];
  for (let i = 0; i < w.length; i++) {
    const p = w[i] / total;
    const [a, b] = [x[i] - meanX, y[i] - meanY];
    second[0] += p * a * a;
    second[1] += p * a * b;
    second[2] += p * b * b;
    third[0] += p * a * a * a;
    third[1] += p * a * a * b;
    third[2] += p * a * b * b;
    third[3] += p * b * b * b;
  }
  return { first: [meanX, meanY], second, third };
}
