/**
 * A flag in the data that leaves the likelihood out, so that the same program samples its prior: what brms calls
 * `prior_only`.
 */
import type { CheckResult } from '../check.ts';
import { hasErrors } from '../diagnostics.ts';
import type { Declaration, Expression, Statement } from '../syntax/ast.ts';
import { namesIn, statementsOf, walkExpression } from '../syntax/walk.ts';
import { checkEdited } from './apply-edits.ts';
import { declarationOf, isOfData } from './priors.ts';
import type { Remedy, TextEdit } from './remedy.ts';

const priorFlag = 'prior_only';

/** None if the program already has the name, if no statement uses only data, or if one mixes both. */
export function findPriorOnly(result: CheckResult): Remedy[] {
  const { program, files } = result;
  if (hasErrors(result.diagnostics)) return [];
  const likelihood = likelihoodOf(program.model);
  const last = program.data.at(-1);
  const first = likelihood?.[0];
  if (first === undefined || likelihood === null || last === undefined) return [];
  if (files.some(({ text }) => new RegExp(`\\b${priorFlag}\\b`).test(text))) return [];
  const declaration = declarationAfter(result, last);
  if (declaration === null) return [];
  const guards = likelihood.map(
    ({ span }): TextEdit => ({
      span: { ...span, end: span.start },
      text: `if (${priorFlag} == 0) `,
    }),
  );
  const remedy: Remedy = {
    kind: 'prior-only',
    parameter: priorFlag,
    involved: [],
    title: `Add \`${priorFlag}\`, which leaves the likelihood out`,
    reason: `With \`${priorFlag}\` set to 1 in the data, the statements about the data are left out and the program samples its prior; with 0 nothing changes. The data need a value for it.`,
    declaration: `int<lower=0, upper=1> ${priorFlag}`,
    edits: [declaration, ...guards],
  };
  return isSound(result, remedy) ? [remedy] : [];
}

/** The statements whose densities are those of data; null if one cannot be left out without a prior. */
export function likelihoodOf(model: readonly Statement[]): Statement[] | null {
  const found: Statement[] = [];
  const visit = (statement: Statement): boolean => {
    const part = partOf(statement);
    if (part === 'mixed') return false;
    if (part === 'likelihood') found.push(statement);
    return statementsOf(statement).every((child) => {
      // the `else` that follows would bind to the guard
      const isDangling =
        statement.kind === 'if' && statement.otherwise !== null && statement.then === child;
      return (!isDangling || partOf(child) !== 'likelihood') && visit(child);
    });
  };
  return model.every(visit) ? found : null;
}

function partOf(statement: Statement): 'likelihood' | 'mixed' | 'other' {
  if (statement.kind === 'tilde') return isObserved(statement.variate) ? 'likelihood' : 'other';
  if (statement.kind !== 'target-increment') return 'other';
  const variates: Expression[] = [];
  let isUnclear = false;
  walkExpression(statement.value, {
    expression: (node) => {
      if (node.kind !== 'call') return;
      const [variate] = node.arguments;
      if (/_l(?:u?pdf|u?pmf|cdf|ccdf)$/.test(node.name.name) && variate !== undefined)
        variates.push(variate);
      else if (node.callee !== undefined && !('library' in node.callee)) isUnclear = true;
    },
  });
  const observed = variates.filter(isObserved);
  if (observed.length > 0) return observed.length === variates.length ? 'likelihood' : 'mixed';
  const hasData = namesIn(statement.value).some((name) => isOfData(declarationOf(name)));
  return isUnclear && hasData ? 'mixed' : 'other';
}

/** Data, and nothing that is sampled or computed from what is. */
function isObserved(variate: Expression): boolean {
  const declarations = namesIn(variate).map(declarationOf);
  const known = declarations.filter((declaration) => declaration !== null);
  return known.some(isOfData) && known.every(isOfData);
}

/** After the last declaration of the data block and its trailing comment, on a separate line. */
function declarationAfter({ files }: CheckResult, { span }: Declaration): TextEdit | null {
  const text = files[span.file]?.text;
  const [end] = /^\s*;?/.exec(text?.slice(span.end) ?? '') ?? [];
  if (text === undefined || end === undefined) return null;
  if (!end.includes(';') && text[span.end - 1] !== ';') return null;
  const place = span.end + (end.includes(';') ? end.length : 0);
  const [comment] = /^[ \t]*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(place)) ?? [''];
  const at = place + comment.length;
  const line = text.slice(text.lastIndexOf('\n', span.start - 1) + 1, span.start);
  const indent = line.trim() === '' ? line : '  ';
  return {
    span: { ...span, start: at, end: at },
    text: `\n${indent}// 1: leave the likelihood out and sample the prior\n${indent}int<lower=0, upper=1> ${priorFlag};${comment === '' && !/^\r?\n/.test(text.slice(at)) ? '\n' : ''}`,
  };
}

function isSound(result: CheckResult, remedy: Remedy): boolean {
  const { program, diagnostics } = checkEdited(result, remedy.edits);
  return !hasErrors(diagnostics) && program.data.some(({ name }) => name.name === remedy.parameter);
}
