/** Statements of the checked tree to the intermediate representation. */
import { assertNever } from '../../shared/assert-never.ts';
import type {
  Assignment,
  Binary,
  Constraint,
  Declaration,
  Expression,
  For,
  ForEach,
  SizedType,
  Statement,
  While,
} from '../syntax/ast.ts';
import { complexType, isComplex, realType, type StanType, vectorType } from '../types/stan-type.ts';
import type {
  IrConstraint,
  IrDeclaration,
  IrExpression,
  IrIndex,
  IrPrintPart,
  IrStatement,
  IrVariable,
  VariablePlace,
} from './ir.ts';
import { elementType, intType, isScalar, kindOf, levelsOf } from './kinds.ts';
import { isComposite, loweredType, rangeOfMember } from './leaves.ts';
import { lowerOperation } from './lower-call.ts';
import { labelOf, lowerExpression, lowerIndexItem } from './lower-expression.ts';
import { lowerTilde } from './lower-tilde.ts';
import {
  asExpression,
  indexed,
  lowerComplexOperator,
  lowerParts,
  lowerPartsAs,
  negation,
  settled,
  settledEntry,
} from './lower-tuples.ts';
import { InternalCompilerError, type LoweringScope } from './scope.ts';
import { expressionsOf, visitVariables } from './walk-ir.ts';

export function lowerStatements(
  scope: LoweringScope,
  statements: readonly Statement[],
  place: VariablePlace = 'local',
): IrStatement[] {
  return statements.flatMap((statement) => {
    if (statement.kind === 'declaration') {
      const lower = () => lowerShapes(scope, statement);
      // sizes of what is written out are read before anything is computed
      const shapes = isWritten(place) ? scope.alone(lower) : scope.gather(lower);
      const own = scope.gather(() => declare(scope, statement, { place, shapes: shapes.value }));
      return [...shapes.before, ...withOwnValue(own.before, own.value)];
    }
    const { before, value } = scope.gather(() => lowerStatement(scope, statement));
    return [...before, ...value];
  });
}

function isWritten(place: VariablePlace): boolean {
  return place === 'transformed parameters' || place === 'generated quantities';
}

/** A nested statement as a list: the statements of a block, or just the one. */
function lowerBody(scope: LoweringScope, statement: Statement): IrStatement[] {
  return statement.kind === 'block'
    ? lowerStatements(scope, statement.statements)
    : lowerStatements(scope, [statement]);
}

function lowerStatement(
  scope: LoweringScope,
  statement: Exclude<Statement, Declaration>,
): IrStatement[] {
  const lower = (e: Expression) => lowerExpression(scope, e);
  switch (statement.kind) {
    case 'assignment':
      return lowerAssignment(scope, statement);
    case 'tilde':
      return lowerTilde(scope, statement);
    case 'target-increment': {
      const location = scope.locate(statement.span);
      const increment = {
        op: 'increment',
        value: lower(statement.value),
        sign: 1,
        location,
      } as const;
      if (!statement.isJacobian) return [increment];
      return [{ op: 'if', test: scope.flag(), yes: [increment], no: [], location }];
    }
    case 'call-statement': {
      const location = scope.locate(statement.span);
      const call = { type: { base: 'void', arrayDepth: 0 }, ...statement.call } as const;
      return [{ op: 'evaluate', call: lower(call), location }];
    }
    case 'if':
      return [
        {
          op: 'if',
          test: lower(statement.condition),
          yes: lowerBody(scope, statement.then),
          no: statement.otherwise ? lowerBody(scope, statement.otherwise) : [],
          location: scope.locate(statement.condition.span),
        },
      ];
    case 'while':
      return [lowerWhile(scope, statement)];
    case 'for':
      return [lowerFor(scope, statement)];
    case 'for-each':
      return [lowerForEach(scope, statement)];
    case 'profile': {
      const body = lowerStatements(scope, statement.statements);
      return [{ op: 'block', body, profile: statement.name }];
    }
    case 'block':
      return [{ op: 'block', body: lowerStatements(scope, statement.statements) }];
    case 'print':
    case 'reject': {
      const parts = statement.arguments.map((part) => lowerPart(scope, part));
      const location = scope.locate(statement.span);
      if (statement.kind === 'print') return [{ op: 'print', parts, location }];
      return [{ op: 'reject', fatal: statement.fatal, parts, location }];
    }
    case 'return': {
      const value = statement.value ? lowerResult(scope, statement.value) : null;
      return [{ op: 'return', value, location: scope.locate(statement.span) }];
    }
    case 'break':
    case 'continue':
      return [{ op: statement.kind }];
    case 'skip':
      return [];
    default:
      return assertNever(statement, 'statement');
  }
}

