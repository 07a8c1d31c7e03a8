/** The lines of a log; only those in view are mounted. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { LineText, levelOf } from './log-line.tsx';
import type { LogLine, LogPages } from './log-pages.ts';
import classes from './logs.module.css';
import type { LogTarget } from './use-log-reader.ts';

const rowHeight = 20;

export interface LogViewProps {
  readonly pages: LogPages;
  /** Changes with the rows. */
  readonly version: number;
  /** Shown instead of all rows. */
  readonly filtered: readonly LogLine[] | null;
  readonly wrap: boolean;
  readonly search: string;
  /** Keep the end in view. */
  readonly following: boolean;
  /** Called when a reader leaves the end or returns to it. */
  readonly onFollow: (following: boolean) => void;
  readonly target: LogTarget | null;
  readonly linkOf: (offset: number) => string;
  readonly onLink: (offset: number) => void;
  readonly onProblem: () => void;
}

export function LogView(props: LogViewProps) {
  const { pages, filtered, wrap, search, following, onFollow, target } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useLogRows(props, scroller);
  const count = countOf(props);
  return (
    <div
      ref={scroller}
      className={classes.log}
      data-wrap={wrap || undefined}
      // A short log does not need a tall box.
      style={wrap ? undefined : { maxHeight: count * rowHeight + 24 }}
      // a scrolling region must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label="Log text"
      onWheel={(event) => event.deltaY < 0 && onFollow(false)}
      onKeyDown={(event) => {
        if (['ArrowUp', 'PageUp', 'Home'].includes(event.key)) onFollow(false);
        if (event.key === 'End') onFollow(true);
      }}
      onScroll={(event) => {
        const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
        const isAtEnd = scrollHeight - scrollTop - clientHeight < 2 * rowHeight;
        if (isAtEnd !== following) onFollow(isAtEnd);
      }}
    >
      <div className={classes.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const line = filtered === null ? pages.line(item.index) : filtered[item.index];
          return (
            <Row
              key={item.key}
              ref={wrap ? virtual.measureElement : undefined}
              index={item.index}
              top={item.start}
              line={line ?? null}
              search={search}
              isTarget={line !== null && line?.offset === target?.offset}
              linkOf={props.linkOf}
              onLink={props.onLink}
            />
          );
        })}
      </div>
    </div>
  );
}

function countOf({ pages, filtered }: LogViewProps): number {
  return filtered === null ? pages.numRows : filtered.length;
}

/** Mounts the rows in view, fetches their pages, and scrolls to the end or to the target. */
function useLogRows(props: LogViewProps, scroller: React.RefObject<HTMLDivElement | null>) {
  const { pages, version, filtered, wrap, following, target, onProblem } = props;
  const count = countOf(props);
  // oxlint-disable-next-line react/incompatible-library -- no compiler caches what it returns here
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 20,
    initialRect: { width: 800, height: 600 },
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const problem = useRef(onProblem);
  useLayoutEffect(() => {
    problem.current = onProblem;
  });
  const isAll = filtered === null;
  // a new version may have other pages for the same rows
  useEffect(() => {
    if (!isAll) return;
    const control = new AbortController();
    pages.want(first, last, control.signal).catch(() => {
      if (!control.signal.aborted) problem.current();
    });
    return () => control.abort();
  }, [pages, first, last, isAll, version]);

  useKeptPlace({ pages, version, scroller, isAll: isAll && !following && !wrap });
  // new lines move the end
  useLayoutEffect(() => {
    if (following && count > 0) virtual.scrollToIndex(count - 1, { align: 'end' });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the virtualizer is another object at each render
  }, [following, count, version, wrap]);
  // scroll to a target once, not whenever rows change
  useEffect(() => {
    if (target === null) return;
    const control = new AbortController();
    pages.rowOfOffset(target.offset, control.signal).then(
      (row) => control.signal.aborted || virtual.scrollToIndex(row, { align: 'center' }),
      () => control.signal.aborted || problem.current(),
    );
    return () => control.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the virtualizer is another object at each render
  }, [target, pages]);
  return virtual;
}

interface RowProps {
  readonly ref?: React.Ref<HTMLDivElement>;
  readonly index: number;
  readonly top: number;
  readonly line: LogLine | null;
  readonly search: string;
  readonly isTarget: boolean;
  readonly linkOf: (offset: number) => string;
  readonly onLink: (offset: number) => void;
}

function Row({ ref, index, top, line, search, isTarget, linkOf, onLink }: RowProps) {
  const level = line === null ? 'info' : levelOf(line.text);
  const number = line === null ? '' : `${line.isExact ? '' : '≈'}${line.row + 1}`;
  return (
    <div
      ref={ref}
      data-index={index}
      className={classes.row}
      data-level={level}
      data-target={isTarget || undefined}
      style={{ transform: `translateY(${top}px)` }}
    >
      {line === null ? (
        <span className={classes.number} />
      ) : (
        <a
          className={classes.number}
          href={linkOf(line.offset)}
          aria-label={`Link to line ${number}`}
          tabIndex={-1}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onLink(line.offset);
          }}
        >
          {/* Drawn with CSS, so that only the line itself is read aloud or copied. */}
          <span aria-hidden="true" data-number={number} />
        </a>
      )}
      {level !== 'info' && <span className={classes.level}>{level}</span>}
      <span className={classes.text}>
        {line === null ? '…' : <LineText text={line.text} search={search} />}
      </span>
    </div>
  );
}

/** Keeps the top line in place while counts above it become exact. */
function useKeptPlace({
  pages,
  version,
  scroller,
  isAll,
}: {
  pages: LogPages;
  version: number;
  scroller: React.RefObject<HTMLDivElement | null>;
  isAll: boolean;
}) {
  const kept = useRef<{ place: { page: number; index: number }; row: number } | null>(null);
  // only a new version moves rows
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const before = kept.current;
    if (isAll && before !== null) {
      const moved = pages.rowAt(before.place) - before.row;
      if (moved !== 0) box.scrollBy(0, moved * rowHeight);
    }
    const keep = () => {
      const row = Math.floor(box.scrollTop / rowHeight);
      kept.current = { place: pages.placeOf(row), row };
    };
    keep();
    box.addEventListener('scroll', keep, { passive: true });
    return () => box.removeEventListener('scroll', keep);
  }, [pages, version, scroller, isAll]);
}
