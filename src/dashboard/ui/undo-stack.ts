/** What Ctrl+Z can undo: the actions whose notice offers *Undo*, the last one first. */
export interface Undoable {
  readonly run: () => void;
}

/** Older ones are forgotten. */
const mostKept = 20;
let acts: readonly Undoable[] = [];

export function pushUndo(act: Undoable): void {
  acts = [...acts, act].slice(-mostKept);
}

/** It was undone with its own button. */
export function dropUndo(act: Undoable): void {
  acts = acts.filter((one) => one !== act);
}

/** Undoes the last action; false when there is none. */
export function undoLast(): boolean {
  const last = acts.at(-1);
  if (last === undefined) return false;
  dropUndo(last);
  last.run();
  return true;
}

/** For another user, or none. */
export function clearUndo(): void {
  acts = [];
}