function lowerPart(scope: LoweringScope, part: Expression): IrPrintPart {
  return part.kind === 'string' ? part.value : lowerWhole(scope, part);
}

/** A value with all of its leaves. */
function lowerWhole(scope: LoweringScope, expression: Expression): IrExpression {
  const { type } = expression;
  if (!type || !isComposite(type)) return lowerExpression(scope, expression);
  return { op: 'pack', elements: lowerParts(scope, expression), type };
}

/** What a function returns. */
function lowerResult(scope: LoweringScope, expression: Expression): IrExpression {
  const { returnType } = scope;
  if (!returnType || !isComposite(returnType)) return lowerExpression(scope, expression);
  const elements = lowerPartsAs(scope, expression, returnType);
  return { op: 'pack', elements, type: loweredType(returnType) };
}

/** Whatever the condition needs computed first is computed in every iteration. */
function lowerWhile(scope: LoweringScope, statement: While): IrStatement {
  const location = scope.locate(statement.condition.span);
  const { before, value: test } = scope.gather(() => lowerExpression(scope, statement.condition));
  const body = lowerBody(scope, statement.body);
  if (before.length === 0) return { op: 'while', test, body, location };
  const stop: IrStatement = {
    op: 'if',
    test: negation(test),
    yes: [{ op: 'break' }],
    no: [],
    location,
  };
  const always: IrExpression = { op: 'int', value: 1, type: intType };
  return { op: 'while', test: always, body: [...before, stop, ...body], location };
}

/** One declaration, or for a tuple one per leaf. */
export function lowerDeclaration(
  scope: LoweringScope,
  declaration: Declaration,
  place: VariablePlace,
): IrDeclaration[] {
  return declare(scope, declaration, { place, shapes: lowerShapes(scope, declaration) });
}

function declare(
  scope: LoweringScope,
  declaration: Declaration,
  { place, shapes }: { readonly place: VariablePlace; readonly shapes: readonly Shape[] },
): IrDeclaration[] {
  const variables = scope.declareLeaves(declaration, declaration.type, place);
  const { initialiser, type } = declaration;
  const initial = initialiser ? lowerPartsAs(scope, initialiser, type) : null;
  const location = scope.locate(declaration.span);
  return variables.map((variable, k) => ({
    op: 'declare',
    variable,
    ...shapes[k],
    initial: initial?.[k] ?? null,
    location,
  }));
}

/** A value that reads the variable itself is assigned after the declaration. */
function withOwnValue(
  before: readonly IrStatement[],
  declarations: readonly IrDeclaration[],
): IrStatement[] {
  const declared = new Set(declarations.map(({ variable }) => variable));
  const isOwn = (e: IrExpression | null) => e !== null && readsAny(e, declared);
  const readsItself =
    declarations.some(({ initial }) => isOwn(initial)) ||
    before.some((statement) => expressionsOf(statement).some(isOwn));
  if (!readsItself) return [...before, ...declarations];
  return [
    ...declarations.map((declaration) => ({ ...declaration, initial: null })),
    ...before,
    ...declarations.flatMap(({ variable, initial, location }) =>
      initial ? [{ op: 'assign', variable, value: initial, location } as const] : [],
    ),
  ];
}

type Shape = Pick<IrDeclaration, 'arraySizes' | 'baseSizes' | 'constraint'>;

