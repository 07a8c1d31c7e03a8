/**
 * Vectors with a multivariate normal prior whose covariance contains parameters (often with an LKJ prior on its
 * correlations), computed from a vector on a standard scale: offset and multiplier cannot express a covariance.
 * Source: Stan User's Guide, "Multivariate reparameterizations".
 */
import type { CheckResult } from '../check.ts';
import type { Declaration, Expression, For } from '../syntax/ast.ts';
import { printDeclaredType } from '../syntax/parse-declarations.ts';
import { printExpression } from '../syntax/printer.ts';
import { namesIn } from '../syntax/walk.ts';
import { isZero } from './non-centred.ts';
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
import type { Remedy, TextEdit } from './remedy.ts';

export function findNonCentredVectors(result: CheckResult): Remedy[] {
  const densities = densitiesOf(result.program);
  return result.program.parameters.flatMap((declaration) => {
    const { constraint, type } = declaration;
    if (constraint.kind !== 'none' || type.base !== 'vector' || type.arrayDepth > 1) return [];
    const prior = onlyDensityOf(declaration, densities);
    return (prior && remedyOf(result, declaration, prior)) ?? [];
  });
}

function remedyOf(result: CheckResult, declaration: Declaration, prior: Prior): Remedy | null {
  if (prior.isTruncated || prior.isConditional || prior.form === 'term') return null;
  const [location, scale] = prior.arguments;
  if (location === undefined || scale === undefined) return null;
  const factor = factorOf(prior.distribution, scale);
  const index = coveringLoops(prior.variate, prior.loops, declaration);
  // A vector has one prior for all of its elements.
  const isByVector = index?.length === 0 || declaration.type.arrayDepth === 1;
  if (factor === null || index?.length !== prior.loops.length || !isByVector) return null;
  const used = usedBy([location, scale], index);
  if (used === null || used.scaleParameters.size === 0 || used.parameters.has(declaration))
    return null;
  const names = freshNames(result, declaration);
  const loop = names === null ? null : loopOver(declaration, index[0], names);
  const mean = loop === null ? null : meanText(location, declaration, index[0], loop);
  if (names === null || loop === null || mean === null) return null;
  const parts: Parts = { declaration, prior, names, loop, mean, factor, index: index[0] };
  const definition = placeOf(result, used.definitions, definitionLines(parts));
  if (definition === null) return null;
  const { name, span } = declaration.name;
  const scales = [...used.scaleParameters].map((one) => `\`${one.name.name}\``).join(' and ');
  return {
    kind: 'non-centred',
    parameter: name,
    involved: [name, ...[...used.parameters].map((one) => one.name.name)],
    title: `Write \`${name}\` non-centred`,
    reason: `The covariance of \`${printPrior(prior)}\`${lineOf(result, prior, ', ')}, depends on ${scales}. Where it is small in some direction, \`${name}\` lies in a narrow funnel that large steps miss. Computed from \`${names.raw}\`, it is sampled on a standard scale. The posterior stays the same.`,
    declaration: `${printDeclaredType(declaration)} ${names.raw}`,
    edits: [{ span, text: names.raw }, definition, { span: prior.span, text: priorText(parts) }],
  };
}

interface Names {
  /** The vector on a standard scale. */
  readonly raw: string;
  /** The Cholesky factor, if it has no name yet. */
  readonly factor: string;
  /** A loop variable. */
  readonly index: string;
}

/** The loop over the vectors of an array; null `range`: there is only one vector. */
interface VectorLoop {
  readonly variable: string;
  readonly range: string | null;
}

interface Parts {
  readonly declaration: Declaration;
  readonly prior: Prior;
  readonly names: Names;
  readonly loop: VectorLoop;
  /** Empty if it is zero. */
  readonly mean: string;
  readonly factor: string;
  readonly index: For | undefined;
}

/** The Cholesky factor of the covariance as text; null for other distributions. */
function factorOf(distribution: string, scale: Expression): string | null {
  if (distribution === 'multi_normal_cholesky') return operand(scale);
  if (distribution !== 'multi_normal') return null;
  const [inner, scales] = scale.kind === 'call' ? scale.arguments : [];
  if (scale.kind === 'call' && scale.name.name === 'quad_form_diag' && inner && scales)
    return `diag_pre_multiply(${printExpression(scales)}, ${choleskyOf(inner)})`;
  return choleskyOf(scale);
}

function choleskyOf(matrix: Expression): string {
  const [only] = matrix.kind === 'call' ? matrix.arguments : [];
  const isProduct =
    matrix.kind === 'call' && matrix.name.name === 'multiply_lower_tri_self_transpose';
  return isProduct && only !== undefined
    ? operand(only)
    : `cholesky_decompose(${printExpression(matrix)})`;
}

/** As part of a product or a sum. */
function operand(expression: Expression): string {
  const text = printExpression(expression);
  return ['variable', 'index', 'call'].includes(expression.kind) ? text : `(${text})`;
}

interface Used {
  readonly parameters: ReadonlySet<Declaration>;
  /** Those of the covariance alone. */
  readonly scaleParameters: ReadonlySet<Declaration>;
  /** The transformed parameters that are named. */
  readonly definitions: ReadonlySet<Declaration>;
}

