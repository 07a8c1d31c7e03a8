/** Tables and data blocks for the tests of the mapper. */
import { checkProgram } from '../../src/language/check.ts';
import { readTableText, type Table } from '../../src/mapping/table.ts';
import { type WantedVariable, wantedVariables } from '../../src/mapping/wanted.ts';

export function tableOf(text: string): Table {
  const table = readTableText(text);
  if (!table.ok) throw new Error(table.error);
  return table.value;
}

/** The declarations of a data block. */
export function wantedOf(declarations: string): WantedVariable[] {
  const { program, diagnostics } = checkProgram(`data { ${declarations} } model {}`);
  if (diagnostics.some(({ severity }) => severity === 'error'))
    throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return wantedVariables(program.data);
}
