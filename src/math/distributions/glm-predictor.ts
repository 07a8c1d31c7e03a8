/**
 * The linear predictor eta = alpha + x beta of the fused regression densities, and its reverse: the derivative of the log
 * density in eta gives those in alpha, beta and x with one pass over x each.
 */
import type { ActiveMatrix, Matrix } from '../autodiff/containers.ts';
import { kindCode, Operand } from '../autodiff/operand.ts';
import type { Tape } from '../autodiff/tape.ts';
import { ShapeError } from '../errors.ts';
import { dotRange } from '../linalg/products.ts';

export class LinearPredictor {
  readonly x = new Operand();
  readonly alpha = new Operand();
  readonly beta = new Operand();
  /** Number of observations; eta and dEta hold that many. */
  n = 0;
  eta = new Float64Array(16);
  dEta = new Float64Array(16);
  /** Rows of x: n, or 1 when one row_vector serves every observation. */
  private rows = 0;
  private cols = 0;

  /** Opens x (matrix or row_vector), alpha (real or vector) and beta, for `count` outcomes (−1: one for all rows). */
  open(
    tape: Tape | null,
    name: string,
    kinds: string,
    args: readonly unknown[],
    count: number,
  ): void {
    const [x, alpha, beta] = args;
    const kind = kinds.charCodeAt(0);
    this.x.label = 'Matrix of independent variables';
    this.alpha.label = 'Intercept';
    this.beta.label = 'Weight vector';
    this.x.open(tape, kind, x);
    this.alpha.open(tape, kinds.charCodeAt(1), alpha);
    this.beta.open(tape, kinds.charCodeAt(2), beta);
    const isMatrix = kind === kindCode.M || kind === kindCode.W;
    this.rows = isMatrix ? (x as Matrix | ActiveMatrix).rows : 1;
    this.cols = isMatrix ? (x as Matrix | ActiveMatrix).cols : this.x.size;
    this.n = isMatrix ? this.rows : Math.max(count, 1);
    if (count >= 0 && count !== this.n) {
      throw new ShapeError(
        `${name}: ${count} outcomes for ${this.n} rows of independent variables`,
      );
    }
    if (this.beta.size !== this.cols) {
      throw new ShapeError(
        `${name}: Weight vector has ${this.beta.size} elements for ${this.cols} columns`,
      );
    }
    if (this.alpha.stride === 1 && this.alpha.size !== this.n) {
      throw new ShapeError(`${name}: Intercept has ${this.alpha.size} elements for ${this.n} rows`);
    }
  }

  /** Edges that {@link placeEdges} will need. */
  get numEdges(): number {
    let edges = 0;
    for (const operand of [this.x, this.alpha, this.beta])
      if (operand.active) edges += operand.size;
    return edges;
  }

  placeEdges(tape: Tape, from: number): void {
    let edge = from;
    for (const operand of [this.x, this.alpha, this.beta]) {
      if (!operand.active) continue;
      operand.placeEdges(tape, edge);
      edge += operand.size;
    }
  }

  /** Fills `eta`. */
  compute(): void {
    const { n, rows, cols, x, beta, alpha } = this;
    if (this.eta.length < n) {
      this.eta = new Float64Array(2 * n);
      this.dEta = new Float64Array(2 * n);
    }
    const { eta } = this;
    for (let i = 0; i < n; i++) eta[i] = alpha.at(i);
    if (rows === 1) {
      const shared = dotRange(x.values, x.start, beta.values, beta.start, cols);
      for (let i = 0; i < n; i++) eta[i] += shared;
      return;
    }
    addColumns(eta, x.values, x.start, { rows, cols, beta });
  }

  /** Adds the partial derivatives that follow from `dEta`. */
  reverse(): void {
    const { n, rows, cols, x, alpha, beta, dEta } = this;
    if (alpha.active) for (let i = 0; i < n; i++) alpha.add(i, dEta[i]);
    if (rows === 1) {
      let total = 0;
      for (let i = 0; i < n; i++) total += dEta[i];
      for (let j = 0; j < cols; j++) {
        if (beta.active) beta.add(j, total * x.at(j));
        if (x.active) x.add(j, total * beta.at(j));
      }
      return;
    }
    for (let j = 0; j < cols; j++) {
      if (beta.active) beta.add(j, dotRange(dEta, 0, x.values, x.start + j * rows, rows));
      if (!x.active) continue;
      const b = beta.at(j);
      for (let i = 0; i < rows; i++) x.add(i + j * rows, dEta[i] * b);
    }
  }

  /** Finds out what made a result NaN: throws the DomainError of the first operand that is not finite. */
  checkFinite(name: string): void {
    for (const operand of [this.alpha, this.beta, this.x]) {
      for (let i = 0; i < operand.size; i++) {
        if (!(Math.abs(operand.at(i)) < Infinity)) operand.fail(name, i, 'finite');
      }
    }
  }
}

interface Columns {
  readonly rows: number;
  readonly cols: number;
  readonly beta: Operand;
}

/** eta += x beta, four columns per pass. */
function addColumns(
  eta: Float64Array,
  x: Float64Array,
  start: number,
  { rows, cols, beta }: Columns,
): void {
  let j = 0;
  for (; j + 3 < cols; j += 4) {
    const b0 = beta.at(j);
    const b1 = beta.at(j + 1);
    const b2 = beta.at(j + 2);
    const b3 = beta.at(j + 3);
    const x0 = start + j * rows;
    const x1 = x0 + rows;
    const x2 = x1 + rows;
    const x3 = x2 + rows;
    for (let i = 0; i < rows; i++) {
      eta[i] += b0 * x[x0 + i] + b1 * x[x1 + i] + b2 * x[x2 + i] + b3 * x[x3 + i];
    }
  }
  for (; j < cols; j++) {
    const b = beta.at(j);
    const from = start + j * rows;
    for (let i = 0; i < rows; i++) eta[i] += b * x[from + i];
  }
}
