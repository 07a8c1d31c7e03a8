/** Types of the expressions of a call that is being written: each is checked alone, with the names in sight. */
import type { CheckResult } from '../check.ts';
import type { BlockName, Expression, Named } from '../syntax/ast.ts';
import { Cursor } from '../syntax/cursor.ts';
import { parseExpression } from '../syntax/parse-expressions.ts';
import type { Token } from '../syntax/token.ts';
import { checkExpression } from '../types/check-expressions.ts';
import { CheckContext } from '../types/scope.ts';
import { errorType, type StanType, voidType } from '../types/stan-type.ts';
import { visibleNames } from './visible-names.ts';

export interface WritingPlace {
  readonly file: number;
  readonly offset: number;
  readonly block: BlockName;
}

/** One type per argument: `error` for what is not understood yet, `void` for the name of a function. */
export function typesOfArguments(
  result: CheckResult,
  { file, offset, block }: WritingPlace,
  args: readonly (readonly Token[])[],
): readonly StanType[] {
  const context = new CheckContext();
  for (const definition of result.program.functions) {
    const overloads = context.functions.get(definition.name.name) ?? [];
    context.functions.set(definition.name.name, [...overloads, definition]);
  }
  const place = { file, start: offset, end: offset };
  for (const declaration of visibleNames(result.program, place, block)) {
    const type = declaration.type ?? errorType;
    context.declare(declaration.name, {
      declaration,
      type,
      origin: originOf(declaration),
      dataOnly: false,
    });
  }
  return args.map((tokens) => {
    const [first] = tokens;
    if (tokens.length === 1 && context.functions.has(first.text) && !context.find(first.text))
      return voidType;
    const expression = expressionOf(tokens, result.files);
    return expression === null ? errorType : checkExpression(context, expression);
  });
}

function originOf(declaration: Named): BlockName | 'local' {
  return 'origin' in declaration && declaration.origin ? declaration.origin : 'local';
}

/** Null when the tokens are not a complete expression. */
function expressionOf(tokens: readonly Token[], files: CheckResult['files']): Expression | null {
  const last = tokens.at(-1);
  if (last === undefined) return null;
  const end: Token = { kind: 'end', text: '', file: last.file, start: last.end, end: last.end };
  const cursor = new Cursor([...tokens, end], files);
  try {
    const expression = parseExpression(cursor);
    return cursor.atEnd ? expression : null;
  } catch (failure) {
    cursor.recover(failure);
    return null;
  }
}