/** Sizes and constraints of the leaves of a declared type. */
function lowerShapes(scope: LoweringScope, declared: SizedType): Shape[] {
  const lower = (e: Expression) => lowerExpression(scope, e);
  const isShared = isComposite(declared.type);
  const arraySizes = declared.arraySizes.map((size) =>
    isShared ? settled(scope, lower(size), size) : lower(size),
  );
  if (declared.members) {
    return declared.members.flatMap((member) =>
      lowerShapes(scope, member).map((shape) => ({
        ...shape,
        arraySizes: [...arraySizes, ...shape.arraySizes],
      })),
    );
  }
  const given = declared.baseSizes.map((size) =>
    isShared ? settled(scope, lower(size), size) : lower(size),
  );
  const square = declared.type.base === 'matrix' && given.length === 1;
  const shape: Shape = {
    arraySizes,
    baseSizes: square ? [given[0], given[0]] : given,
    constraint: lowerConstraint(scope, declared.constraint),
  };
  return isComplex(declared.type) ? [shape, shape] : [shape];
}

function lowerConstraint(scope: LoweringScope, constraint: Constraint): IrConstraint {
  const lower = (e: Expression | null) => (e === null ? null : lowerExpression(scope, e));
  switch (constraint.kind) {
    case 'bounds':
      return {
        kind: 'bounds',
        lower: lower(constraint.lower),
        upper: lower(constraint.upper),
      };
    case 'offset-multiplier':
      return {
        kind: 'offset-multiplier',
        offset: lower(constraint.offset),
        multiplier: lower(constraint.multiplier),
      };
    default:
      return constraint;
  }
}

const compoundNames = {
  '+=': 'add',
  '-=': 'subtract',
  '*=': 'multiply',
  '/=': 'divide',
  '.*=': 'elt_multiply',
  './=': 'elt_divide',
} as const;

function lowerAssignment(scope: LoweringScope, assignment: Assignment): IrStatement[] {
  const { target, operator } = assignment;
  const location = scope.locate(assignment.span);
  if (target.type && isComposite(target.type)) {
    return lowerTupleAssignment(scope, assignment, location);
  }
  let value = lowerExpression(scope, assignment.value);
  if (operator !== '=') {
    const current = lowerExpression(scope, target);
    value = lowerOperation(compoundNames[operator], [current, value], current.type);
  }
  return [assignTo(lowerPlaces(scope, target)[0], value, location)];
}

/** Where a value goes: a variable, or what its indexes name. */
interface Place {
  readonly variable: IrVariable;
  readonly entries: readonly IrIndex[];
}

/** The places of the leaves of a target; `x[i][j]` is what `x[i, j]` is, since single indexes take one dimension. */
function lowerPlaces(scope: LoweringScope, target: Expression): readonly Place[] {
  switch (target.kind) {
    case 'variable':
      return scope
        .variables(target.declaration, target.name)
        .map((variable) => ({ variable, entries: [] }));
    case 'index': {
      const isShared = target.base.type !== undefined && isComposite(target.base.type);
      const entries = target.indexes.map((item) => {
        const entry = lowerIndexItem(scope, item);
        return isShared ? settledEntry(scope, entry, target) : entry;
      });
      return lowerPlaces(scope, target.base).map((place) => ({
        ...place,
        entries: [...place.entries, ...entries],
      }));
    }
    case 'member': {
      const { type } = target.base;
      if (!type) throw new InternalCompilerError('a member of what has no type', target.span);
      return lowerPlaces(scope, target.base).slice(...rangeOfMember(type, target.position));
    }
    case 'tuple':
      return target.elements.flatMap((element) => lowerPlaces(scope, element));
    default:
      throw new InternalCompilerError('assignment to an expression', target.span);
  }
}

function assignTo(
  { variable, entries }: Place,
  value: IrExpression,
  location: number,
): IrStatement {
  if (entries.length === 0) return { op: 'assign', variable, value, location };
  const levels = levelsOf(kindOf(variable.type, false));
  const written = Math.min(entries.length, levels) - 1;
  variable.writtenLevel = Math.max(variable.writtenLevel, written);
  return { op: 'store', variable, entries, value, location };
}

