/** Calls of the embedded Laplace approximation: a likelihood, the covariance of the latent vector, and options. */

import type { Span } from '../source/span.ts';
import type { Expression, FunctionDefinition, Identifier } from '../syntax/ast.ts';
import { printType } from '../syntax/printer.ts';
import { walkStatement } from '../syntax/walk.ts';
import { checkExpression } from './check-expressions.ts';
import { checkPlaceOfCall } from './check-places.ts';
import { isDataOnly } from './data-only.ts';
import { describeUserFunction } from './describe-signature.ts';
import * as problems from './laplace-problems.ts';
import { type CheckContext, userFunctions } from './scope.ts';
import { firstOrderOnly, outcomeTypes } from './signatures/laplace.ts';
import {
  errorType,
  isAssignable,
  isError,
  isSameType,
  type StanType,
  tupleOf,
  voidType,
} from './stan-type.ts';

const of = (base: StanType['base'], arrayDepth = 0): StanType => ({ base, arrayDepth });

export interface LaplaceCall {
  readonly name: Identifier;
  readonly span: Span;
  readonly arguments: readonly Expression[];
}

/** The result's type, or `error`; notes which functions the names mean. */
export function checkLaplace(context: CheckContext, call: LaplaceCall): StanType {
  const { name } = call.name;
  checkPlaceOfCall(context, call.name);
  const hasOptions = name.includes('_tol');
  const form = formOf(name);
  const missing = form[call.arguments.length];
  if (missing) {
    checkPlainArguments(context, call);
    context.report(problems.missingArgument(call.span, name, missing, form));
    return errorType;
  }
  if (call.arguments.length > form.length) {
    checkPlainArguments(context, call);
    const extra = call.arguments[form.length];
    context.report(problems.extraArgument(extra.span, name, hasOptions));
    return errorType;
  }
  const outcome = outcomeTypes(name);
  const isRight = outcome
    ? checkOutcome(context, call, outcome.split(', '))
    : checkFunction(context, call, 0, { leading: [of('vector')], result: of('real') });
  const at = outcome ? outcome.split(', ').length : 2;
  checkBlockSize(context, call, at);
  const hasCovariance = checkFunction(context, call, at + 1, {
    leading: [],
    result: of('matrix'),
  });
  if (hasOptions) checkOptions(context, call, call.arguments[at + 3]);
  if (name.includes('_solve')) checkAllData(context, call);
  return isRight && hasCovariance ? resultOf(name) : errorType;
}

function resultOf(name: string): StanType {
  if (name.includes('_solve')) return tupleOf([of('vector'), of('matrix')]);
  return of(name.endsWith('_rng') ? 'vector' : 'real');
}

/** The names of the arguments, in order. */
function formOf(name: string): readonly string[] {
  const outcome = outcomeTypes(name);
  const names =
    outcome?.split(', ').length === 4 ? ['y', 'y_index', 'eta', 'm'] : ['y', 'y_index', 'm'];
  const front = outcome ? names : ['likelihood function', 'tuple of likelihood arguments'];
  const all = [
    ...front,
    'hessian_block_size',
    'covariance function',
    'tuple of covariance arguments',
  ];
  return name.includes('_tol') ? [...all, 'tuple of options'] : all;
}

/** Reports what is wrong within the arguments themselves; names of functions are not. */
function checkPlainArguments(context: CheckContext, call: LaplaceCall): void {
  for (const argument of call.arguments) {
    if (argument.kind === 'variable' && context.functions.has(argument.name)) {
      argument.type = voidType;
      continue;
    }
    checkExpression(context, argument);
  }
}

function checkOutcome(
  context: CheckContext,
  call: LaplaceCall,
  wanted: readonly string[],
): boolean {
  let isRight = true;
  wanted.forEach((text, i) => {
    const argument = call.arguments[i];
    const type = checkExpression(context, argument);
    const accepted =
      text === 'int[]'
        ? [of('int', 1)]
        : text === 'vector'
          ? [of('vector')]
          : [of('real'), of('vector')];
    if (isError(type)) {
      isRight = false;
      return;
    }
    if (accepted.some((one) => isAssignable(type, one))) return;
    isRight = false;
    context.report(
      problems.wrongOutcome(
        argument.span,
        call.name.name,
        formOf(call.name.name)[i],
        accepted,
        type,
      ),
    );
  });
  return isRight;
}

interface Shape {
  readonly leading: readonly StanType[];
  readonly result: StanType;
}

