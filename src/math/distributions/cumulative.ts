/**
 * The driver of cumulative distribution functions: one description of a distribution's two tails gives `_lcdf`, `_lccdf`
 * and `_cdf` over scalars and containers.
 */
import { Operand } from '../autodiff/operand.ts';
import type { Tape } from '../autodiff/tape.ts';
import type { Argument } from './arguments.ts';
import { type Density, DensityCall } from './density.ts';

/** log of one tail probability of one element and its derivatives in y and up to three parameters. */
export class TailStep {
  /** Whether the upper tail P(Y > y) is requested; otherwise P(Y ≤ y). */
  upper = false;
  logP = 0;
  dy = 0;
  da = 0;
  db = 0;
  dc = 0;

  set(logP: number, dy = 0, da = 0, db = 0, dc = 0): void {
    this.logP = logP;
    this.dy = dy;
    this.da = da;
    this.db = db;
    this.dc = dc;
  }

  /** All of the mass lies on this side (`full`), or none of it. */
  setEdge(full: boolean): void {
    this.set(full ? 0 : -Infinity);
  }
}

export type Tail = (step: TailStep, y: number, a: number, b: number, c: number) => void;

interface CumulativeSpec {
  readonly name: string;
  /** y, then the parameters. */
  readonly arguments: readonly Argument[];
  readonly tail: Tail;
}

const call = new DensityCall();
const step = new TailStep();
const absent = new Operand();
absent.open(null, 'r'.charCodeAt(0), 0);

/** The three functions `name_lcdf`, `name_lccdf`, `name_cdf`. */
export function cumulativeFunctions(spec: CumulativeSpec): Record<string, Density> {
  return {
    [`${spec.name}_lcdf`]: logTail(`${spec.name}_lcdf`, spec, false),
    [`${spec.name}_lccdf`]: logTail(`${spec.name}_lccdf`, spec, true),
    [`${spec.name}_cdf`]: cdf(`${spec.name}_cdf`, spec),
  };
}

function open(
  tape: Tape,
  name: string,
  spec: CumulativeSpec,
  kinds: string,
  args: readonly unknown[],
): void {
  call.start(name, false);
  for (let k = 0; k < spec.arguments.length; k++) {
    call.open(tape, kinds.charCodeAt(k), spec.arguments[k][0], args[k]);
  }
  call.agreeSizes();
  if (call.n > 0) call.check(spec.arguments);
}

/** Sums the log tails and adds their partials; returns the sum. */
function accumulate(spec: CumulativeSpec): number {
  const count = spec.arguments.length;
  const y = call.operands[0];
  const a = count > 1 ? call.operands[1] : absent;
  const b = count > 2 ? call.operands[2] : absent;
  const c = count > 3 ? call.operands[3] : absent;
  let lp = 0;
  for (let i = 0; i < call.n; i++) {
    spec.tail(step, y.at(i), a.at(i), b.at(i), c.at(i));
    lp += step.logP;
    if (y.active) y.add(i, step.dy);
    if (a.active) a.add(i, step.da);
    if (b.active) b.add(i, step.db);
    if (c.active) c.add(i, step.dc);
  }
  return lp;
}

function logTail(name: string, spec: CumulativeSpec, upper: boolean): Density {
  return (tape, _propto, kinds, ...args) => {
    open(tape, name, spec, kinds, args);
    if (call.n === 0) return call.isActive ? tape.constant(0) : 0;
    const edges = call.placeEdges(tape);
    step.upper = upper;
    const lp = accumulate(spec);
    return edges > 0 ? tape.endRow(lp, edges) : lp;
  };
}

/** Π F(y_i): the exponential of the sum of logarithms, partials scaled by it. */
function cdf(name: string, spec: CumulativeSpec): Density {
  return (tape, _propto, kinds, ...args) => {
    open(tape, name, spec, kinds, args);
    if (call.n === 0) return call.isActive ? tape.constant(1) : 1;
    const edges = call.placeEdges(tape);
    step.upper = false;
    const p = Math.exp(accumulate(spec));
    if (edges === 0) return p;
    const { edgePartial, numEdges } = tape;
    for (let e = numEdges; e < numEdges + edges; e++)
      edgePartial[e] = p === 0 ? 0 : edgePartial[e] * p;
    return tape.endRow(p, edges);
  };
}
