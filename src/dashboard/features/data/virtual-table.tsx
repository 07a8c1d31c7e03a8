/** A table of any size: only the cells in view are requested and rendered. */
import { type CSSProperties, type UIEvent, useEffect, useRef, useState } from 'react';
import classes from './virtual-table.module.css';

export interface VirtualTableProps {
  readonly label: string;
  readonly numRows: number;
  readonly columns: readonly string[];
  /** Cells of rows `[from, to)` and columns `[from, to)`. */
  readonly load: (
    rows: readonly [number, number],
    columns: readonly [number, number],
  ) => Promise<string[][]>;
}

const rowHeight = 28;
const columnWidth = 120;
const indexWidth = 80;
/** Browsers lose precision in taller elements. */
const tallest = 8_000_000;
const pageRows = 100;
const pageColumns = 40;
/** Number of cached pages: recently seen ones reappear immediately. */
const keptPages = 60;

interface View {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Remount it (by `key`) for another table. */
export function VirtualTable({ label, numRows, columns, load }: VirtualTableProps) {
  const { host, view, onScroll } = useView();
  const full = numRows * rowHeight;
  const height = Math.min(full, tallest);
  const bodyHeight = Math.max(view.height - rowHeight, rowHeight);
  // If the table is taller than an element may be, a pixel of the scroll bar stands for more than one.
  const ratio = height > bodyHeight ? (full - bodyHeight) / (height - bodyHeight) : 1;
  const first = Math.max(0, Math.floor((view.top * ratio) / rowHeight) - 2);
  const last = Math.min(numRows, Math.ceil((view.top * ratio + bodyHeight) / rowHeight) + 2);
  const firstColumn = Math.max(0, Math.floor(view.left / columnWidth) - 1);
  const lastColumn = Math.min(
    columns.length,
    Math.ceil((view.left + view.width) / columnWidth) + 1,
  );
  const cellOf = useCells(
    load,
    spanOf(first, last, pageRows),
    spanOf(firstColumn, lastColumn, pageColumns),
  );
  const width = indexWidth + columns.length * columnWidth;
  const rows = range(first, last);
  const shownColumns = range(firstColumn, lastColumn);
  const at = (column: number): CSSProperties => ({ left: indexWidth + column * columnWidth });
  return (
    <div
      ref={host}
      className={classes.table}
      role="table"
      aria-label={label}
      aria-rowcount={numRows + 1}
      aria-colcount={columns.length + 1}
      // a scrolling region must be reachable by keyboard
      tabIndex={0}
      onScroll={onScroll}
    >
      <div role="rowgroup" className={classes.head} style={{ width }}>
        <div role="row" aria-rowindex={1}>
          <span role="columnheader" aria-colindex={1} className={classes.index}>
            <span className="visually-hidden">Row</span>
          </span>
          {shownColumns.map((column) => (
            <span
              key={column}
              role="columnheader"
              aria-colindex={column + 2}
              style={at(column)}
              title={columns[column]}
            >
              {columns[column]}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={classes.body} style={{ width, height }}>
        {rows.map((row) => (
          <div
            key={row}
            role="row"
            aria-rowindex={row + 2}
            style={{ top: row * rowHeight - view.top * (ratio - 1) }}
          >
            <span role="rowheader" aria-colindex={1} className={classes.index}>
              {row + 1}
            </span>
            {shownColumns.map((column) => (
              <span key={column} role="cell" aria-colindex={column + 2} style={at(column)}>
                {cellOf(row, column)}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The part of the table visible in its scrolling element. */
function useView() {
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ top: 0, left: 0, width: 960, height: 420 });
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const look = () => setView(viewOf(element));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const onScroll = (event: UIEvent<HTMLDivElement>) => setView(viewOf(event.currentTarget));
  return { host, view, onScroll };
}

function viewOf(element: HTMLElement): View {
  const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight: height } = element;
  return { top, left, width: width || 960, height: height || 420 };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

/** Pages `[from, to)` of rows or columns. */
type Span = readonly [from: number, to: number];

const spanOf = (first: number, last: number, size: number): Span => [
  Math.floor(first / size),
  Math.ceil(last / size),
];

/** Pages of cells, each loaded when one of its cells is in view; `…` until then. */
function useCells(
  load: VirtualTableProps['load'],
  [fromY, toY]: Span,
  [fromX, toX]: Span,
): (row: number, column: number) => string {
  const [pages, setPages] = useState<ReadonlyMap<string, string[][]>>(() => new Map());
  const asked = useRef(new Set<string>());
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });
  useEffect(() => {
    for (const y of range(fromY, toY)) {
      for (const x of range(fromX, toX)) {
        const key = `${y}:${x}`;
        if (asked.current.has(key)) continue;
        asked.current.add(key);
        latest
          .current([y * pageRows, (y + 1) * pageRows], [x * pageColumns, (x + 1) * pageColumns])
          .then(
            (cells) =>
              setPages((before) => {
                const after = new Map(before).set(key, cells);
                const [oldest] = after.keys();
                if (after.size > keptPages && oldest !== undefined) {
                  after.delete(oldest);
                  asked.current.delete(oldest);
                }
                return after;
              }),
            () => asked.current.delete(key),
          );
      }
    }
  }, [fromY, toY, fromX, toX]);
  return (row, column) => {
    const page = pages.get(`${Math.floor(row / pageRows)}:${Math.floor(column / pageColumns)}`);
    return page === undefined ? '…' : (page[row % pageRows]?.[column % pageColumns] ?? '');
  };
}