/** What mean and covariance depend on; null if that is not known before the model block. */
function usedBy(
  [location, scale]: readonly [Expression, Expression],
  index: readonly For[],
): Used | null {
  const definitions = new Set<Declaration>();
  const collect = (
    expression: Expression,
    found: Set<Declaration>,
    isNamedHere: boolean,
  ): boolean =>
    namesIn(expression).every((name) => {
      if (index.some((loop) => loop.variable === name)) return true;
      const declaration = declarationOf(name);
      const { origin, initialiser } = declaration ?? {};
      if (declaration === null) return false;
      if (isOfData(declaration)) return true;
      if (origin === 'parameters') return found.add(declaration) !== undefined;
      if (origin !== 'transformed parameters' || !initialiser) return false;
      if (isNamedHere) definitions.add(declaration);
      return collect(initialiser, found, false);
    });
  const parameters = new Set<Declaration>();
  const scaleParameters = new Set<Declaration>();
  const isKnown = collect(location, parameters, true) && collect(scale, scaleParameters, true);
  if (!isKnown) return null;
  for (const one of scaleParameters) parameters.add(one);
  return { parameters, scaleParameters, definitions };
}

function freshNames({ files }: CheckResult, { name: { name } }: Declaration): Names | null {
  const text = files.map((file) => file.text).join('\n');
  const first = (...names: string[]) =>
    names.find((one) => !new RegExp(`\\b${one}\\b`).test(text)) ?? null;
  const raw = first(`${name}_raw`, `${name}_std`, `${name}_unscaled`);
  const factor = first(`L_${name}`, `chol_${name}`);
  const index = first('j', 'i', 'k', 'n', `${name}_index`);
  return raw === null || factor === null || index === null ? null : { raw, factor, index };
}

function loopOver(
  { arraySizes }: Declaration,
  index: For | undefined,
  names: Names,
): VectorLoop | null {
  const [size] = arraySizes;
  if (size === undefined) return { variable: '', range: null };
  const variable = index === undefined ? names.index : index.variable.name.name;
  return { variable, range: `for (${variable} in 1:${printExpression(size)})` };
}

/** The mean of one vector; empty if it is zero, null if it cannot be expressed. */
function meanText(
  location: Expression,
  { type }: Declaration,
  index: For | undefined,
  { variable }: VectorLoop,
): string | null {
  const [first] = location.kind === 'call' ? location.arguments : [];
  if (location.kind === 'call' && location.name.name === 'rep_vector' && first && isZero(first))
    return '';
  const depth = location.type?.arrayDepth ?? 0;
  if (location.type?.base !== 'vector') return null;
  if (depth === 0) return operand(location);
  // Several means for an array whose prior is one statement.
  const isEach = depth === 1 && type.arrayDepth === 1 && index === undefined;
  return isEach && location.kind === 'variable' ? `${location.name}[${variable}]` : null;
}

function definitionLines({ declaration, names, loop, mean, factor, prior }: Parts): string[] {
  const { name } = declaration.name;
  const declared = `${printDeclaredType(declaration)} ${name}`;
  const sum = (product: string) => (mean === '' ? product : `${mean} + ${product}`);
  if (loop.range === null) return [`${declared} = ${sum(`${factor} * ${names.raw}`)};`];
  const each = `${name}[${loop.variable}]`;
  const raw = `${names.raw}[${loop.variable}]`;
  const assign = (by: string) => `${each} = ${sum(`${by} * ${raw}`)};`;
  const [, scale] = prior.arguments;
  const changes =
    scale !== undefined && prior.loops.some((one) => namesIn(scale).includes(one.variable));
  const isNamed = /^\w+$/.test(factor);
  if (changes || isNamed) return [`${declared};`, `${loop.range} ${assign(factor)}`];
  const [size] = declaration.baseSizes;
  const side = size === undefined ? '' : printExpression(size);
  return [
    `${declared};`,
    '{',
    `  matrix[${side}, ${side}] ${names.factor} = ${factor};`,
    `  ${loop.range} ${assign(names.factor)}`,
    '}',
  ];
}

function priorText({ prior, names, loop, index }: Parts): string {
  const variate = loop.range === null ? names.raw : `${names.raw}[${loop.variable}]`;
  const statement =
    prior.form === 'tilde'
      ? `${variate} ~ std_normal();`
      : `target += std_normal_lpdf(${variate});`;
  // The program already has a loop over it.
  return loop.range === null || index !== undefined ? statement : `${loop.range} ${statement}`;
}

/** Where the definition goes: after what it names, at the beginning of its block, or in a separate block. */
function placeOf(
  result: CheckResult,
  named: ReadonlySet<Declaration>,
  lines: readonly string[],
): TextEdit | null {
  const { blocks } = result.program;
  const block = blocks['transformed parameters'];
  const written = lines.map((line) => `\n  ${line}`).join('');
  if (block === undefined) {
    const { parameters } = blocks;
    if (parameters === undefined) return null;
    const span = { ...parameters, start: parameters.end };
    return { span, text: `\ntransformed parameters {${written}\n}` };
  }
  const text = result.files[block.file]?.text;
  if (text === undefined || [...named].some(({ span }) => span.file !== block.file)) return null;
  const last = Math.max(...[...named].map(({ span }) => span.end));
  const at = named.size === 0 ? text.indexOf('{', block.start) : text.indexOf(';', last);
  return at < 0 ? null : { span: { ...block, start: at + 1, end: at + 1 }, text: written };
}
