/** Diagnostics in the shape editors take: line and column beside the offsets. */
import type { CheckResult } from '../check.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { type Position, positionAt } from '../source/source-file.ts';

export interface EditorDiagnostic extends Diagnostic {
  readonly from: Position;
  readonly to: Position;
}

/** What is wrong in one of the files, by place. */
export function diagnose(result: CheckResult, file = 0): readonly EditorDiagnostic[] {
  const source = result.files[file];
  if (!source) return [];
  return result.diagnostics
    .filter(({ span }) => span.file === file)
    .map((diagnostic) => ({
      ...diagnostic,
      from: positionAt(source, diagnostic.span.start),
      to: positionAt(source, diagnostic.span.end),
    }));
}
