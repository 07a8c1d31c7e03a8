/** Parameters whose prior has a scale that is itself a parameter, non-centred with `offset` and `multiplier`. */
import type { CheckResult } from '../check.ts';
import type { Declaration, Expression, For } from '../syntax/ast.ts';
import { childrenOf, namesIn } from '../syntax/walk.ts';
import { isSameType, isScalar, promoteToReal } from '../types/stan-type.ts';
import { constrainDeclaration } from './declaration-edit.ts';
import {
  coveringLoops,
  declarationOf,
  densitiesOf,
  isOfData,
  lineOf,
  onlyDensityOf,
  type Prior,
  printPrior,
} from './priors.ts';
import type { Remedy } from './remedy.ts';

/** The positions of location and scale among the arguments. */
const locationScale: Readonly<Record<string, readonly [number, number]>> = {
  normal: [0, 1],
  student_t: [1, 2],
  cauchy: [0, 1],
  double_exponential: [0, 1],
  logistic: [0, 1],
};

/** Definitions of transformed parameters are expanded to this depth. */
const deepestDefinition = 4;

export function findNonCentred(result: CheckResult): Remedy[] {
  const densities = densitiesOf(result.program);
  return result.program.parameters.flatMap((declaration) => {
    if (declaration.constraint.kind !== 'none') return [];
    const prior = onlyDensityOf(declaration, densities);
    return (prior && remedyOf(result, declaration, prior)) ?? [];
  });
}

function remedyOf(result: CheckResult, declaration: Declaration, prior: Prior): Remedy | null {
  const places = locationScale[prior.distribution];
  if (places === undefined || prior.isTruncated || prior.isConditional) return null;
  const index = coveringLoops(prior.variate, prior.loops, declaration);
  if (index?.length !== prior.loops.length) return null;
  const [location, scale] = places.map((place) => prior.arguments[place]);
  if (location === undefined || scale === undefined) return null;
  if (![location, scale].every((one) => isOfElement(one, prior.variate, index))) return null;
  const offset = written(location, { result, index, depth: 0 });
  const multiplier = written(scale, { result, index, depth: 0 });
  if (offset === null || multiplier === null) return null;
  if (multiplier.parameters.size === 0) return null;
  const needed = new Set([...offset.parameters, ...multiplier.parameters]);
  if (needed.has(declaration)) return null;
  const parts = isZero(location)
    ? [`multiplier=${multiplier.text}`]
    : [`offset=${offset.text}`, `multiplier=${multiplier.text}`];
  const edit = constrainDeclaration(
    result,
    declaration,
    `<${parts.join(', ')}>`,
    lastAfter(result, declaration, needed),
  );
  if (edit === null) return null;
  const { name } = declaration.name;
  const scales = [...multiplier.parameters].map((one) => `\`${one.name.name}\``).join(' and ');
  return {
    kind: 'non-centred',
    parameter: name,
    involved: [name, ...[...needed].map((one) => one.name.name)],
    title: `Write \`${name}\` non-centred`,
    reason: `The scale of \`${printPrior(prior)}\`${lineOf(result, prior, ', ')}, depends on ${scales}. Where that scale is small, \`${name}\` lies in a narrow funnel that large steps miss. With offset and multiplier it is sampled on a standard scale. The posterior stays the same.`,
    ...edit,
  };
}

export function isZero(expression: Expression): boolean {
  return (expression.kind === 'int' || expression.kind === 'real') && expression.value === 0;
}

interface Written {
  readonly text: string;
  readonly parameters: ReadonlySet<Declaration>;
}

interface Writing {
  readonly result: CheckResult;
  readonly index: readonly For[];
  readonly depth: number;
}

/**
 * The expression as the parameters block may contain it: for all elements together, transformed parameters expanded.
 * Null if that is impossible.
 */
