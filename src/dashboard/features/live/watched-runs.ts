/** Runs viewed in this tab while they were running: their end is worth a notification when they are out of view. */
const watched = new Set<string>();

export function watchRun(id: string): void {
  watched.add(id);
}

export function isWatched(id: string): boolean {
  return watched.has(id);
}
