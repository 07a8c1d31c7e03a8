/** Coefficients of the three-stage Radau IIA method of order 5 (Hairer & Wanner, *Solving ODEs II*, sections IV.5 and IV.8). */

const root6 = Math.sqrt(6);

export const nodes = [(4 - root6) / 10, (4 + root6) / 10, 1];

export const a = [
  [(88 - 7 * root6) / 360, (296 - 169 * root6) / 1800, (-2 + 3 * root6) / 225],
  [(296 + 169 * root6) / 1800, (88 + 7 * root6) / 360, (-2 - 3 * root6) / 225],
  [(16 - root6) / 36, (16 + root6) / 36, 1 / 9],
];

/** A⁻¹. */
export const inverseOfA = [
  [2 + root6 / 2, (29 * root6) / 30 - 1.2, 0.4 - (4 * root6) / 15],
  [-1.2 - (29 * root6) / 30, 2 - root6 / 2, 0.4 + (4 * root6) / 15],
  [(8 * root6) / 3 - 1, -1 - (8 * root6) / 3, 5],
];

/** The real eigenvalue of A⁻¹ and the weights of the embedded error estimate (ibid., eq. 8.18 and 8.19). */
export const realEigenvalue = 30 / (6 + Math.cbrt(81) - Math.cbrt(9));
export const errorWeights = [-(13 + 7 * root6) / 3, (-13 + 7 * root6) / 3, -1 / 3];
