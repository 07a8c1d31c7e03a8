/** Recognises R dumps, for pages that do not read them: the reader is larger. */

/** Whether text looks like assignments of R; what cannot be read of them is then said by `readRDump`. */
export function isRDump(text: string): boolean {
  return /^(?:\ufeff?(?:\s|#[^\n]*\n)*)(?:"[^"\n]+"|`[^`\n]+`|[A-Za-z.][\w.]*)\s*(?:<-|=(?!=))\s*(?:c|structure|list|integer|numeric|double|rep|matrix|array|NA|NULL|TRUE|FALSE|Inf|NaN|[-+.\d"'])/.test(
    text,
  );
}
