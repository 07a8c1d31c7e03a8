/** Which parts of a label match the typed text, so that they can be shown in bold. */

export interface LabelPiece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Every word must occur in the label or in `more` (an id, an address), in any order and case. */
export function matchesWords(words: readonly string[], label: string, more: string): boolean {
  const text = `${label} ${more}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

export function piecesOf(label: string, words: readonly string[]): LabelPiece[] {
  const lower = label.toLowerCase();
  const marked = Array.from({ length: label.length }, () => false);
  for (const word of words) {
    if (word === '') continue;
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length)) {
      marked.fill(true, at, at + word.length);
    }
  }
  const pieces: LabelPiece[] = [];
  let start = 0;
  for (let i = 1; i <= label.length; i++) {
    if (i < label.length && marked[i] === marked[start]) continue;
    pieces.push({ text: label.slice(start, i), isMatch: marked[start] ?? false });
    start = i;
  }
  return pieces;
}
