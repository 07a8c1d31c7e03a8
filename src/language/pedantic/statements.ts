/** Statements of the model that are often mistakes: transformed variates, repeated ones, and jumps of the density. */
import type { Diagnostic } from '../diagnostics.ts';
import type { Span } from '../source/span.ts';
import type { Declaration, Expression, Named, Program } from '../syntax/ast.ts';
import { conditionsOf, namesIn, walkStatement } from '../syntax/walk.ts';
import { declaredBounds } from './declared-bounds.ts';
import { Dependencies } from './dependencies.ts';
import * as problems from './pedantic-problems.ts';
import { densityStatements, wholeTerm } from './terms.ts';

/** Linear in their arguments. */
const linearFunctions: ReadonlySet<string> = new Set(
  (
    'add append_block append_row append_col block col cols row rows diagonal head tail minus negative_infinity ' +
    'not_a_number rep_matrix rep_vector rep_row_vector positive_infinity segment subtract sum to_vector ' +
    'to_row_vector to_matrix to_array_1d to_array_2d transpose to_int to_complex get_real get_imag'
  ).split(' '),
);

/** `mayVary`: whether it may depend on a variable; one factor of a product must not. */
function isLinear(expression: Expression, mayVary: boolean): boolean {
  const both = (a: Expression, b: Expression): boolean =>
    isLinear(a, mayVary) && isLinear(b, mayVary);
  switch (expression.kind) {
    case 'int':
    case 'real':
    case 'imaginary':
      return true;
    case 'variable':
      return mayVary;
    case 'index':
    case 'member':
      return isLinear(expression.base, mayVary);
    case 'conditional':
      return isLinear(expression.condition, mayVary) && both(expression.then, expression.otherwise);
    case 'unary':
    case 'postfix':
      return isLinear(expression.operand, mayVary);
    case 'array':
    case 'row-vector':
      return expression.elements.every((element) => isLinear(element, mayVary));
    case 'binary': {
      const { operator, left, right } = expression;
      if (operator === '+' || operator === '-') return both(left, right);
      if (isLinear(left, false) && isLinear(right, false)) return true;
      if (operator === '*') return both(left, right) && (isFixed(left) || isFixed(right));
      if (operator !== '/') return false;
      // a / (b / x) is a multiple of x
      const isTwice = right.kind === 'binary' && right.operator === '/' && isFixed(right.left);
      if (isTwice && isFixed(left)) return isLinear(right.right, mayVary);
      return isLinear(left, mayVary) && isFixed(right);
    }
    case 'call': {
      const may = linearFunctions.has(expression.name.name) && mayVary;
      return expression.arguments.every((argument) => isLinear(argument, may));
    }
    default:
      return false;
  }
}

const isFixed = (expression: Expression): boolean => isLinear(expression, false);

const isParameter = (name: Named): name is Declaration =>
  'origin' in name && name.origin === 'parameters';

export function checkVariates(program: Program, dependencies: Dependencies): Diagnostic[] {
  const found: Diagnostic[] = [];
  const byName = new Map<Named, Span[]>();
  for (const { statement } of dependencies.places) {
    const term = wholeTerm(statement);
    if (!term) continue;
    const [variate] = term.operands;
    if (variate.kind === 'variable' && variate.declaration) {
      const spans = byName.get(variate.declaration) ?? [];
      byName.set(variate.declaration, [...spans, term.span]);
    }
    // A transform of data alone needs no Jacobian.
    const reads = [...dependencies.closure(namesIn(variate))];
    if (!isLinear(variate, true) && reads.some(isParameter)) {
      found.push(problems.jacobianNeeded(term.span));
    }
  }
  for (const [{ name }, [first, ...others]] of byName) {
    if (others.length > 0) found.push(problems.severalDistributions(first, name.name, others));
  }
  return [...found, ...checkBounds(program)];
}

function checkBounds(program: Program): Diagnostic[] {
  return program.parameters.flatMap((parameter) => {
    const { lower, upper } = declaredBounds(parameter);
    const { name, span } = parameter.name;
    if (parameter.constraint.kind !== 'bounds') return [];
    if (typeof lower !== 'number' || typeof upper !== 'number') return [];
    if (lower >= upper) return [problems.emptyConstraint(span, name)];
    const isUsual = (lower === 0 || lower === -1) && upper === 1;
    return isUsual ? [] : [problems.hardConstraint(span, name)];
  });
}

/** Conditions and loops that depend on parameters, in the model and in the functions that it calls. */
export function checkControlFlow(program: Program, dependencies: Dependencies): Diagnostic[] {
  const found = jumps(dependencies, isParameter);
  for (const { body, arguments: args, name } of program.functions) {
    if (!body) continue;
    const inner = new Dependencies([body]);
    for (const [place, argument] of args.entries()) {
      const parameters = parametersGiven(program, dependencies, name.name, place);
      if (parameters.length === 0) continue;
      const isArgument = (one: Named): boolean => one === argument;
      for (const { span } of jumps(inner, isArgument))
        found.push(problems.parameterControlFlow(span, parameters));
    }
  }
  return found;
}

function jumps(dependencies: Dependencies, isCause: (name: Named) => boolean): Diagnostic[] {
  return dependencies.places.flatMap(({ statement, around }) => {
    const conditions = conditionsOf(statement);
    if (conditions.length === 0) return [];
    const causes = [...dependencies.closure([...around, ...namesIn(...conditions)])].filter(
      isCause,
    );
    const names = causes.map(({ name }) => name.name).sort();
    return names.length === 0 ? [] : [problems.parameterControlFlow(statement.span, names)];
  });
}

/** The parameters that an argument of a function depends on, in any of its calls by the model. */
function parametersGiven(
  program: Program,
  dependencies: Dependencies,
  called: string,
  place: number,
): string[] {
  const given: Expression[] = [];
  for (const statement of densityStatements(program)) {
    walkStatement(statement, {
      expression: (node) => {
        if (node.kind === 'call' && node.name.name === called && node.arguments[place])
          given.push(node.arguments[place]);
      },
    });
  }
  const causes = [...dependencies.closure(namesIn(...given))].filter(isParameter);
  return causes.map(({ name }) => name.name).sort();
}
