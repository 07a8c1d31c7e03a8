/** The checker's walk over a program, block by block in the order of the language. */
import type { Diagnostic } from '../diagnostics.ts';
import type { BlockName, Program, Statement } from '../syntax/ast.ts';
import { checkFunctions } from './check-functions.ts';
import { checkStatements } from './check-statements.ts';
import { CheckContext } from './scope.ts';

/** Checks a parsed program, fills in what the syntax tree leaves to the checker, and returns what is wrong. */
export function checkTypes(program: Program): readonly Diagnostic[] {
  const context = new CheckContext();
  checkFunctions(context, program.functions);
  const blocks: readonly (readonly [BlockName, readonly Statement[]])[] = [
    ['data', program.data],
    ['transformed data', program.transformedData],
    ['parameters', program.parameters],
    ['transformed parameters', program.transformedParameters],
  ];
  for (const [block, statements] of blocks) checkBlock(context, block, statements);
  // Variables of the model block are local: generated quantities do not see them.
  context.inScope(() => checkBlock(context, 'model', program.model));
  checkBlock(context, 'generated quantities', program.generatedQuantities);
  return context.diagnostics;
}

function checkBlock(
  context: CheckContext,
  block: BlockName,
  statements: readonly Statement[],
): void {
  const place = { block, function: null, loopDepth: 0, topLevel: block !== 'model' };
  context.inPlace(place, () => checkStatements(context, statements));
}
