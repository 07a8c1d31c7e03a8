/** User functions: their names and suffixes, overloads, bodies and returns. */
import type { Expression, FunctionDefinition, Statement } from '../syntax/ast.ts';
import { checkStatements } from './check-statements.ts';
import type { CheckContext } from './scope.ts';
import { isLaplace } from './signatures/laplace.ts';
import {
  isLibraryFunction,
  type Resolution,
  resolveLibrary,
  signaturesOf,
} from './signatures/signature-table.ts';
import { everyPart, isSameType, type StanType } from './stan-type.ts';
import * as problems from './type-problems.ts';

/** Makes all functions known, so that bodies may call each other, then checks every body. */
export function checkFunctions(
  context: CheckContext,
  functions: readonly FunctionDefinition[],
): void {
  for (const definition of functions) register(context, definition);
  for (const overloads of context.functions.values()) {
    for (const { body, name } of overloads) {
      if (!body) context.report(problems.declaredNotDefined(name));
    }
  }
  for (const definition of functions) {
    checkForm(context, definition);
    checkBody(context, definition);
  }
}

function register(context: CheckContext, definition: FunctionDefinition): void {
  const { name } = definition;
  const overloads = context.functions.get(name.name);
  if (!overloads) {
    context.functions.set(name.name, [definition]);
    checkAgainstLibrary(context, definition);
    return;
  }
  const same = overloads.findIndex((other) => hasSameArguments(other, definition));
  if (same < 0) {
    overloads.push(definition);
    checkAgainstLibrary(context, definition);
    return;
  }
  const first = overloads[same];
  if (!isSameType(first.returnType, definition.returnType)) {
    context.report(problems.functionResultDiffers(name, first.name.span));
  } else if (!hasSameQualifiers(first, definition)) {
    context.report(problems.functionQualifiersDiffer(name, first.name.span));
  } else if (first.body || !definition.body) {
    context.report(problems.functionTwice(name, first.name.span));
  }
  // Calls resolve to the definition, not to its forward declaration.
  if (!first.body) overloads[same] = definition;
}

function hasSameArguments(a: FunctionDefinition, b: FunctionDefinition): boolean {
  return (
    a.arguments.length === b.arguments.length &&
    a.arguments.every((argument, i) => isSameType(argument.type, b.arguments[i].type))
  );
}

function hasSameQualifiers(a: FunctionDefinition, b: FunctionDefinition): boolean {
  return a.arguments.every(({ dataOnly }, i) => dataOnly === b.arguments[i].dataOnly);
}

function checkAgainstLibrary(context: CheckContext, definition: FunctionDefinition): void {
  const types = definition.arguments.map((argument) => argument.type);
  if (takesAnyArguments(definition.name.name)) {
    context.report(problems.notOverloadable(definition.name));
    return;
  }
  const library = resolveLibrary(definition.name.name, types);
  // Elementwise functions accept ints as they are.
  const takesInts = library?.pattern.arguments.every(
    ({ term }, i) => term.kind === 'each' || !isPromoted(library, types, i),
  );
  if (takesInts) context.report(problems.libraryFunctionRedefined(definition.name));
}

/** `reduce_sum`, solvers, and Laplace approximations, which pass arguments on. */
function takesAnyArguments(name: string): boolean {
  if (isLaplace(name)) return isLibraryFunction(name);
  return signaturesOf(name).some((pattern) => pattern.arguments.at(-1)?.term.kind === 'rest');
}

function isPromoted({ signature }: Resolution, types: readonly StanType[], i: number): boolean {
  return !isSameType(signature.arguments[i], types[i]);
}

/** What the suffix of a name requires of arguments and result. */
function checkForm(context: CheckContext, definition: FunctionDefinition): void {
  const { name, returnType } = definition;
  const suffix = /_(lu?pdf|lu?pmf|cdf|lcdf|lccdf)$/.exec(name.name)?.[1];
  if (!suffix?.startsWith('lu')) context.checkNameForm(name);
  if (!suffix) return;
  if (suffix.startsWith('lu')) {
    const plain = name.name.replace(/_lup([dm])f$/, '_lp$1f');
    context.report(problems.unnormalisedDefinition(name, plain));
    return;
  }
  if (returnType.base !== 'real' || returnType.arrayDepth > 0) {
    context.report(problems.densityResult(name));
  }
  const variate = definition.arguments[0]?.type;
  const isDiscrete =
    variate !== undefined &&
    everyPart(variate, ({ base }) => base === 'int' || (suffix === 'lpmf' && base === 'error'));
  if (suffix === 'lpdf' && (!variate || isDiscrete)) {
    context.report(problems.densityVariate(name, 'real'));
  }
  if (suffix === 'lpmf' && !isDiscrete) {
    context.report(problems.densityVariate(name, 'int'));
  }
}

function checkBody(context: CheckContext, definition: FunctionDefinition): void {
  const { body, returnType } = definition;
  if (!body) return;
  const place = {
    block: 'functions',
    function: definition,
    loopDepth: 0,
    topLevel: false,
  } as const;
  context.inScope(() => {
    context.inPlace(place, () => {
      for (const argument of definition.arguments) {
        const { type, name, dataOnly } = argument;
        context.declare(name, {
          declaration: argument,
          type,
          origin: 'argument',
          dataOnly: dataOnly || everyPart(type, ({ base }) => base === 'int'),
        });
      }
      context.inScope(() => checkStatements(context, body.statements));
    });
  });
  const needsReturn = returnType.base !== 'void' && returnType.base !== 'error';
  if (needsReturn && !leaves(body))
    context.report(problems.missingReturn(definition.name, returnType));
}

/** Whether a statement never runs through to its end: it returns or rejects on every path. */
function leaves(statement: Statement): boolean {
  switch (statement.kind) {
    case 'return':
    case 'reject':
      return true;
    case 'block':
    case 'profile':
      return statement.statements.some(leaves);
    case 'if':
      return statement.otherwise !== null && leaves(statement.then) && leaves(statement.otherwise);
    case 'while':
      return (isTrue(statement.condition) || leaves(statement.body)) && !breaks(statement.body);
    case 'for':
    case 'for-each':
      // As in Stan, a loop is assumed to run at least once.
      return leaves(statement.body) && !breaks(statement.body);
    default:
      return false;
  }
}

function isTrue(condition: Expression): boolean {
  return condition.kind === 'int' && condition.value !== 0;
}

/** Whether it contains a `break` of this loop. */
function breaks(statement: Statement): boolean {
  switch (statement.kind) {
    case 'break':
      return true;
    case 'block':
    case 'profile':
      return statement.statements.some(breaks);
    case 'if':
      return (
        breaks(statement.then) || (statement.otherwise !== null && breaks(statement.otherwise))
      );
    default:
      return false;
  }
}
