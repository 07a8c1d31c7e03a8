/** Recognises R dumps for pages that do not read them, since the reader is larger. */

/** Whether text looks like assignments in R; `readRDump` then reports what it cannot read. */
export function isRDump(text: string): boolean {
  return /^(?:\ufeff?(?:\s|#[^\n]*\n)*)(?:"[^"\n]+"|`[^`\n]+`|[A-Za-z.][\w.]*)\s*(?:<-|=(?!=))\s*(?:c|structure|list|integer|numeric|double|rep|matrix|array|NA|NULL|TRUE|FALSE|Inf|NaN|[-+.\d"'])/.test(
    text,
  );
}
