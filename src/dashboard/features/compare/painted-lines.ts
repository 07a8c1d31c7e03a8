/** A Stan program in the colours of the editor, line by line. */
import { paintProgram, type Stretch } from '../../../language/editor/paint.ts';

/** A segment that spans several lines, such as a comment, is split at their ends. */
export function paintLines(program: string): readonly (readonly Stretch[])[] {
  const lines: Stretch[][] = [[]];
  for (const { text, role } of paintProgram(program)) {
    const [first = '', ...rest] = text.split(/\r\n|\n|\r/);
    if (first !== '') lines.at(-1)?.push({ text: first, role });
    for (const piece of rest) lines.push(piece === '' ? [] : [{ text: piece, role }]);
  }
  return lines;
}