/** A function name at `at`, followed by the tuple of its arguments. */
function checkFunction(
  context: CheckContext,
  call: LaplaceCall,
  at: number,
  shape: Shape,
): boolean {
  const callable = call.arguments[at];
  const tuple = call.arguments[at + 1];
  const given = checkExpression(context, tuple);
  callable.type = voidType;
  const overloads = callable.kind === 'variable' ? userFunctions(context, callable.name) : [];
  if (callable.kind !== 'variable' || overloads.length === 0) {
    context.report(problems.functionExpected(callable.span, call.name.name, shape.result));
    return false;
  }
  if (isError(given)) return false;
  if (given.base !== 'tuple' || given.arrayDepth > 0 || !given.members) {
    context.report(problems.tupleExpected(tuple.span, callable.name, given));
    return false;
  }
  const fitting = overloads.filter((definition) => hasForm(definition, shape));
  if (fitting.length === 0) {
    const wanted = [...shape.leading.map(printType), '…'].join(', ');
    context.report(
      problems.wrongForm(
        callable.span,
        callable.name,
        `${printType(shape.result)} ${callable.name}(${wanted})`,
      ),
    );
    return false;
  }
  const { members } = given;
  const definition = bestOf(fitting, members, shape.leading.length);
  if (definition === null) {
    context.report(
      problems.wrongTuple(tuple.span, callable.name, members, fitting.map(describeUserFunction)),
    );
    return false;
  }
  if (definition === 'ambiguous') {
    context.report(problems.ambiguous(callable.span, callable.name));
    return false;
  }
  callable.callable = definition;
  checkDataArguments(context, tuple, definition, shape.leading.length);
  if (shape.leading.length > 0) checkDerivatives(context, callable.span, definition);
  return true;
}

function hasForm(definition: FunctionDefinition, { leading, result }: Shape): boolean {
  return (
    !/_(?:rng|lp|jacobian|lpdf|lpmf)$/.test(definition.name.name) &&
    isSameType(definition.returnType, result) &&
    leading.every((type, i) => {
      const argument = definition.arguments[i];
      return argument !== undefined && isSameType(argument.type, type) && !argument.dataOnly;
    })
  );
}

/** The overload that accepts the members with the fewest promotions. */
function bestOf(
  overloads: readonly FunctionDefinition[],
  members: readonly StanType[],
  leading: number,
): FunctionDefinition | 'ambiguous' | null {
  let best: FunctionDefinition | 'ambiguous' | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const definition of overloads) {
    const wanted = definition.arguments.slice(leading);
    if (wanted.length !== members.length) continue;
    if (!wanted.every(({ type }, i) => isAssignable(members[i], type))) continue;
    const promotions = wanted.filter(({ type }, i) => !isSameType(members[i], type)).length;
    if (promotions === fewest) best = 'ambiguous';
    if (promotions >= fewest) continue;
    fewest = promotions;
    best = definition;
  }
  return best;
}

function checkDataArguments(
  context: CheckContext,
  tuple: Expression,
  definition: FunctionDefinition,
  leading: number,
): void {
  definition.arguments.slice(leading).forEach(({ dataOnly }, i) => {
    if (!dataOnly) return;
    const argument = tuple.kind === 'tuple' ? tuple.elements[i] : tuple;
    if (!isDataOnly(context, argument))
      context.report(
        problems.dataOnly(argument.span, `Argument ${i + 1} passed to \`${definition.name.name}\``),
      );
  });
}

function checkBlockSize(context: CheckContext, call: LaplaceCall, at: number): void {
  const argument = call.arguments[at];
  const type = checkExpression(context, argument);
  if (isError(type) || isSameType(type, of('int'))) return;
  context.report(problems.wrongBlockSize(argument.span, type));
}

const optionNames = [
  'theta_init',
  'tol',
  'max_num_steps',
  'solver',
  'max_steps_linesearch',
  'allow_fallback',
] as const;
const optionTypes = [of('vector'), of('real'), of('int'), of('int'), of('int'), of('int')];

function checkOptions(context: CheckContext, { name }: LaplaceCall, options: Expression): void {
  const type = checkExpression(context, options);
  if (isError(type)) return;
  if (type.base !== 'tuple' || type.arrayDepth > 0 || type.members?.length !== optionTypes.length) {
    context.report(problems.wrongOptions(options.span, name.name, type));
    return;
  }
  const { members } = type;
  optionTypes.forEach((wanted, i) => {
    const element = options.kind === 'tuple' ? options.elements[i] : options;
    if (isError(members[i])) return;
    if (!isAssignable(members[i], wanted))
      context.report(problems.wrongOption(element.span, optionNames[i], wanted, members[i]));
    else if (i > 0 && options.kind === 'tuple' && !isDataOnly(context, element))
      context.report(problems.dataOnly(element.span, `\`${optionNames[i]}\``));
  });
}

function checkAllData(context: CheckContext, call: LaplaceCall): void {
  for (const argument of call.arguments) {
    const isFunction = argument.kind === 'variable' && argument.callable !== undefined;
    if (!isFunction && !isDataOnly(context, argument))
      context.report(
        problems.dataOnly(
          argument.span,
          `Outside of generated quantities, each argument of \`${call.name.name}\``,
        ),
      );
  }
}

/** The log likelihood is differentiated three times, which not all library functions support. */
function checkDerivatives(context: CheckContext, span: Span, definition: FunctionDefinition): void {
  const seen = new Set<string>();
  const visit = ({ name, body }: FunctionDefinition): void => {
    if (seen.has(name.name) || !body) return;
    seen.add(name.name);
    const expression = (node: Expression): void => {
      if (node.kind !== 'call') return;
      const called = node.name.name;
      const own = context.functions.get(called);
      if (own) own.forEach(visit);
      else if (firstOrderOnly.test(called)) context.report(problems.firstOrderOnly(span, called));
      for (const argument of node.arguments) {
        if (argument.kind === 'variable') context.functions.get(argument.name)?.forEach(visit);
      }
    };
    walkStatement(body, { expression });
  };
  visit(definition);
}
