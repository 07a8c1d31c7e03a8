import { describe, expect, it } from 'vitest';
import type { Move, PathPoint } from '../../../src/engine/fit/lbfgs.ts';
import { createPathNormals, type PathNormal } from '../../../src/engine/fit/path-normal.ts';
import { normalsRng } from '../../support/seeded-rng.ts';

type Rows = number[][];

const size = 3;
const places = [0, 1, 2];
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  places.reduce((sum, i) => sum + a[i] * b[i], 0);
const times = (a: Rows, b: Rows): Rows =>
  a.map((row) => places.map((j) => places.reduce((sum, k) => sum + row[k] * b[k][j], 0)));
const transposed = (a: Rows): Rows => places.map((i) => places.map((j) => a[j][i]));

const move = (s: number[], y: number[]): Move => ({
  s: Float64Array.from(s),
  y: Float64Array.from(y),
});
const moves = [
  move([1, -0.5, 0.25], [2, -0.3, 1]),
  move([0.5, 1, -1], [1.5, 0.4, -3]),
  move([-0.2, 0.3, 0.4], [-0.5, 0.2, 1.5]),
];
const x = Float64Array.of(0.3, -1, 2);
const gradient = Float64Array.of(1, 0.5, -2);
const pointAfter = (one: Move | null): PathPoint => ({
  x,
  gradient,
  value: 0,
  iteration: 1,
  move: one,
});

/** Gilbert and Lemaréchal's diagonal, then the BFGS update of the inverse Hessian with each move, as matrices. */
function covarianceAfter(all: readonly Move[], historySize: number): Rows {
  let alpha = places.map(() => 1);
  for (const { s, y } of all) {
    const a = places.reduce((sum, i) => sum + y[i] ** 2 * alpha[i], 0);
    const c = places.reduce((sum, i) => sum + s[i] ** 2 / alpha[i], 0);
    const b = dot(y, s);
    alpha = alpha.map(
      (value, i) => 1 / (a / (b * value) + y[i] ** 2 / b - (a * s[i] ** 2) / (b * c * value ** 2)),
    );
  }
  let h: Rows = places.map((i) => places.map((j) => (i === j ? alpha[i] : 0)));
  for (const { s, y } of all.slice(-historySize)) {
    const rho = 1 / dot(s, y);
    const left = places.map((i) => places.map((j) => (i === j ? 1 : 0) - rho * s[i] * y[j]));
    h = times(times(left, h), transposed(left)).map((row, i) =>
      row.map((value, j) => value + rho * s[i] * s[j]),
    );
  }
  return h;
}

/** Mean, factor F of the covariance F Fᵀ, and the density of a draw. */
function parts(normal: PathNormal) {
  const at = (z: number[]) => {
    const q = new Float64Array(size);
    return { logQ: normal.draw(normalsRng(z), q), q };
  };
  const mean = at([0, 0, 0]);
  const factor = places.map((i) =>
    places.map((k) => at(places.map((j) => (j === k ? 1 : 0))).q[i] - mean.q[i]),
  );
  return { at, mean, covariance: times(factor, transposed(factor)) };
}

function determinant([[a, b, c], [d, e, f], [g, h, i]]: Rows): number {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

describe('the normal at a point of the path', () => {
  it.each([
    [1, 5],
    [2, 5],
    [3, 5],
    [3, 2],
    [3, 1],
  ])('has the inverse Hessian of L-BFGS after %i moves, of which it keeps %i', (count, history) => {
    const normals = createPathNormals(size, history);
    const used = moves.slice(0, count);
    const found = used.map((one) => normals.next(pointAfter(one))).at(-1) ?? null;
    if (found === null) throw new Error('no approximation');
    expect(found.size).toBe(size);
    const expected = covarianceAfter(used, history);
    const { at, mean, covariance } = parts(found);
    for (const i of places) {
      for (const j of places) expect(covariance[i][j]).toBeCloseTo(expected[i][j], 10);
      expect(mean.q[i]).toBeCloseTo(x[i] - dot(expected[i], gradient), 10);
    }
    const constant = -0.5 * (Math.log(determinant(expected)) + size * Math.log(2 * Math.PI));
    expect(mean.logQ).toBeCloseTo(constant, 10);
    expect(at([1, -2, 0.5]).logQ).toBeCloseTo(constant - 0.5 * 5.25, 10);
  });

  it('does not exist at the start or where the gradient is not finite', () => {
    const normals = createPathNormals(size, 5);
    expect(normals.next(pointAfter(null))).toBeNull();
    const steep = {
      ...pointAfter(moves[0]),
      gradient: Float64Array.of(Number.POSITIVE_INFINITY, 0, 0),
    };
    expect(normals.next(steep)).toBeNull();
  });

  it('does not exist where a single value of its mean would not be finite', () => {
    const steep = {
      ...pointAfter(move([1, 0, 0], [-1, 0, 0])),
      gradient: Float64Array.of(Number.POSITIVE_INFINITY, 0, 0),
    };
    expect(createPathNormals(size, 5).next(steep)).toBeNull();
  });

  it('does not exist where the squares of a move underflow', () => {
    const tiny = pointAfter(move([1e-165, 0, 0], [1e-155, 0, 0]));
    expect(createPathNormals(size, 5).next(tiny)).toBeNull();
  });

  it('uses memory in proportion to the number of parameters, not to its square', () => {
    const many = 100_000;
    const ones = new Float64Array(many).fill(1);
    const point = { ...pointAfter({ s: ones, y: ones }), x: ones, gradient: ones };
    const found = createPathNormals(many, 5).next(point);
    expect(found?.size).toBe(many);
  });

  it('learns nothing from a move without curvature', () => {
    const normals = createPathNormals(size, 5);
    const before = normals.next(pointAfter(moves[0]));
    const after = normals.next(pointAfter(move([1, 0, 0], [-1, 0, 0])));
    if (before === null || after === null) throw new Error('no approximation');
    expect(parts(after).covariance).toEqual(parts(before).covariance);
  });
});