/** Simultaneous: a value that reads what an earlier member overwrites is computed beforehand. */
function lowerTupleAssignment(
  scope: LoweringScope,
  assignment: Assignment,
  location: number,
): IrStatement[] {
  const { target, value } = assignment;
  const places = lowerPlaces(scope, target);
  const written = new Set<IrVariable>();
  const values = assignedParts(scope, assignment).map((part, k) => {
    const reads = readsAny(part, written);
    written.add(places[k].variable);
    return reads ? (scope.bind(part, value.span) ?? part) : part;
  });
  return places.map((place, k) => assignTo(place, values[k], location));
}

/** For a compound assignment to something complex, the result of its operator. */
function assignedParts(
  scope: LoweringScope,
  { target, operator, value, span }: Assignment,
): readonly IrExpression[] {
  const to = target.type ?? realType;
  if (operator === '=') return lowerPartsAs(scope, value, to);
  const sign = operator.slice(0, -1) as Binary['operator'];
  const combined: Binary = { kind: 'binary', operator: sign, left: target, right: value, span };
  return lowerComplexOperator(scope, combined, to);
}

function readsAny(e: IrExpression, variables: ReadonlySet<IrVariable>): boolean {
  let reads = false;
  visitVariables(e, (variable) => {
    if (variables.has(variable)) reads = true;
  });
  return reads;
}

function lowerFor(scope: LoweringScope, statement: For): IrStatement {
  const from = lowerExpression(scope, statement.from);
  const to = lowerExpression(scope, statement.to);
  const variable = scope.declare(statement.variable, intType, 'loop');
  const location = scope.locate(statement.from.span);
  return { op: 'for', variable, from, to, body: lowerBody(scope, statement.body), location };
}

function lowerForEach(scope: LoweringScope, statement: ForEach): IrStatement {
  const { type: range } = statement.over;
  if (range && isComposite(range)) return lowerForEachTuple(scope, statement);
  const over: IrExpression = lowerExpression(scope, statement.over);
  const type = over.type.arrayDepth === 0 ? realType : elementType(over.type);
  const variable = scope.declare(statement.variable, type, 'loop');
  const location = scope.locate(statement.over.span);
  return { op: 'for-each', variable, over, body: lowerBody(scope, statement.body), location };
}

/** The elements of a value with several leaves one by one: those of each leaf, in variables of the loop. */
function lowerForEachTuple(scope: LoweringScope, statement: ForEach): IrStatement {
  const location = scope.locate(statement.over.span);
  const type = { ...(statement.over.type as StanType) };
  const isArray = type.arrayDepth > 0;
  const arrays = lowerParts(scope, statement.over).map((part) => {
    const list = isArray ? part : lowerOperation('to_vector', [part], vectorType);
    return list.op === 'variable' ? list : (scope.bind(list, statement.over.span) ?? list);
  });
  const k = scope.local('k', intType, 'loop');
  const at: IrIndex = { kind: 'single', at: asExpression(k) };
  const element = isArray ? { ...type, arrayDepth: type.arrayDepth - 1 } : complexType;
  const leaves = scope.declareLeaves(statement.variable, element, 'loop');
  const elements = leaves.map((variable, i): IrStatement => {
    const value = indexed(arrays[i], [at], { type: variable.type, label: labelOf(statement.over) });
    const none = { arraySizes: [], baseSizes: [], constraint: { kind: 'none' } } as const;
    return isScalar(variable.type)
      ? { op: 'declare', variable, ...none, initial: value, location }
      : { op: 'bind', variables: [variable], value, guard: null, location };
  });
  const from: IrExpression = { op: 'int', value: 1, type: intType };
  const to: IrExpression = { op: 'measure', what: 'length', operand: arrays[0], type: intType };
  const body = [...elements, ...lowerBody(scope, statement.body)];
  return { op: 'for', variable: k, from, to, body, location };
}
