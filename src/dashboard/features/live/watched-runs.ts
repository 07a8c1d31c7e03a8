/** Runs that were looked at in this tab while they went on: so their end is worth a notice when nobody looks. */
const watched = new Set<string>();

export function watchRun(id: string): void {
  watched.add(id);
}

export function isWatched(id: string): boolean {
  return watched.has(id);
}
