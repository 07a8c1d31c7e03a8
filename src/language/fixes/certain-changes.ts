/** Changes that fix an error only in some programs: each is tried, and suggested if it leaves fewer errors. */
import type { CheckResult } from '../check.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { TextEdit } from '../remedies/remedy.ts';
import type { Span } from '../source/span.ts';
import type { Declaration, Expression, Statement } from '../syntax/ast.ts';
import { rootOf, walkProgram } from '../syntax/walk.ts';
import { tokensBetween } from './call-parts.ts';

export interface Change {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

export function changesFor(result: CheckResult, diagnostic: Diagnostic): readonly Change[] {
  const { code, span, message } = diagnostic;
  switch (code) {
    case 'stan/wrong-assignment':
      return [...asReal(result, span), ...converted(message, span)];
    case 'stan/wrong-operands':
      return elementwise(result, span);
    case 'stan/bar-not-allowed':
      return [];
    case 'stan/value-ignored':
      return [{ title: 'Add to target', edits: [insertion(span, 'target += ')] }];
    case 'stan/unclosed-brace':
      return closed(result);
    case 'stan/wrong-sizes':
      return arrays(result, span);
    case 'stan/local-constraint':
      return withoutConstraint(result, span);
    default:
      return [];
  }
}

const insertion = ({ file, start }: Span, text: string): TextEdit => ({
  span: { file, start, end: start },
  text,
});

/** `int x = 2.5;`, and `x = 2.5;` if `x` is an int. */
function asReal(result: CheckResult, value: Span): Change[] {
  const declaration = declarationOf(result, value);
  if (declaration === null || declaration.type.base !== 'int') return [];
  const { name, span } = declaration;
  const text = result.files[span.file]?.text ?? '';
  const word = /\bint\b/.exec(text.slice(span.start, name.span.start));
  if (word === null) return [];
  const start = span.start + word.index;
  const edit = { span: { ...span, start, end: start + 3 }, text: 'real' };
  return [{ title: `Declare ${name.name} as real`, edits: [edit] }];
}

/** The target of a value. */
function declarationOf({ program }: CheckResult, value: Span): Declaration | null {
  let found: Declaration | null = null;
  const isHere = (expression: Expression | null) =>
    expression?.span.file === value.file && expression.span.start === value.start;
  walkProgram(program, {
    statement: (node: Statement) => {
      if (node.kind === 'declaration' && isHere(node.initialiser)) found = node;
      if (node.kind !== 'assignment' || !isHere(node.value)) return;
      const root = rootOf(node.target);
      const declared = root.kind === 'variable' ? root.declaration : undefined;
      if (declared && 'kind' in declared && declared.kind === 'declaration') found = declared;
    },
  });
  return found;
}

/** A conversion that the message names. */
function converted(message: string, span: Span): Change[] {
  const name = /`(to_\w+)\(…\)`/.exec(message)?.[1];
  if (name === undefined) return [];
  const end = { ...span, start: span.end };
  return [
    { title: `Convert with ${name}`, edits: [insertion(span, `${name}(`), insertion(end, ')')] },
  ];
}

/** `*` and `/` of two vectors. */
function elementwise(result: CheckResult, span: Span): Change[] {
  const text = result.files[span.file]?.text ?? '';
  return tokensBetween(text, span)
    .filter((token) => token.text === '*' || token.text === '/' || token.text === '^')
    .map(({ start, end, text: operator }) => ({
      title: `Change to .${operator}`,
      edits: [{ span: { file: span.file, start, end }, text: `.${operator}` }],
    }));
}

function closed({ files }: CheckResult): Change[] {
  const text = files[0]?.text ?? '';
  const end = text.trimEnd().length;
  return [
    { title: 'Insert } at the end', edits: [insertion({ file: 0, start: end, end }, '\n}')] },
  ];
}

/** `real[3] x`: array syntax of another language. */
function arrays(result: CheckResult, span: Span): Change[] {
  const text = result.files[span.file]?.text ?? '';
  const sizes = text.slice(span.start, span.end);
  const word = /\b(int|real|complex)(?:<[^>]*>)?\s*$/.exec(text.slice(0, span.start));
  if (word === null || !/^\[.+\]$/s.test(sizes)) return [];
  const edits = [
    insertion({ ...span, start: word.index }, `array${sizes} `),
    { span: { ...span }, text: '' },
  ];
  return [{ title: `Change to array${sizes} ${word[1]}`, edits }];
}

function withoutConstraint(result: CheckResult, name: Span): Change[] {
  const text = result.files[name.file]?.text ?? '';
  const from = Math.max(text.lastIndexOf(';', name.start), text.lastIndexOf('{', name.start)) + 1;
  const open = text.indexOf('<', from);
  const close = text.lastIndexOf('>', name.start);
  if (open < 0 || close < open || close > name.start) return [];
  const span = { file: name.file, start: open, end: close + 1 };
  return [{ title: 'Remove the constraint', edits: [{ span, text: '' }] }];
}
