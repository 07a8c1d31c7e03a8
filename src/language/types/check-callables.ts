/** Names of user functions handed to solvers. */
import type { Call, FunctionDefinition } from '../syntax/ast.ts';
import { printType } from '../syntax/printer.ts';
import { isDataOnly } from './data-only.ts';
import type { CheckContext } from './scope.ts';
import { odeOwnArguments } from './signatures/solvers.ts';
import { isAssignable, isSameType, type StanType, voidType } from './stan-type.ts';
import * as problems from './type-problems.ts';

const of = (base: StanType['base'], arrayDepth = 0): StanType => ({ base, arrayDepth });

interface Shape {
  readonly arguments: readonly StanType[];
  readonly result: StanType;
}

/** Checks the first argument of a solver, a function name, and notes which function it is. */
export function checkCallable(context: CheckContext, call: Call, shape: string): void {
  const [first] = call.arguments;
  first.type = voidType;
  const overloads = first.kind === 'variable' ? context.functions.get(first.name) : undefined;
  if (first.kind !== 'variable' || !overloads) {
    context.report(problems.callableExpected(first.span, call.name.name));
    return;
  }
  const wanted = shape === 'ode' ? odeShape(call) : oldOdeShape;
  const definition = overloads.find((candidate) => hasShape(candidate, wanted));
  if (!definition) {
    context.report(problems.wrongCallable(first.span, first.name, describe(wanted)));
    return;
  }
  first.callable = definition;
  if (shape === 'ode') checkDataArguments(context, call, definition);
}

/** `vector f(real t, vector y, …)`, the rest being what the call hands on. */
function odeShape(call: Call): Shape {
  const own = odeOwnArguments[call.name.name] ?? 4;
  const handed = call.arguments.slice(own).map((argument) => argument.type ?? of('error'));
  return { arguments: [of('real'), of('vector'), ...handed], result: of('vector') };
}

const oldOdeShape: Shape = {
  arguments: [of('real'), of('real', 1), of('real', 1), of('real', 1), of('int', 1)],
  result: of('real', 1),
};

function hasShape(definition: FunctionDefinition, shape: Shape): boolean {
  return (
    isSameType(definition.returnType, shape.result) &&
    definition.arguments.length === shape.arguments.length &&
    definition.arguments.every((argument, i) => isAssignable(shape.arguments[i], argument.type))
  );
}

function checkDataArguments(
  context: CheckContext,
  call: Call,
  definition: FunctionDefinition,
): void {
  const offset = (odeOwnArguments[call.name.name] ?? 4) - 2;
  definition.arguments.forEach((argument, i) => {
    const handed = i >= 2 ? call.arguments[i + offset] : undefined;
    if (!handed || !argument.dataOnly || isDataOnly(context, handed)) return;
    context.report(problems.dataOnlyArgument(handed.span, definition.name.name));
  });
}

function describe(shape: Shape): string {
  return `${printType(shape.result)} f(${shape.arguments.map(printType).join(', ')})`;
}
