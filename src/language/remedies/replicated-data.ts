/**
 * Generated quantities that replicate the data, `y_rep` for `y`, from the statements of the likelihood: what predictive checks
 * and simulation-based calibration need. With the flag that leaves the likelihood out, if the program has none.
 */
import type { CheckResult } from '../check.ts';
import { hasErrors } from '../diagnostics.ts';
import type { Declaration, Expression, For, Program, Statement } from '../syntax/ast.ts';
import { statementsOf } from '../syntax/walk.ts';
import { checkEdited } from './apply-edits.ts';
import { findPriorOnly, likelihoodOf } from './prior-only.ts';
import { declarationOf } from './priors.ts';
import type { Remedy, TextEdit } from './remedy.ts';

/** A statement of the likelihood whose data can be drawn from its distribution. */
interface Observed {
  readonly data: Declaration;
  readonly distribution: string;
  /** As written in the program. */
  readonly arguments: string;
  /** `[n]` of `y[n]`, and the loops around it, outermost first; empty if all of it is drawn at once. */
  readonly index: string;
  readonly loops: readonly string[];
}

/** None if a statement cannot be turned into a draw, or if the data are already replicated. */
export function findReplicatedData(result: CheckResult): Remedy[] {
  const { program } = result;
  if (hasErrors(result.diagnostics)) return [];
  const likelihood = likelihoodOf(program.model);
  if (likelihood === null || likelihood.length === 0) return [];
  const observed = likelihood.map((statement) => observedBy(result, program, statement));
  const found = observed.filter((one) => one !== null);
  if (found.length < observed.length) return [];
  const names = found.map(({ data }) => data.name.name);
  if (new Set(names).size < names.length) return [];
  if (names.some((name) => isNamed(result, replicated(name)))) return [];
  const flag = findPriorOnly(result).flatMap(({ edits }) => edits);
  for (const texts of combinations(found.map((one) => drawsOf(result, one)))) {
    const edit = blockEdit(
      result,
      found.map((one, i) => lineOf(result, one, texts[i] ?? '')),
    );
    if (edit === null) return [];
    const remedy = remedyOf(names, [...flag, edit]);
    if (!hasErrors(checkEdited(result, remedy.edits).diagnostics)) return [remedy];
  }
  return [];
}

const replicated = (name: string): string => `${name}_rep`;

function remedyOf(names: readonly string[], edits: readonly TextEdit[]): Remedy {
  const made = names.map((name) => `\`${replicated(name)}\``).join(', ');
  const [first = ''] = names;
  const adds = edits.length > 1 ? ', and the flag `prior_only`' : '';
  return {
    kind: 'replicated-data',
    parameter: replicated(first),
    involved: [],
    title: `Add ${made}${adds}`,
    reason: `Draws new values of ${names.map((name) => `\`${name}\``).join(', ')} in generated quantities. With a flag that leaves the likelihood out, the program can simulate its own data from its prior, which calibration needs.${edits.length > 1 ? ' The data need a value for `prior_only`: 0 changes nothing.' : ''}`,
    declaration: replicated(first),
    edits,
  };
}

function observedBy(result: CheckResult, program: Program, statement: Statement): Observed | null {
  if (statement.kind !== 'tilde' || statement.truncation !== null) return null;
  const { variate } = statement;
  const isWhole = variate.kind === 'variable';
  const base = variate.kind === 'index' ? variate.base : variate;
  if (base.kind !== 'variable') return null;
  const data = base.declaration === undefined ? null : declarationOf(base.declaration);
  if (data?.origin !== 'data') return null;
  const loops = loopsAround(program.model, statement);
  if (loops === null || (loops.length === 0) !== isWhole) return null;
  const text = (node: Pick<Expression, 'span'>) => textOf(result, node);
  return {
    data,
    distribution: statement.distribution.name,
    arguments: statement.arguments.map(text).join(', '),
    index: isWhole ? '' : text(variate).slice(text(base).length),
    loops: loops.map(
      ({ variable, from, to }) => `for (${variable.name.name} in ${text(from)}:${text(to)}) `,
    ),
  };
}

/** Null if anything other than loops, blocks and an `if` on the prior's flag is around it. */
function loopsAround(model: readonly Statement[], wanted: Statement): For[] | null {
  const visit = (statement: Statement): For[] | null => {
    if (statement === wanted) return [];
    for (const child of statementsOf(statement)) {
      const inner = visit(child);
      if (inner !== null) return statement.kind === 'for' ? [statement, ...inner] : inner;
    }
    return null;
  };
  for (const statement of model) {
    const found = visit(statement);
    if (found !== null) return found;
  }
  return null;
}

/** Ways to write the draw: the check of the program shows which one has the right type. */
function drawsOf(result: CheckResult, observed: Observed): string[] {
  const { data, distribution, arguments: given, index, loops } = observed;
  const name = replicated(data.name.name);
  const draw = `${distribution}_rng(${given})`;
  if (loops.length > 0) return [`${loops.join('')}${name}${index} = ${draw};`];
  const source = textOf(result, data.name);
  return [
    `${name} = ${draw};`,
    `${name} = to_vector(${draw});`,
    `${name} = to_row_vector(${draw});`,
    `for (i in 1:size(${source})) ${name}[i] = ${draw};`,
  ];
}

/** The declaration of the data with the other name, and the draw. */
function lineOf(result: CheckResult, { data }: Observed, draw: string): string {
  const { span, name } = data;
  const text = result.files[span.file]?.text ?? '';
  const declared = `${text.slice(span.start, name.span.start)}${replicated(name.name)}${text.slice(name.span.end, span.end)}`;
  return `  ${declared.trim().replace(/;$/, '')};\n  ${draw}\n`;
}

/** At the end of generated quantities, or as a block after all others. */
function blockEdit({ program, files }: CheckResult, lines: readonly string[]): TextEdit | null {
  const block = program.blocks['generated quantities'];
  const body = lines.join('');
  if (block === undefined) {
    const [main] = files;
    if (main === undefined) return null;
    const end = main.text.length;
    const gap = main.text.endsWith('\n') ? '' : '\n';
    return {
      span: { file: 0, start: end, end },
      text: `${gap}generated quantities {\n${body}}\n`,
    };
  }
  const text = files[block.file]?.text;
  const close = text?.lastIndexOf('}', block.end) ?? -1;
  if (text === undefined || close < block.start) return null;
  // before the indentation of the closing brace's own line
  const line = text.lastIndexOf('\n', close) + 1;
  const at = text.slice(line, close).trim() === '' ? line : close;
  return { span: { file: block.file, start: at, end: at }, text: at === line ? body : `\n${body}` };
}

/** One from each list; few, since programs have few outcomes. */
function combinations(lists: readonly (readonly string[])[]): string[][] {
  const most = 64;
  return lists.reduce<string[][]>(
    (all, list) => all.flatMap((begun) => list.map((one) => [...begun, one])).slice(0, most),
    [[]],
  );
}

function textOf({ files }: CheckResult, { span }: Pick<Expression, 'span'>): string {
  return files[span.file]?.text.slice(span.start, span.end) ?? '';
}

function isNamed({ files }: CheckResult, name: string): boolean {
  return files.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text));
}
