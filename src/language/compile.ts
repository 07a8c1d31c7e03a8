/** The pipeline: source → checked tree → intermediate representation → JavaScript text. */
import { type CheckOptions, checkProgram } from './check.ts';
import { error, hasErrors } from './diagnostics.ts';
import { emitProgram } from './emit/emit-program.ts';
import { LibraryIndex } from './emit/library-index.ts';
import { MissingFunctionError } from './emit/unit.ts';
import { declaredType } from './lower/declared-type.ts';
import { lowerProgram } from './lower/lower-program.ts';
import type { CompileResult, ProgramVariable } from './program.ts';
import type { SourceFile } from './source/source-file.ts';
import type { BlockName, Declaration, Program, Statement } from './syntax/ast.ts';

export interface CompileOptions extends CheckOptions {
  /** The library keys that the text will be linked with. */
  readonly libraryKeys: ReadonlySet<string>;
  /** False records every operation on the tape: the oracle of the adjoint phase. Default true. */
  readonly adjoint?: boolean;
}

export interface CompileOutput extends CompileResult {
  /** What the spans of the diagnostics point into. */
  readonly files: readonly SourceFile[];
}

/** Compiles a program given as text or as a named file. Never throws for what a user may write. */
export function compileProgram(
  source: string | SourceFile,
  { libraryKeys, adjoint = true, ...options }: CompileOptions,
): CompileOutput {
  const { program, diagnostics, files } = checkProgram(source, options);
  if (hasErrors(diagnostics)) return { program: null, diagnostics, files };
  const lowered = lowerProgram(program, files);
  try {
    const emitted = emitProgram(lowered, new LibraryIndex(libraryKeys), adjoint);
    return { program: { ...emitted, variables: blockVariables(program) }, diagnostics, files };
  } catch (thrown) {
    if (!(thrown instanceof MissingFunctionError)) throw thrown;
    const { functionName, location } = thrown;
    const missing = missingFunction(program.span, functionName, lowered.locations[location]);
    return { program: null, diagnostics: [...diagnostics, missing], files };
  }
}

/** A signature without an implementation: reported as plainly as a function that is not supported at all. */
const missingFunction = error(
  'not-supported',
  (name: string, place: string) =>
    `\`${name}\` is not supported by the embedded engine for these arguments (in ${place}).`,
);

function blockVariables(program: Program): ProgramVariable[] {
  const declared = (block: BlockName, statements: readonly Statement[]): ProgramVariable[] =>
    statements
      .filter((statement): statement is Declaration => statement.kind === 'declaration')
      .map((declaration) => ({
        name: declaration.name.name,
        block,
        type: declaration.type,
        declared: declaredType(declaration),
      }));
  return [
    ...declared('data', program.data),
    ...declared('transformed data', program.transformedData),
    ...declared('parameters', program.parameters),
    ...declared('transformed parameters', program.transformedParameters),
    ...declared('generated quantities', program.generatedQuantities),
  ];
}
