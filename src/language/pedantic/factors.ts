/**
 * Parameters and the terms of the density: a graph of terms and the parameters and data that each depends on. A term is a
 * prior of a parameter when no path leads from it to data except through that parameter.
 */
import type { Diagnostic } from '../diagnostics.ts';
import type { Declaration, Named, Program, Statement } from '../syntax/ast.ts';
import { namesIn } from '../syntax/walk.ts';
import type { Dependencies } from './dependencies.ts';
import * as problems from './pedantic-problems.ts';
import { summands } from './terms.ts';

type Factor = ReadonlySet<Named>;

export function checkPriors(program: Program, dependencies: Dependencies): Diagnostic[] {
  const factors = factorsOf(dependencies);
  const data = new Set<Named>(dataOf(program).filter((name) => !isCount(name)));
  return program.parameters.flatMap((parameter) => {
    const own = factors.filter((factor) => factor.has(parameter));
    const { span, name } = parameter.name;
    if (own.length === 0) return [problems.unusedParameter(span, name)];
    const reaches = reachesData(parameter, factors, data);
    const count = own.filter((factor) => !reaches(factor)).length;
    if (count === 0) return [problems.noPrior(span, name)];
    return count > 1 ? [problems.severalPriors(span, name, count)] : [];
  });
}

/** Data and everything declared at the top of transformed data. */
function dataOf(program: Program): Declaration[] {
  const made = program.transformedData.filter((statement) => statement.kind === 'declaration');
  return [...program.data, ...made];
}

/** A single integer in the data is probably a size, and says nothing about a parameter. */
function isCount({ type, origin }: Declaration): boolean {
  return origin === 'data' && type.base === 'int' && type.arrayDepth === 0;
}

function factorsOf(dependencies: Dependencies): Factor[] {
  return dependencies.places.flatMap(({ statement, around }) =>
    termsOf(statement).map((names) => dependencies.closure([...names, ...around])),
  );
}

function termsOf(statement: Statement): Named[][] {
  switch (statement.kind) {
    case 'tilde':
      return [namesIn(statement.variate, ...statement.arguments)];
    case 'target-increment':
      return summands(statement.value).map((term) => namesIn(term));
    case 'reject':
      return [[]];
    case 'call-statement': {
      const { name } = statement.call.name;
      const adds = name.endsWith('_lp') || name.endsWith('_jacobian');
      return adds ? [namesIn(...statement.call.arguments)] : [];
    }
    default:
      return [];
  }
}

/** Whether data are reached from a factor through others without passing `parameter`. */
function reachesData(
  parameter: Named,
  factors: readonly Factor[],
  data: ReadonlySet<Named>,
): (factor: Factor) => boolean {
  const isNode = (name: Named): boolean =>
    name !== parameter && (data.has(name) || ('origin' in name && name.origin === 'parameters'));
  const groups = connected(factors, isNode);
  const informed = new Set([...data].map((name) => groups.get(name)));
  return (factor) =>
    [...factor].some((name) => isNode(name) && groups.has(name) && informed.has(groups.get(name)));
}

/** Names that factors connect have the same group. */
function connected(
  factors: readonly Factor[],
  isNode: (name: Named) => boolean,
): ReadonlyMap<Named, number> {
  const groups = new Map<Named, number>();
  const members: Named[][] = [];
  for (const factor of factors) {
    const names = [...factor].filter(isNode);
    const known = new Set(names.flatMap((name) => groups.get(name) ?? []));
    const all = [
      ...names.filter((name) => !groups.has(name)),
      ...[...known].flatMap((i) => members[i]),
    ];
    const group = members.push(all) - 1;
    for (const name of all) groups.set(name, group);
  }
  return groups;
}
