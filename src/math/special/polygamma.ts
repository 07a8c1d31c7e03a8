/** Derivatives of digamma of order n ≥ 1 at x > 0 (DLMF 5.15: recurrence 5.15.5, asymptotic series 5.15.8). */

/** B₂, B₄, …: Bernoulli numbers. */
const bernoulli = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510];
/** From here on the series has all digits. */
const far = 18;

export function polygamma(n: number, x: number): number {
  if (!(x > 0)) return Number.NaN;
  let sum = 0;
  let y = x;
  const factorial = product(1, n);
  for (; y < far; y++) sum += factorial / y ** (n + 1);
  sum += product(1, n - 1) / y ** n + factorial / (2 * y ** (n + 1));
  bernoulli.forEach((b, i) => {
    const k = 2 * (i + 1);
    // (k + n − 1)! / k!
    sum += (b * product(k + 1, k + n - 1)) / y ** (k + n);
  });
  return n % 2 === 1 ? sum : -sum;
}

function product(from: number, to: number): number {
  let p = 1;
  for (let i = from; i <= to; i++) p *= i;
  return p;
}
