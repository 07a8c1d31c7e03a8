/**
 * The time at which a Wiener process with drift reaches its upper boundary first (Navarro & Fuss 2009, *J. Math. Psychol.* 53,
 * eq. 5 and 6; with a drift that varies between trials, Blurton, Kesselmeier & Gondan 2012, *J. Math. Psychol.* 56).
 */

/** log density and its derivatives; filled by {@link firstPassage}. */
export interface FirstPassage {
  log: number;
  dTime: number;
  dSeparation: number;
  /** In the relative starting point β. */
  dStart: number;
  dDrift: number;
  /** In the standard deviation of the drift. */
  dDriftSd: number;
}

export const newFirstPassage = (): FirstPassage => ({
  log: 0,
  dTime: 0,
  dSeparation: 0,
  dStart: 0,
  dDrift: 0,
  dDriftSd: 0,
});

/** Below this u, the series for short times needs fewer terms. */
const shortTime = 0.4;
/** Terms smaller than exp(−enough) times the largest change nothing. */
const enough = 42;
const halfLogTwoPi = 0.5 * Math.log(2 * Math.PI);

/** log g(u, w) and its derivatives, the density without drift of time u at distance w from the boundary, separation 1. */
interface Standard {
  log: number;
  du: number;
  dw: number;
}

/** Σ_k (w + 2k) exp(−(w + 2k)² / 2u) / √(2π u³), with the largest term, k = 0, taken out. */
function atShortTime(u: number, w: number, out: Standard): void {
  let sum = 0;
  let sumU = 0;
  let sumW = 0;
  const add = (r: number): boolean => {
    const exponent = (w * w - r * r) / (2 * u);
    if (exponent < -enough) return false;
    const e = Math.exp(exponent);
    sum += r * e;
    sumU += ((r * r * r) / (2 * u * u)) * e;
    sumW += (1 - (r * r) / u) * e;
    return true;
  };
  add(w);
  // both directions fall off together, as w lies in (0, 1)
  for (let k = 1; ; k++) {
    const isLeft = add(w - 2 * k);
    if (!add(w + 2 * k) && !isLeft) break;
  }
  out.log = -halfLogTwoPi - 1.5 * Math.log(u) - (w * w) / (2 * u) + Math.log(sum);
  out.du = -1.5 / u + sumU / sum;
  out.dw = sumW / sum;
}

/** π Σ_k k exp(−k² π² u / 2) sin(k π w), with exp(−π² u / 2) taken out. */
function atLongTime(u: number, w: number, out: Standard): void {
  let sum = 0;
  let sumU = 0;
  let sumW = 0;
  const rate = (Math.PI * Math.PI) / 2;
  for (let k = 1; (k * k - 1) * rate * u <= enough; k++) {
    const e = k * Math.exp(-(k * k - 1) * rate * u);
    const wave = Math.sin(k * Math.PI * w);
    sum += e * wave;
    sumU -= k * k * rate * e * wave;
    sumW += k * Math.PI * e * Math.cos(k * Math.PI * w);
  }
  out.log = Math.log(Math.PI) - rate * u + Math.log(sum);
  out.du = sumU / sum;
  out.dw = sumW / sum;
}

const standard: Standard = { log: 0, du: 0, dw: 0 };

/**
 * `time` > 0 since the process began, `separation` > 0 of the boundaries, `start` in (0, 1) from the lower to the upper one,
 * `drift`, and the standard deviation of a normal drift (0: none). Time and separation share a unit; variance 1 per unit time.
 */
export function firstPassage(
  [time, separation, start, drift, driftSd]: readonly [number, number, number, number, number],
  out: FirstPassage,
): void {
  const w = 1 - start;
  const square = separation * separation;
  const u = time / square;
  if (u < shortTime) atShortTime(u, w, standard);
  else atLongTime(u, w, standard);
  const variance = driftSd * driftSd;
  const scale = 1 / (1 + variance * time);
  const distance = separation * w;
  // exponent of the drift: (σ² d² + 2 δ d − δ² t) / 2(1 + σ² t)
  const top = variance * distance * distance + 2 * drift * distance - drift * drift * time;
  out.log = standard.log - 2 * Math.log(separation) + 0.5 * (Math.log(scale) + top * scale);
  const dDistance = (variance * distance + drift) * scale;
  out.dTime =
    standard.du / square - 0.5 * scale * (drift * drift + variance + variance * top * scale);
  out.dSeparation = (-2 * u * standard.du - 2) / separation + w * dDistance;
  out.dStart = -standard.dw - separation * dDistance;
  out.dDrift = (distance - drift * time) * scale;
  out.dDriftSd = driftSd * scale * (distance * distance - time - time * top * scale);
}
