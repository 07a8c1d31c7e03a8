/**
 * The embedded Laplace approximation: the covariance function like any function, the likelihood as an instance for a Taylor
 * tape (math/laplace/taylor-tape.ts), on which each function of active values is the library's `$taylor_…`.
 */
import { Activity } from '../lower/activity.ts';
import type { ExpressionOf, IrVariable } from '../lower/ir.ts';
import { dataKind, isActiveKind, type Kind, kindOf } from '../lower/kinds.ts';
import { InternalCompilerError } from '../lower/scope.ts';
import { type Code, emitAs, emitBorrowed, emitExpression } from './emit-expression.ts';
import type { Frame } from './frame.ts';
import { quote } from './printer.ts';
import { variableName } from './unit.ts';

type HigherOrder = ExpressionOf<'higher-order'>;

export function emitLaplace(frame: Frame, e: HigherOrder, kind: Kind): Code {
  const { unit, activity } = frame;
  const parts = e.laplace;
  if (!parts) throw new InternalCompilerError('not a Laplace approximation');
  const { likelihood, numLikelihood, numCovariance } = parts;
  const own = e.arguments.slice(0, numLikelihood);
  const ofCovariance = e.arguments.slice(numLikelihood + 1, numLikelihood + 1 + numCovariance);
  const likelihoodKinds = own.map((argument, i) =>
    kindOf(likelihood?.arguments[i + 1]?.type ?? argument.type, activity.isActive(argument)),
  );
  const covarianceKinds = ofCovariance.map((argument, i) =>
    kindOf(e.function.arguments[i].type, activity.isActive(argument)),
  );
  const record = likelihood
    ? unit.instance(likelihood, ['V', ...likelihoodKinds], false, true).name
    : 'null';
  const plain = unit.instance(e.function, covarianceKinds.map(dataKind), false).name;
  const active = unit.instance(e.function, covarianceKinds, false).name;
  const system = [
    `likelihood: ${record}`,
    `handed: [${likelihoodKinds.map(quote).join(', ')}]`,
    `covariance: { data: ${plain}, active: ${active} }`,
    `numCovariance: ${numCovariance}`,
  ].join(', ');
  const wanted = new Map([
    ...own.map((argument, i) => [argument, likelihoodKinds[i]] as const),
    ...ofCovariance.map((argument, i) => [argument, covarianceKinds[i]] as const),
  ]);
  const args = e.arguments.map((argument): Code => {
    const asked = wanted.get(argument);
    if (asked === undefined) return emitExpression(frame, argument);
    return { text: emitAs(frame, argument, asked), kind: asked };
  });
  const first = e.name.endsWith('_rng') ? 'rng' : isActiveKind(kind) ? 'tape' : 'null';
  const kinds = quote(args.map((code) => code.kind).join(''));
  const texts = [first, kinds, `{ ${system} }`, ...args.map((code) => code.text)];
  return { text: `${unit.use(e.name)}(${texts.join(', ')})`, kind };
}

/** Functions that only move values around, which the library's own forms do without recording anything. */
const moving = new Set(
  `append_array append_col append_row block col diagonal head rep_array rep_matrix rep_row_vector rep_vector reverse row
  segment sub_col sub_row tail to_array_1d to_array_2d to_matrix to_row_vector to_vector transpose symmetrize_from_lower_tri
  $stack_rows $stack_columns $rep_rows $column_matrix $row_matrix`.split(/\s+/),
);

type Called = ExpressionOf<'call' | 'density' | 'mixed'>;

/**
 * A function of active values on a Taylor tape: in its own form or, if it has none, by differences of its gradients
 * (math/laplace/differenced.ts). `emitPlain` writes the call for a plain tape.
 */
export function emitTaylor<E extends Called>(
  frame: Frame,
  e: E,
  kind: Kind,
  emitPlain: (frame: Frame, e: E, kind: Kind) => Code,
): Code {
  if (moving.has(e.name)) return emitPlain(frame, e, kind);
  const { unit } = frame;
  const key = `$taylor_${e.name}`;
  const args = e.arguments.map((argument) => emitBorrowed(frame, argument));
  const kinds = quote(args.map((code) => code.kind).join(''));
  const operands = args.map((code) => code.text);
  const texts = unit.library.has(key)
    ? ['tape', kinds, ...operands]
    : ['tape', plainCall(frame, e, kind, emitPlain), kinds, quote(kind), ...operands];
  const name = unit.use(unit.library.has(key) ? key : '$differenced');
  return { text: `${name}(${texts.join(', ')})`, kind };
}

/** `(tape, x, y) => f(tape, x, y)`. */
function plainCall<E extends Called>(
  frame: Frame,
  e: E,
  kind: Kind,
  emitPlain: (frame: Frame, e: E, kind: Kind) => Code,
): string {
  const activity = new Activity(false);
  const locals = e.arguments.map((argument, id): IrVariable => {
    const { type } = argument;
    const variable = { id, name: 'operand', type, place: 'local', writtenLevel: -1 } as const;
    if (frame.activity.isActive(argument)) activity.mark(variable);
    return variable;
  });
  const ofLocals: E = {
    ...e,
    arguments: locals.map((variable) => ({ op: 'variable', variable, type: variable.type })),
  };
  const plain = emitPlain({ ...frame, activity, isTaylor: false, caches: false }, ofLocals, kind);
  return `(${['tape', ...locals.map(variableName)].join(', ')}) => ${plain.text}`;
}
