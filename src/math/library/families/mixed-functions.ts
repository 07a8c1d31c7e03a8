/** Special functions of any mix of data and active arguments, see "Mixed" in `machinery/implementation.ts`. */
import { ActiveVector } from '../../autodiff/containers.ts';
import { kindCode, Operand } from '../../autodiff/operand.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { DomainError, ShapeError } from '../../errors.ts';
import {
  type Hypergeometric,
  hypergeometric1F0,
  hypergeometricPFQ,
} from '../../special/hypergeometric.ts';
import { studentTQuantile } from '../../special/student-t-quantile.ts';
import type { LibraryPart } from '../machinery/implementation.ts';

const operands = Array.from({ length: 4 }, () => new Operand());

/** Points operands at the arguments; room for `slots` results with an edge to each element must be reserved first. */
function open(tape: Tape | null, kinds: readonly string[], args: readonly unknown[]): Operand[] {
  return args.map((argument, k) => {
    operands[k].open(tape, kindCode[kinds[k] as keyof typeof kindCode], argument);
    return operands[k];
  });
}

const isActive = (kinds: readonly string[]): boolean => kinds.some((kind) => /[vV]$/.test(kind));
const isScalar = (kind: string): boolean => /^[irv]$/.test(kind);

/** A row of one value: `partial(k, i)` is its derivative in element i of argument k. */
function record(
  tape: Tape,
  value: number,
  own: readonly Operand[],
  partial: (k: number, i: number) => number,
): number {
  const total = own.reduce((n, operand) => n + (operand.active ? operand.size : 0), 0);
  tape.reserveEdges(total);
  let e = tape.numEdges;
  for (const [k, operand] of own.entries()) {
    if (!operand.active) continue;
    for (let i = 0; i < operand.size; i++) {
      tape.edgeSlot[e] = operand.slot(i);
      tape.edgePartial[e++] = partial(k, i);
    }
  }
  return tape.endRow(value, total);
}

const valuesOf = (operand: Operand): number[] =>
  Array.from({ length: operand.size }, (_, i) => operand.at(i));

/** pFq of its parameters and z, as arrays of arguments. */
type Evaluate = (own: readonly Operand[]) => Hypergeometric;

function hypergeometric(
  evaluate: Evaluate,
  partialOf: (f: Hypergeometric, k: number, i: number) => number,
) {
  return (tape: Tape | null, _: null, kinds: readonly string[], ...args: readonly unknown[]) => {
    tape?.reserveSlots(1);
    const own = open(tape, kinds, args);
    const f = evaluate(own);
    return tape === null ? f.value : record(tape, f.value, own, (k, i) => partialOf(f, k, i));
  };
}

const ofScalars = (name: string, upper: number) =>
  hypergeometric(
    (own) => {
      const [z] = own.slice(-1);
      const parameters = own.slice(0, -1).map((operand) => operand.at(0));
      if (upper === 1) return hypergeometric1F0(name, parameters[0], z.at(0));
      return hypergeometricPFQ(name, parameters.slice(0, upper), parameters.slice(upper), z.at(0));
    },
    (f, k) => {
      if (k < upper) return f.da[k];
      return k - upper < f.db.length ? f.db[k - upper] : f.dz;
    },
  );

const ofVectors = (name: string, sizes: readonly [number, number] | null) =>
  hypergeometric(
    ([a, b, z]) => {
      if (sizes !== null && (a.size !== sizes[0] || b.size !== sizes[1]))
        throw new ShapeError(
          `${name}: takes ${sizes[0]} upper and ${sizes[1]} lower parameters, got ${a.size} and ${b.size}`,
        );
      return hypergeometricPFQ(name, valuesOf(a), valuesOf(b), z.at(0));
    },
    (f, k, i) => [f.da[i], f.db[i], f.dz][k],
  );

const labels = ['Probability', 'Degrees of freedom', 'Location', 'Scale'];

function checkQuantile(own: readonly Operand[], i: number): readonly number[] {
  const values = own.map((operand) => operand.at(i));
  const [p, nu, mu, sigma] = values;
  const holds = [
    p >= 0 && p <= 1,
    nu > 0 && Number.isFinite(nu),
    Number.isFinite(mu),
    sigma > 0 && Number.isFinite(sigma),
  ];
  const wanted = ['in the interval [0, 1]', 'positive finite', 'finite', 'positive finite'];
  const wrong = holds.indexOf(false);
  if (wrong >= 0)
    throw new DomainError(
      `student_t_qf: ${labels[wrong]} is ${values[wrong]}, but must be ${wanted[wrong]}`,
    );
  return values;
}

/** A number or slot if all arguments are scalars, otherwise a vector. */
function studentTQf(
  tape: Tape | null,
  _: null,
  kinds: readonly string[],
  ...args: readonly unknown[]
) {
  const sizes = args.map((argument, k) => {
    if (isScalar(kinds[k])) return null;
    return argument instanceof ActiveVector ? argument.n : (argument as Float64Array).length;
  });
  const n = sizes.find((size) => size !== null) ?? 1;
  if (sizes.some((size) => size !== null && size !== n))
    throw new ShapeError(
      `student_t_qf: sizes ${sizes.filter((size) => size !== null).join(', ')} must match`,
    );
  tape?.reserveSlots(n);
  tape?.reserveEdges(4 * n);
  const own = open(tape, kinds, args);
  const out = new Float64Array(n);
  const base = tape?.numSlots ?? 0;
  for (let i = 0; i < n; i++) {
    const [p, nu, mu, sigma] = checkQuantile(own, i);
    const { value, dp, dNu } = studentTQuantile(p, nu);
    out[i] = mu + sigma * value;
    if (tape === null) continue;
    const partials = [sigma * dp, sigma * dNu, 1, value];
    let e = tape.numEdges;
    for (const [k, operand] of own.entries()) {
      if (!operand.active) continue;
      tape.edgeSlot[e] = operand.slot(i);
      tape.edgePartial[e++] = partials[k];
    }
    tape.endRow(out[i], e - tape.numEdges);
  }
  const isVector = sizes.some((size) => size !== null);
  if (!isActive(kinds)) return isVector ? out : out[0];
  return isVector ? new ActiveVector(n, base) : base;
}

export const mixedFunctionsPart: LibraryPart = {
  hypergeometric_1F0: ofScalars('hypergeometric_1F0', 1),
  hypergeometric_2F1: ofScalars('hypergeometric_2F1', 2),
  hypergeometric_3F2: ofVectors('hypergeometric_3F2', [3, 2]),
  hypergeometric_pFq: ofVectors('hypergeometric_pFq', null),
  student_t_qf: studentTQf,
};
