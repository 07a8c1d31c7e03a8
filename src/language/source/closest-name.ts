/** The known name that a mistyped one was most likely meant to be. */

/** Names this long were generated, not typed: there is no letter to correct. */
const longestName = 80;
/** How many names the unknown ones of a program are compared with, in total. */
const mostCompared = 50_000;

/**
 * Suggestions for the unknown names of one program. If there are thousands, the cause is not a mistyped letter,
 * and comparing each with all others would take minutes: no more suggestions are given then.
 */
export class NameSuggestions {
  private left = mostCompared;

  /** Like {@link closestName}; `candidates` is called only if they will be compared. */
  closest(name: string, candidates: () => Iterable<string>): string | null {
    if (this.left <= 0) return null;
    const all = [...candidates()];
    this.left -= all.length;
    return closestName(name, all);
  }
}

/** Null when none is near: at most a third of the letters may differ, and never more than three. */
export function closestName(name: string, candidates: Iterable<string>): string | null {
  if (name.length > longestName) return null;
  const limit = Math.min(3, Math.max(1, Math.floor(name.length / 3)));
  const wanted = name.toLowerCase();
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance >= bestDistance) continue;
    // A single letter is near every other single letter.
    if (distance >= Math.max(name.length, candidate.length)) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** Optimal string alignment distance: insertions, deletions, changes and swaps of neighbours; stops at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let smallest = i;
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min(previous[j] + 1, current[j - 1] + 1, change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, before[j - 2] + 1);
      }
      current.push(distance);
      smallest = Math.min(smallest, distance);
    }
    if (smallest >= limit) return limit;
    before = previous;
    previous = current;
  }
  return previous[b.length];
}
