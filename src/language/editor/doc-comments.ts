/** The comment directly above a function, as its documentation. */
import type { CheckResult } from '../check.ts';
import type { FunctionDefinition } from '../syntax/ast.ts';

/** Text of the comment without its markers; empty if there is none. A blank line in between splits them. */
export function docCommentOf(result: CheckResult, { span }: FunctionDefinition): string {
  const text = result.files[span.file]?.text ?? '';
  const parts: string[] = [];
  let end = span.start;
  for (let i = result.comments.length - 1; i >= 0; i--) {
    const comment = result.comments[i];
    if (comment.file !== span.file || comment.end > end) continue;
    const gap = text.slice(comment.end, end);
    if (!/^[ \t]*(?:\r?\n[ \t]*)?$/.test(gap) || !standsAlone(text, comment.start)) break;
    parts.unshift(withoutSigns(text.slice(comment.start, comment.end)));
    end = comment.start;
  }
  return parts.join('\n').trim();
}

/** One after a statement is about that. */
function standsAlone(text: string, start: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(0, start));
}

function withoutSigns(comment: string): string {
  if (!comment.startsWith('/*')) return comment.replace(/^(?:\/\/+|#+)[ \t]?/, '').trimEnd();
  return comment
    .replace(/^\/\*+/, '')
    .replace(/\*+\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s*/, '').trimEnd())
    .join('\n')
    .trim();
}
