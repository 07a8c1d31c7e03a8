/** Calls: user functions and the library, densities with their bar. */
import type { Call, Expression, FunctionDefinition } from '../syntax/ast.ts';
import { checkCallable } from './check-callables.ts';
import { checkExpression } from './check-expressions.ts';
import { checkLaplace } from './check-laplace.ts';
import { checkPlaceOfCall } from './check-places.ts';
import { isDataOnly } from './data-only.ts';
import { describeSignature, describeUserFunction } from './describe-signature.ts';
import { type CheckContext, userFunctions } from './scope.ts';
import { isLaplace } from './signatures/laplace.ts';
import {
  deprecatedFunctions,
  isLibraryFunction,
  libraryNames,
  type Resolution,
  removedFunctions,
  resolveLibrary,
  signaturesOf,
} from './signatures/signature-table.ts';
import {
  countPromotions,
  errorType,
  isAssignable,
  isError,
  type StanType,
  voidType,
} from './stan-type.ts';
import * as problems from './type-problems.ts';

const densitySuffix = /_(?:lu?pdf|lu?pmf|cdf|lcdf|lccdf)$/;

/** The type of a call used as a value. */
export function checkCall(context: CheckContext, call: Call): StanType {
  const type = resolveCall(context, call);
  if (type.base !== 'void') return type;
  context.report(problems.voidValue(call.span, call.name.name));
  return errorType;
}

/** The type of a call, `void` included; notes the callee. */
export function resolveCall(context: CheckContext, call: Call): StanType {
  const { name } = call.name;
  if (isLaplace(name) && isLibraryFunction(name)) return checkLaplaceCall(context, call);
  const takesCallable = signaturesOf(name)[0]?.arguments[0]?.term.kind === 'callable';
  const types = call.arguments.map((argument, i) =>
    takesCallable && i === 0 ? voidType : checkExpression(context, argument),
  );
  checkPlaceOfCall(context, call.name);
  checkBar(context, call);
  const overloads = userFunctions(context, name);
  const isLibrary = isLibraryFunction(name);
  if (overloads.length === 0 && !isLibrary) {
    reportUnknown(context, call);
    return errorType;
  }
  if (types.some(isError)) return resultIfCertain(overloads, name);
  if (overloads.length > 0) {
    const user = resolveUser(context, call, { overloads, types });
    if (user) return useUser(context, call, user);
  }
  if (isLibrary) {
    const library = resolveLibrary(name, types);
    if (library) return useLibrary(context, call, library);
  }
  const accepted = [
    ...overloads.map(describeUserFunction),
    ...signaturesOf(name).map(describeSignature),
  ];
  context.report(problems.wrongArguments(call.span, name, types, accepted));
  return resultIfCertain(overloads, name);
}

function checkLaplaceCall(context: CheckContext, call: Call): StanType {
  const result = checkLaplace(context, call);
  if (call.arguments.length > 1) checkBar(context, call);
  call.callee = { library: { name: call.name.name, arguments: [], result } };
  return result;
}

/** The result may be clear even if the arguments are in doubt; this avoids messages that follow from the first. */
function resultIfCertain(overloads: readonly FunctionDefinition[], name: string): StanType {
  if (overloads.length === 1) return overloads[0].returnType;
  if (densitySuffix.test(name)) return { base: 'real', arrayDepth: 0 };
  return errorType;
}

/** The overload with the fewest promotions; two equally good ones are an error. */
export function resolveUser(
  context: CheckContext,
  call: { readonly span: Call['span']; readonly name: Call['name'] },
  choice: {
    readonly overloads: readonly FunctionDefinition[];
    readonly types: readonly StanType[];
  },
): FunctionDefinition | null {
  let best: FunctionDefinition | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  let ties = 0;
  for (const definition of choice.overloads) {
    const promotions = promotionsOfCall(definition, choice.types);
    if (promotions === null || promotions > fewest) continue;
    ties = promotions === fewest ? ties + 1 : 0;
    fewest = promotions;
    best = definition;
  }
  if (ties > 0) context.report(problems.ambiguousCall(call.span, call.name.name));
  return best;
}

function promotionsOfCall(
  definition: FunctionDefinition,
  types: readonly StanType[],
): number | null {
  if (definition.arguments.length !== types.length) return null;
  let promotions = 0;
  for (let i = 0; i < types.length; i++) {
    const wanted = definition.arguments[i].type;
    if (!isAssignable(types[i], wanted)) return null;
    promotions += countPromotions(types[i], wanted);
  }
  return promotions;
}

function useUser(context: CheckContext, call: Call, definition: FunctionDefinition): StanType {
  call.callee = { user: definition };
  definition.arguments.forEach((argument, i) => {
    if (argument.dataOnly) checkDataOnly(context, call, call.arguments[i]);
  });
  return definition.returnType;
}

function useLibrary(
  context: CheckContext,
  call: Call,
  { signature, pattern }: Resolution,
): StanType {
  call.callee = { library: signature };
  const modern = deprecatedFunctions[signature.name];
  if (modern) context.report(problems.deprecated(call.name.span, signature.name, modern));
  pattern.arguments.forEach((argument, i) => {
    if (argument.dataOnly) checkDataOnly(context, call, call.arguments[i]);
    if (argument.term.kind === 'callable') checkCallable(context, call, argument.term.shape);
  });
  return signature.result;
}

function checkDataOnly(context: CheckContext, call: Call, argument: Expression): void {
  if (isDataOnly(context, argument)) return;
  context.report(problems.dataOnlyArgument(argument.span, call.name.name));
}

function reportUnknown(context: CheckContext, call: Call): void {
  const { name, span } = call.name;
  const variable = context.find(name);
  if (variable) {
    context.report(problems.variableAsFunction(span, name, variable.declaration.name.span));
    return;
  }
  const full = ['lpdf', 'lpmf']
    .map((suffix) => `${name}_${suffix}`)
    .find((candidate) => isLibraryFunction(candidate) || context.functions.has(candidate));
  if (full) {
    context.report(problems.missingSuffix(span, name, full));
    return;
  }
  const replacement = removedFunctions[name];
  if (replacement) {
    context.report(problems.removedFunction(span, name, replacement));
    return;
  }
  const modern = modernDensity(name);
  if (modern) {
    context.report(problems.oldDensitySuffix(span, name, modern));
    return;
  }
  const suggestion = context.suggestions.closest(name, () => [
    ...context.functions.keys(),
    ...libraryNames(),
  ]);
  context.report(problems.unknownFunction(span, name, suggestion));
}

/** `normal_lpdf` of `normal_log`, `normal_lcdf` of `normal_cdf_log`. */
function modernDensity(name: string): string | null {
  const old = /^(.*?)_(cdf_|ccdf_)?log$/.exec(name);
  if (!old) return null;
  const suffixes = old[2] ? [`l${old[2].slice(0, -1)}`] : ['lpdf', 'lpmf'];
  return suffixes.map((suffix) => `${old[1]}_${suffix}`).find(isLibraryFunction) ?? null;
}

function checkBar(context: CheckContext, call: Call): void {
  const { name } = call.name;
  const isDensity = densitySuffix.test(name);
  if (call.bar && !isDensity) context.report(problems.barNotAllowed(call.name.span, name));
  if (!call.bar && isDensity && call.arguments.length > 1) {
    context.report(problems.barMissing(call.span, name));
  }
}
