/** Names of user functions handed to library functions. */
import type { Call, FunctionDefinition } from '../syntax/ast.ts';
import { printType } from '../syntax/printer.ts';
import { checkPlaceOfCall } from './check-places.ts';
import { isDataOnly } from './data-only.ts';
import { type CheckContext, userFunctions } from './scope.ts';
import { callings } from './signatures/higher-order.ts';
import { isAssignable, isComplex, isSameType, type StanType, voidType } from './stan-type.ts';
import * as problems from './type-problems.ts';

const of = (base: StanType['base'], arrayDepth = 0): StanType => ({ base, arrayDepth });

interface Shape {
  readonly arguments: readonly StanType[];
  readonly result: StanType;
}

/** Functions whose arguments are all fixed. */
const fixedShapes: Readonly<Record<string, Shape>> = {
  old_ode: {
    arguments: [of('real'), of('real', 1), of('real', 1), of('real', 1), of('int', 1)],
    result: of('real', 1),
  },
  old_algebraic: {
    arguments: [of('vector'), of('vector'), of('real', 1), of('int', 1)],
    result: of('vector'),
  },
  old_integrand: {
    arguments: [of('real'), of('real'), of('real', 1), of('real', 1), of('int', 1)],
    result: of('real'),
  },
  rect: {
    arguments: [of('vector'), of('vector'), of('real', 1), of('int', 1)],
    result: of('vector'),
  },
};

/** Functions that pass further arguments on: only the leading ones. */
const openShapes: Readonly<Record<string, Shape>> = {
  ode: { arguments: [of('real'), of('vector')], result: of('vector') },
  dae: { arguments: [of('real'), of('vector'), of('vector')], result: of('vector') },
  algebraic: { arguments: [of('vector')], result: of('vector') },
  integrand: { arguments: [of('real'), of('real')], result: of('real') },
};

/** Checks the first argument of a call, a function name, and notes which function it is. */
export function checkCallable(context: CheckContext, call: Call, shape: string): void {
  const [first] = call.arguments;
  first.type = voidType;
  if (shape === 'partial_sum') checkSlice(context, call);
  const overloads = first.kind === 'variable' ? userFunctions(context, first.name) : [];
  if (first.kind !== 'variable' || overloads.length === 0) {
    context.report(problems.callableExpected(first.span, call.name.name));
    return;
  }
  const wanted = shapeOf(call, shape);
  // functions that draw or add to the target cannot be passed on
  const isPlain = !/_(?:rng|lp|jacobian)$/.test(first.name);
  const fitting = isPlain ? overloads.filter((candidate) => hasShape(candidate, wanted)) : [];
  const definition = closestOf(fitting, wanted);
  if (!definition) {
    const isAmbiguous = fitting.length > 0;
    context.report(
      isAmbiguous
        ? problems.ambiguousCall(first.span, first.name)
        : problems.wrongCallable(first.span, first.name, describe(wanted)),
    );
    return;
  }
  first.callable = definition;
  checkPlaceOfCall(context, { name: first.name, span: first.span });
  if (!(shape in fixedShapes)) checkDataArguments(context, call, definition);
}

/** As in Stan, sums run over arrays of anything but complex numbers. */
function checkSlice(context: CheckContext, call: Call): void {
  const { type, span } = call.arguments[1];
  if (!type || !isComplex(type)) return;
  const wanted = 'an array of ints, reals, vectors, row vectors or matrices';
  context.report(problems.wrongType(span, `What \`${call.name.name}\` sums over`, wanted, type));
}

function shapeOf(call: Call, name: string): Shape {
  const fixed = fixedShapes[name];
  if (fixed) return fixed;
  const handed = handedOf(call).map((argument) => argument.type ?? of('error'));
  if (name === 'partial_sum') {
    const slice = call.arguments[1].type ?? of('error');
    return { arguments: [slice, of('int'), of('int'), ...handed], result: of('real') };
  }
  const { arguments: leading, result } = openShapes[name];
  return { arguments: [...leading, ...handed], result };
}

/** The arguments that the library function passes on. */
function handedOf(call: Call): Call['arguments'] {
  return call.arguments.slice(1 + callings[call.name.name].own);
}

function hasShape(definition: FunctionDefinition, shape: Shape): boolean {
  return (
    isSameType(definition.returnType, shape.result) &&
    definition.arguments.length === shape.arguments.length &&
    definition.arguments.every((argument, i) => isAssignable(shape.arguments[i], argument.type))
  );
}

/** The overload with the fewest promotions; null when there is none or a tie. */
function closestOf(
  fitting: readonly FunctionDefinition[],
  { arguments: wanted }: Shape,
): FunctionDefinition | null {
  const promotions = fitting.map(
    (definition) =>
      definition.arguments.filter(({ type }, i) => !isSameType(wanted[i], type)).length,
  );
  const fewest = Math.min(...promotions);
  const closest = fitting.filter((_, i) => promotions[i] === fewest);
  return closest.length === 1 ? closest[0] : null;
}

function checkDataArguments(
  context: CheckContext,
  call: Call,
  definition: FunctionDefinition,
): void {
  const handed = handedOf(call);
  const { leading } = callings[call.name.name];
  definition.arguments.slice(leading).forEach((argument, i) => {
    if (!argument.dataOnly || isDataOnly(context, handed[i])) return;
    context.report(problems.dataOnlyArgument(handed[i].span, definition.name.name));
  });
}

function describe(shape: Shape): string {
  return `${printType(shape.result)} f(${shape.arguments.map(printType).join(', ')})`;
}
