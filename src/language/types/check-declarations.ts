/** Declarations: sizes, bounds, initialisers, and what each block may hold. */
import type { BlockName, Declaration, Expression, Identifier, SizedType } from '../syntax/ast.ts';
import { everyNode } from '../syntax/walk.ts';
import { checkExpression } from './check-expressions.ts';
import { isFixedByData } from './data-only.ts';
import type { CheckContext } from './scope.ts';
import {
  everyPart,
  isAssignable,
  isComplex,
  isError,
  isInt,
  isSameType,
  isScalar,
  promoteToReal,
  type StanType,
} from './stan-type.ts';
import * as problems from './type-problems.ts';

/** Blocks whose variables depend on parameters. */
const activeBlocks: ReadonlySet<BlockName> = new Set([
  'functions',
  'parameters',
  'transformed parameters',
  'model',
]);

export function checkDeclaration(context: CheckContext, declaration: Declaration): void {
  const { block, topLevel } = context.place;
  checkDeclaredType(context, declaration.name, declaration);
  declaration.origin = topLevel ? block : 'local';
  // As in Stan, the name is in scope in its own value, before it has one.
  context.declare(declaration.name, {
    declaration,
    type: declaration.type,
    origin: declaration.origin,
    dataOnly:
      !activeBlocks.has(block) || everyPart(declaration.type, (part) => part.base === 'int'),
  });
  if (declaration.initialiser) checkInitialiser(context, declaration, declaration.initialiser);
}

function checkInitialiser(
  context: CheckContext,
  declaration: Declaration,
  initialiser: Expression,
): void {
  const value = checkExpression(context, initialiser);
  const { name, type } = declaration;
  everyNode(initialiser, (node) => {
    const readsItself = node.kind === 'variable' && node.declaration === declaration;
    if (readsItself) context.report(problems.declaredByItself(node.span, name.name));
    return true;
  });
  if (isAssignable(value, type)) return;
  context.report(problems.wrongAssignment(initialiser.span, name.name, type, value));
}

/** Sizes and constraints; for a tuple, those of its members. */
function checkDeclaredType(context: CheckContext, name: Identifier, declared: SizedType): void {
  const { topLevel } = context.place;
  for (const size of [...declared.arraySizes, ...declared.baseSizes]) {
    checkSize(context, size, topLevel);
  }
  checkConstraint(context, name, declared);
  if (topLevel) checkIntBlock(context, name, declared);
  (declared.members ?? []).forEach((member, i) => {
    checkDeclaredType(context, { ...name, name: `${name.name}.${i + 1}` }, member);
  });
}

function checkSize(context: CheckContext, size: Expression, topLevel: boolean): void {
  const type = checkExpression(context, size);
  if (isError(type)) return;
  if (!isInt(type)) context.report(problems.wrongType(size.span, 'A size', 'an int', type));
  else if (topLevel && !isFixedByData(context, size))
    context.report(problems.sizeNotData(size.span));
}

function checkIntBlock(context: CheckContext, name: Identifier, { type }: SizedType): void {
  const { block } = context.place;
  if (type.base !== 'int') return;
  if (block !== 'parameters' && block !== 'transformed parameters') return;
  context.report(problems.intParameter(name, block));
}

function checkConstraint(context: CheckContext, name: Identifier, declaration: SizedType): void {
  const { constraint } = declaration;
  if (constraint.kind === 'none') return;
  if (!context.place.topLevel) context.report(problems.localConstraint(name));
  if (isComplex(declaration.type)) context.report(problems.complexConstraint(name));
  if (constraint.kind === 'bounds') {
    checkBound(context, declaration, ['lower', constraint.lower]);
    checkBound(context, declaration, ['upper', constraint.upper]);
  } else if (constraint.kind === 'offset-multiplier') {
    if (declaration.type.base === 'int') context.report(problems.intOffset(name.span));
    checkBound(context, declaration, ['offset', constraint.offset]);
    checkBound(context, declaration, ['multiplier', constraint.multiplier]);
  }
}

/** A bound is a number, or a container shaped like the variable or like one element of its arrays. */
function checkBound(
  context: CheckContext,
  { type }: SizedType,
  [word, bound]: readonly [string, Expression | null],
): void {
  if (!bound) return;
  const found = checkExpression(context, bound);
  if (isError(found) || isError(type)) return;
  const scalar: StanType = { base: type.base === 'int' ? 'int' : 'real', arrayDepth: 0 };
  const element: StanType = { base: type.base, arrayDepth: 0 };
  const fits =
    (isScalar(found) && isAssignable(found, scalar)) ||
    isSameType(promoteToReal(found), promoteToReal(type)) ||
    isSameType(found, element);
  const intWithReal = type.base === 'int' && found.base !== 'int';
  if (!fits || intWithReal) context.report(problems.boundType(bound.span, word, type, found));
}
