import type { OutputVariable } from '../../src/language/program.ts';

/** The columns of the parameters that the program declares. */
export function parameterColumns(
  variables: readonly OutputVariable[],
  columns: readonly string[],
): string[] {
  const parameters = variables.filter(({ block }) => block === 'parameters');
  return columns.filter((column) =>
    parameters.some(({ name }) => column === name || column.startsWith(`${name}[`)),
  );
}
