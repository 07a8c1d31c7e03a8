/** `y ~ distribution(…) T[L, U]` of a container: each element is truncated. */
import type { IrExpression, IrStatement } from './ir.ts';
import { elementType, intType, isScalar } from './kinds.ts';
import type { LoweringScope } from './scope.ts';

export interface ContainerTruncation {
  readonly variate: IrExpression;
  readonly parameters: readonly IrExpression[];
  /** Conditions on one element of the variate. */
  readonly supportOf: (element: IrExpression) => readonly IrExpression[];
  /** What a truncation subtracts, from the parameters of one element. */
  readonly massOf: (parameters: readonly IrExpression[]) => IrExpression | null;
  readonly location: number;
}

/** A loop over the elements: their support, and the log probability that each truncation keeps. */
export function truncateElements(
  scope: LoweringScope,
  { variate, parameters, supportOf, massOf, location }: ContainerTruncation,
): IrStatement[] {
  const n = scope.local('n', intType, 'loop');
  const at: IrExpression = { op: 'variable', variable: n, type: intType };
  const held: IrStatement[] = [];
  const hold = (e: IrExpression): IrExpression => {
    if (e.op === 'variable') return e;
    const variable = scope.local('value', e.type);
    held.push({ op: 'bind', variables: [variable], value: e, guard: null, location });
    return { op: 'variable', variable, type: e.type };
  };
  const elementOf = (whole: IrExpression): IrExpression => ({
    op: 'index',
    base: whole,
    entries: [{ kind: 'single', at }],
    label: 'the truncated variable',
    type: elementType(whole.type),
  });
  const whole = hold(variate);
  const element = elementOf(whole);
  const own = parameters.map((e) => (isScalar(e.type) ? e : elementOf(hold(e))));
  const mass = massOf(own);
  const body: IrStatement[] = [
    ...supportOf(element).map((condition): IrStatement => ({ op: 'support', condition, location })),
    ...(mass ? [{ op: 'increment', value: mass, sign: -1, location } as const] : []),
  ];
  const one: IrExpression = { op: 'int', value: 1, type: intType };
  const to: IrExpression = { op: 'measure', what: 'length', operand: whole, type: intType };
  return [...held, { op: 'for', variable: n, from: one, to, body, location }];
}
