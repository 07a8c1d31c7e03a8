/** Tuples: literals, members, and assignments that unpack them (reference manual, "Tuple data type"). */
import type { Assignment, Expression, Member, TupleLiteral } from '../syntax/ast.ts';
import { printExpression } from '../syntax/printer.ts';
import { everyNode } from '../syntax/walk.ts';
import { checkExpression } from './check-expressions.ts';
import type { CheckContext } from './scope.ts';
import { errorType, isAssignable, isError, type StanType, tupleOf } from './stan-type.ts';
import * as problems from './type-problems.ts';

export function checkTuple(context: CheckContext, literal: TupleLiteral): StanType {
  const members = literal.elements.map((element) => checkExpression(context, element));
  return members.some(isError) ? errorType : tupleOf(members);
}

export function checkMember(context: CheckContext, expression: Member): StanType {
  const base = checkExpression(context, expression.base);
  if (isError(base)) return errorType;
  const { position, span } = expression;
  if (!base.members || base.arrayDepth > 0) {
    context.report(problems.memberOfOther(span, position, base));
    return errorType;
  }
  const member = base.members[position - 1];
  if (member) return member;
  context.report(problems.noSuchMember(span, position, base.members.length));
  return errorType;
}

/** Whether the value fits the places that a tuple on the left names, each by its own type. */
export function checkUnpacking(
  context: CheckContext,
  target: TupleLiteral,
  value: { readonly type: StanType; readonly span: Assignment['span'] },
): void {
  const { type, span } = value;
  if (isError(type)) return;
  if (!type.members || type.arrayDepth > 0) {
    context.report(problems.unpackingOther(span, target.elements.length, type));
    return;
  }
  if (type.members.length !== target.elements.length) {
    const { length } = type.members;
    context.report(problems.unpackingCount(span, target.elements.length, length));
    return;
  }
  target.elements.forEach((element, i) => {
    const member = type.members?.[i] ?? errorType;
    if (element.kind === 'tuple') checkUnpacking(context, element, { type: member, span });
    else if (element.type && !isAssignable(member, element.type)) {
      const name = printExpression(element);
      context.report(problems.wrongAssignment(span, name, element.type, member));
    }
  });
}

/** The places that an assignment writes into. */
export function placesOf(target: Expression): readonly Expression[] {
  return target.kind === 'tuple' ? target.elements.flatMap(placesOf) : [target];
}

/** Assignments are simultaneous: no place may be written twice, or read to locate another. */
export function checkDistinctPlaces(context: CheckContext, target: Expression): void {
  const places = placesOf(target);
  const paths = places.map(pathOf);
  const twice = paths.findIndex((path, i) =>
    paths.slice(0, i).some((earlier) => startsWith(path, earlier) || startsWith(earlier, path)),
  );
  if (twice >= 0) {
    context.report(problems.unpackedTwice(places[twice].span, printExpression(places[twice])));
    return;
  }
  const written = new Set(paths.map(([name]) => name));
  for (const place of places) {
    const read = indexVariables(place).find((name) => written.has(name));
    if (read === undefined) continue;
    context.report(problems.assignedAndRead(place.span, read));
    return;
  }
}

/** The variable and the members on the way to a place; the element itself is unknown here. */
function pathOf(place: Expression): readonly string[] {
  if (place.kind === 'variable') return [place.name];
  if (place.kind === 'index') return pathOf(place.base);
  return place.kind === 'member' ? [...pathOf(place.base), String(place.position)] : [];
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((step, i) => step === path[i]);
}

function indexVariables(place: Expression): string[] {
  if (place.kind === 'member') return indexVariables(place.base);
  if (place.kind !== 'index') return [];
  const names: string[] = [];
  const collect = (expression: Expression | null): void => {
    if (!expression) return;
    everyNode(expression, (node) => {
      if (node.kind === 'variable') names.push(node.name);
      return true;
    });
  };
  for (const item of place.indexes) {
    if (item.kind !== 'slice') collect(item.expression);
    else for (const end of [item.from, item.to]) collect(end);
  }
  return [...names, ...indexVariables(place.base)];
}
