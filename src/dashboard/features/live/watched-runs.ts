/** Runs that were looked at in this tab while they went on: whose end is worth a word when nobody looks. */
const watched = new Set<string>();

export function watchRun(id: string): void {
  watched.add(id);
}

export function isWatched(id: string): boolean {
  return watched.has(id);
}
