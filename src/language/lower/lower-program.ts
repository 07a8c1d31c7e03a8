/** A checked program to the intermediate representation. */
import type { SourceFile } from '../source/source-file.ts';
import type { FunctionDefinition, Program } from '../syntax/ast.ts';
import type { IrFunction, IrProgram } from './ir.ts';
import { loweredType } from './leaves.ts';
import { lowerDeclaration, lowerStatements } from './lower-statement.ts';
import { LoweringScope } from './scope.ts';

export function lowerProgram(program: Program, files: readonly SourceFile[]): IrProgram {
  const scope = new LoweringScope(files);
  const functions = lowerFunctions(scope, program.functions);
  const inSection = <T>(section: string, lower: () => T): T => {
    scope.section = section;
    return lower();
  };
  // In source order: later blocks refer to the variables of earlier ones.
  const data = inSection('data', () =>
    program.data.flatMap((d) => lowerDeclaration(scope, d, 'data')),
  );
  const transformedData = inSection('transformed data', () =>
    lowerStatements(scope, program.transformedData, 'transformed data'),
  );
  const parameters = inSection('parameters', () =>
    program.parameters.flatMap((d) => lowerDeclaration(scope, d, 'parameters')),
  );
  const transformedParameters = inSection('transformed parameters', () =>
    lowerStatements(scope, program.transformedParameters, 'transformed parameters'),
  );
  const model = inSection('model', () => lowerStatements(scope, program.model));
  const generatedQuantities = inSection('generated quantities', () =>
    lowerStatements(scope, program.generatedQuantities, 'generated quantities'),
  );
  return {
    functions,
    jacobian: scope.flagOfProgram,
    data,
    transformedData,
    parameters,
    transformedParameters,
    model,
    generatedQuantities,
    locations: scope.locations,
  };
}

function lowerFunctions(
  scope: LoweringScope,
  definitions: readonly FunctionDefinition[],
): IrFunction[] {
  const lowered = definitions
    .filter((definition) => definition.body !== null)
    .map((definition, id) => ({ definition, result: declareFunction(scope, definition, id) }));
  const all = lowered.map(({ result }) => result);
  scope.lowerDefinition = (definition) => {
    const result = declareFunction(scope, definition, all.length);
    all.push(result);
    const { section, isOwn } = scope;
    scope.isOwn = true;
    lowerBody(scope, definition, result);
    Object.assign(scope, { section, isOwn });
    return result;
  };
  for (const { definition, result } of lowered) lowerBody(scope, definition, result);
  return all;
}

function declareFunction(
  scope: LoweringScope,
  definition: FunctionDefinition,
  id: number,
): IrFunction {
  const { name, returnType } = definition;
  const own = definition.arguments.flatMap((a) => scope.declareLeaves(a, a.type, 'argument'));
  const isJacobian = name.name.endsWith('_jacobian');
  const args = isJacobian ? [scope.makeFlag('argument'), ...own] : own;
  const result: IrFunction = {
    id,
    name: name.name,
    returnType: loweredType(returnType),
    arguments: args,
    role: roleOf(name.name),
    body: [],
  };
  scope.addFunction(definition, result);
  return result;
}

function lowerBody(scope: LoweringScope, definition: FunctionDefinition, result: IrFunction): void {
  const { ownFlag, returnType } = scope;
  const { name } = definition.name;
  scope.section = scope.isOwn ? name.replace('complex_', '') : `function ${name}`;
  scope.ownFlag = name.endsWith('_jacobian') ? result.arguments[0] : null;
  scope.returnType = definition.returnType;
  result.body = lowerStatements(scope, definition.body?.statements ?? []);
  Object.assign(scope, { ownFlag, returnType });
}

function roleOf(name: string): IrFunction['role'] {
  if (/_(?:lp|jacobian)$/.test(name)) return 'target';
  if (name.endsWith('_rng')) return 'random';
  return /_(lpdf|lpmf)$/.test(name) ? 'density' : 'plain';
}
