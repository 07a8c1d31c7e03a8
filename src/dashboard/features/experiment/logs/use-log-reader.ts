/** A reader's view of a log: its end or one of its lines, the lines of a level, the matches of a search. */

import { useState } from 'react';
import { itemAt } from '../../../../shared/items.ts';
import type { LogPages } from './log-pages.ts';
import { type LevelChoice, useFilteredLog, useLogSearch } from './use-log.ts';

/** Byte offset of the line to show, with a number that increases to show it again. */
export interface LogTarget {
  readonly offset: number;
  readonly turn: number;
}

export type LogReader = ReturnType<typeof useLogReader>;

/** `line` is 1 + the byte where the address's line begins; 0 = none, so the end is followed. */
export function useLogReader(pages: LogPages, line: number) {
  const place = useLogPlace(pages, line);
  const [level, setLevel] = useState<LevelChoice>('all');
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const search = useLogSearch(pages, text);
  const filtered = useFilteredLog(pages, pages.size, level);
  const { matches } = search;
  const [seen, setSeen] = useState(matches);
  if (matches !== seen) {
    setSeen(matches);
    setAt(0);
    const first = matches?.[0];
    if (first !== undefined) place.show(first);
  }
  const step = (by: number) => {
    if (matches === null || matches.length === 0) return;
    const next = (at + by + matches.length) % matches.length;
    setAt(next);
    setLevel('all');
    place.leaveFor(itemAt(matches, next));
  };
  return { ...place, level, setLevel, text, setText, at, search, filtered, step };
}

function useLogPlace(pages: LogPages, line: number) {
  const [following, setFollowing] = useState(line === 0);
  const [linesAtPause, setLinesAtPause] = useState(0);
  // A link to a line scrolls there.
  const [target, setTarget] = useState<LogTarget | null>(
    line > 0 ? { offset: line - 1, turn: 0 } : null,
  );
  const follow = (on: boolean) => {
    if (following && !on) setLinesAtPause(pages.lines);
    setFollowing(on);
  };
  const show = (offset: number) => {
    setFollowing(false);
    setTarget((before) => ({ offset, turn: (before?.turn ?? 0) + 1 }));
  };
  const leaveFor = (offset: number) => {
    setLinesAtPause(pages.lines);
    show(offset);
  };
  const numNew = Math.max(0, pages.lines - linesAtPause);
  return { following, follow, target, show, leaveFor, numNew };
}
