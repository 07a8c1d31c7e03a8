/** Applies edits to several files. */
import { type CheckResult, checkProgram } from '../check.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { TextEdit } from './remedy.ts';

/** The files after the edits, in the same order. Edits must not overlap; of two at one place the first comes first. */
export function applyEdits(files: readonly SourceFile[], edits: readonly TextEdit[]): SourceFile[] {
  return files.map((file, index) => {
    const own = edits
      .filter(({ span }) => span.file === index)
      .toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
    let text = '';
    let end = 0;
    for (const { span, text: replacement } of own) {
      text += file.text.slice(end, span.start) + replacement;
      end = span.end;
    }
    return { ...file, text: text + file.text.slice(end) };
  });
}

/** The program after the edits. */
export function checkEdited(
  { files }: Pick<CheckResult, 'files'>,
  edits: readonly TextEdit[],
): CheckResult {
  const [main, ...included] = applyEdits(files, edits);
  return checkProgram(main, {
    include: (name) => included.find((file) => file.name === name)?.text ?? null,
  });
}
