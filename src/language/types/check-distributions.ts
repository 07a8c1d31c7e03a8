/** Distribution statements: the density they stand for, and truncation. */
import type { Expression, Tilde } from '../syntax/ast.ts';
import { resolveUser } from './check-calls.ts';
import { checkExpression } from './check-expressions.ts';
import { checkLaplace } from './check-laplace.ts';
import { describeSignature, describeUserFunction } from './describe-signature.ts';
import { type CheckContext, userFunctions } from './scope.ts';
import { isLaplace } from './signatures/laplace.ts';
import {
  deprecatedFunctions,
  isLibraryFunction,
  libraryDistributions,
  resolveLibrary,
  signaturesOf,
} from './signatures/signature-table.ts';
import { isError, isScalar, type StanType } from './stan-type.ts';
import * as problems from './type-problems.ts';

const suffixes = ['lpdf', 'lpmf'] as const;

export function checkTilde(context: CheckContext, statement: Tilde): void {
  checkPlace(context, statement);
  if (isLaplace(statement.distribution.name)) {
    checkLaplaceTilde(context, statement);
    return;
  }
  const operands = [statement.variate, ...statement.arguments];
  const types = operands.map((operand) => checkExpression(context, operand));
  const { name, span } = statement.distribution;
  const names = suffixes.map((suffix) => `${name}_${suffix}`);
  const known = names.filter((full) => context.functions.has(full) || isLibraryFunction(full));
  checkTruncationBounds(context, statement);
  if (known.length === 0) {
    reportUnknown(context, statement);
    return;
  }
  if (types.some(isError)) return;
  for (const full of known) {
    if (resolveDensity(context, statement, { full, types })) {
      checkTruncation(context, statement, types);
      return;
    }
  }
  const accepted = known.flatMap((full) => [
    ...userFunctions(context, full).map(describeUserFunction),
    ...signaturesOf(full).map(describeSignature),
  ]);
  context.report(problems.wrongVariate(span, name, types, accepted));
}

function checkLaplaceTilde(context: CheckContext, statement: Tilde): void {
  const { distribution, variate, span, truncation } = statement;
  const full = `${distribution.name}_lpmf`;
  if (!isLibraryFunction(full)) {
    reportUnknown(context, statement);
    return;
  }
  const name = { ...distribution, name: full };
  const result = checkLaplace(context, {
    name,
    span,
    arguments: [variate, ...statement.arguments],
  });
  if (truncation)
    context.report(
      problems.truncationWithoutCdf(
        truncation.span,
        distribution.name,
        `${distribution.name}_lcdf`,
      ),
    );
  statement.density = { library: { name: full, arguments: [], result } };
}

function checkPlace(context: CheckContext, statement: Tilde): void {
  const { block, function: definition } = context.place;
  if (definition ? definition.name.name.endsWith('_lp') : block === 'model') return;
  const where = 'the model block and functions that end in `_lp`';
  context.report(problems.notInThisBlock(statement.span, 'A `~` statement', where));
}

function resolveDensity(
  context: CheckContext,
  statement: Tilde,
  { full, types }: { readonly full: string; readonly types: readonly StanType[] },
): boolean {
  const overloads = userFunctions(context, full);
  const call = { span: statement.span, name: statement.distribution };
  const user = overloads.length > 0 ? resolveUser(context, call, { overloads, types }) : null;
  if (user) {
    statement.density = { user };
    return true;
  }
  const library = resolveLibrary(full, types);
  if (!library) return false;
  statement.density = { library: library.signature };
  const modern = deprecatedFunctions[full];
  if (modern) context.report(problems.deprecated(statement.distribution.span, full, modern));
  return true;
}

function reportUnknown(context: CheckContext, statement: Tilde): void {
  const { name, span } = statement.distribution;
  const plain = name.replace(/_(?:lu?p[dm]f|log)$/, '');
  if (plain !== name && suffixes.some((suffix) => isLibraryFunction(`${plain}_${suffix}`))) {
    context.report(problems.distributionWithSuffix(span, name, plain));
    return;
  }
  if (/_l?c?cdf$/.test(name)) {
    context.report(problems.cdfAfterTilde(span, name));
    return;
  }
  const old = context.functions.get(`${name}_log`)?.[0];
  if (old) {
    const isDiscrete = old.arguments[0]?.type.base === 'int';
    const modern = `${name}_${isDiscrete ? 'lpmf' : 'lpdf'}`;
    context.report(problems.oldDensityDefinition(span, `${name}_log`, modern));
    return;
  }
  const suggestion = context.suggestions.closest(name, () => distributionNames(context));
  context.report(problems.unknownDistribution(span, name, suggestion));
}

function distributionNames(context: CheckContext): string[] {
  const users = [...context.functions.keys()].flatMap((full) => {
    const found = /^(.*)_lp[dm]f$/.exec(full);
    return found ? [found[1]] : [];
  });
  return [...users, ...libraryDistributions().map((distribution) => distribution.name)];
}

function checkTruncationBounds(context: CheckContext, { truncation }: Tilde): void {
  for (const bound of [truncation?.lower, truncation?.upper]) {
    if (!bound) continue;
    const type = checkExpression(context, bound);
    if (isError(type) || isScalar(type)) continue;
    context.report(problems.wrongType(bound.span, 'A truncation bound', 'a number', type));
  }
}

/** A univariate distribution applies to the elements of these. */
function isList({ base, arrayDepth }: StanType): boolean {
  if (base === 'vector' || base === 'row_vector') return arrayDepth === 0;
  return (base === 'real' || base === 'int') && arrayDepth === 1;
}

/** T[L,] needs the `_lccdf`, T[,U] the `_lcdf`, T[L,U] both. */
function checkTruncation(
  context: CheckContext,
  statement: Tilde,
  types: readonly StanType[],
): void {
  const { truncation, distribution, variate } = statement;
  if (!truncation) return;
  const isOwn = statement.density !== undefined && 'user' in statement.density;
  const bounds = [truncation.lower?.type, truncation.upper?.type];
  if (bounds.some((type) => type && !isError(type) && !isScalar(type))) return;
  if (!isScalar(types[0]) && (isOwn || !isList(types[0]))) {
    context.report(problems.truncationOfContainer(variate.span));
    return;
  }
  if (truncation.lower) checkCdf(context, statement, { suffix: 'lccdf', bound: truncation.lower });
  if (truncation.upper) checkCdf(context, statement, { suffix: 'lcdf', bound: truncation.upper });

  function checkCdf(
    inner: CheckContext,
    { arguments: args }: Tilde,
    { suffix, bound }: { readonly suffix: 'lccdf' | 'lcdf'; readonly bound: Expression },
  ): void {
    const full = `${distribution.name}_${suffix}`;
    const operands = [bound.type ?? types[0], ...args.map((argument) => argument.type ?? types[0])];
    if (operands.some(isError)) return;
    const overloads = userFunctions(inner, full);
    const call = { span: statement.span, name: distribution };
    const user = resolveUser(inner, call, { overloads, types: operands });
    if (user && !isScalar(types[0])) inner.report(problems.truncationOfContainer(variate.span));
    if (user) statement.tails = { ...statement.tails, [suffix]: user };
    if (user || resolveLibrary(full, operands)) return;
    inner.report(
      problems.truncationWithoutCdf(truncation?.span ?? bound.span, distribution.name, full),
    );
  }
}