function written(expression: Expression, writing: Writing): Written | null {
  const { result, index, depth } = writing;
  const source = result.files[expression.span.file]?.text;
  if (source === undefined || depth > deepestDefinition) return null;
  const parameters = new Set<Declaration>();
  const replaced: { start: number; end: number; text: string }[] = [];
  const take = (node: Expression): boolean => {
    if (node.kind === 'index' && isByElement(node, index)) {
      // `mu[j]` in a loop over all j is `mu`; only sums keep their meaning for complete containers.
      const last = node.indexes.length;
      if (last !== 1 || index.length !== 1) return false;
      replaced.push({ start: node.base.span.end, end: node.span.end, text: '' });
      return take(node.base);
    }
    if (node.kind === 'variable') {
      if (node.declaration === undefined) return true;
      const declaration = declarationOf(node.declaration);
      if (declaration === null) return false;
      if (declaration.origin === 'parameters') {
        parameters.add(declaration);
        return true;
      }
      if (isOfData(declaration)) return true;
      if (declaration.origin !== 'transformed parameters' || !declaration.initialiser) return false;
      const definition = written(declaration.initialiser, { result, index: [], depth: depth + 1 });
      if (definition === null) return false;
      for (const one of definition.parameters) parameters.add(one);
      replaced.push({ ...node.span, text: `(${definition.text})` });
      return true;
    }
    return arithmetic.has(node.kind) && isElementwise(node, index) && childrenOf(node).every(take);
  };
  if (!take(expression)) return null;
  return { text: spliced(source, expression.span, replaced), parameters };
}

/** An expression that changes with the loop must have the same type as the element it belongs to. */
function isOfElement(expression: Expression, variate: Expression, index: readonly For[]): boolean {
  if (!usesIndex(expression, index)) return true;
  const { type } = expression;
  if (type === undefined || variate.type === undefined) return false;
  return isSameType(promoteToReal(type), promoteToReal(variate.type));
}

const elementwise: ReadonlySet<string> = new Set([
  'exp',
  'log',
  'log1p',
  'sqrt',
  'square',
  'abs',
  'inv',
  'inv_logit',
]);

/** Other expressions are rare in a prior. */
const arithmetic: ReadonlySet<Expression['kind']> = new Set([
  'int',
  'real',
  'unary',
  'postfix',
  'binary',
  'call',
  'index',
]);

/** Means the same for complete containers as for their elements. */
function isElementwise(node: Expression, index: readonly For[]): boolean {
  if (!usesIndex(node, index)) return true;
  if (node.kind === 'call') return elementwise.has(node.name.name);
  if (node.kind !== 'binary' || node.operator === '+' || node.operator === '-')
    return node.kind !== 'postfix';
  if (node.operator !== '*' && node.operator !== '/') return false;
  const [changing, fixed] = usesIndex(node.left, index)
    ? [node.left, node.right]
    : [node.right, node.left];
  const isDivisor = node.operator === '/' && changing === node.right;
  return !isDivisor && !usesIndex(fixed, index) && fixed.type !== undefined && isScalar(fixed.type);
}

function isByElement(node: Extract<Expression, { kind: 'index' }>, index: readonly For[]): boolean {
  return node.indexes.some(
    (item) =>
      item.kind === 'single' &&
      item.expression.kind === 'variable' &&
      index.some(
        (loop) => loop.variable === (item.expression as { declaration?: unknown }).declaration,
      ),
  );
}

function usesIndex(node: Expression, index: readonly For[]): boolean {
  const names: readonly unknown[] = namesIn(node);
  return index.some((loop) => names.includes(loop.variable));
}

function spliced(
  source: string,
  span: { start: number; end: number },
  replaced: readonly { start: number; end: number; text: string }[],
): string {
  let text = '';
  let end = span.start;
  for (const one of replaced.toSorted((a, b) => a.start - b.start)) {
    text += source.slice(end, one.start) + one.text;
    end = one.end;
  }
  return text + source.slice(end, span.end);
}

/** The last declaration that must precede this one and does not; null if all do. */
function lastAfter(
  { program }: CheckResult,
  declaration: Declaration,
  needed: ReadonlySet<Declaration>,
): Declaration | null {
  const place = program.parameters.indexOf(declaration);
  return program.parameters.findLast((one, index) => index > place && needed.has(one)) ?? null;
}
