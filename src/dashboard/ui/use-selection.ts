/** The selected rows of a list: one by one, all, or a range with Shift; by mouse and by keyboard. */
import { type KeyboardEvent, type MouseEvent, useMemo, useRef, useState } from 'react';

export interface Selection<T> {
  /** The selected rows, in their order. */
  readonly chosen: readonly T[];
  readonly has: (id: string) => boolean;
  readonly setAll: (isSelected: boolean) => void;
  /** Selects these and no others. */
  readonly setIds: (ids: readonly string[]) => void;
  /** For the box of one row: a click or Space changes it, with Shift everything since the previous one; arrows move. */
  readonly boxProps: (id: string) => {
    readonly checked: boolean;
    readonly onChange: () => void;
    readonly onClick: (event: MouseEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  };
}

/** Selected rows that are no longer shown are ignored. */
export function useSelection<T>(rows: readonly T[], idOf: (row: T) => string): Selection<T> {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  /** Where a range begins: the box that was changed last. */
  const anchor = useRef<string | null>(null);
  const isShift = useRef(false);
  const chosen = useMemo(
    () => rows.filter((row) => selected.has(idOf(row))),
    [rows, selected, idOf],
  );
  const toggle = (id: string) => {
    const isSelected = !selected.has(id);
    const ids = rows.map((row) => idOf(row));
    const start = isShift.current && anchor.current !== null ? ids.indexOf(anchor.current) : -1;
    const end = ids.indexOf(id);
    const range = start === -1 ? [id] : ids.slice(Math.min(start, end), Math.max(start, end) + 1);
    const next = new Set(selected);
    for (const one of range) {
      if (isSelected) next.add(one);
      else next.delete(one);
    }
    anchor.current = id;
    isShift.current = false;
    setSelected(next);
  };
  return {
    chosen,
    has: (id) => selected.has(id),
    setAll: (isSelected) => setSelected(new Set(isSelected ? rows.map((row) => idOf(row)) : [])),
    setIds: (ids) => setSelected(new Set(ids)),
    boxProps: (id) => ({
      checked: selected.has(id),
      onChange: () => toggle(id),
      // The click precedes the change; a change by key does not report Shift in every browser.
      onClick: (event) => {
        isShift.current ||= event.shiftKey;
      },
      onKeyDown: (event) => {
        isShift.current = event.key === ' ' && event.shiftKey;
        if (event.key === 'ArrowDown') moveFocus(event, 1);
        else if (event.key === 'ArrowUp') moveFocus(event, -1);
      },
    }),
  };
}

/** To the box of the next or the previous row. */
function moveFocus(event: KeyboardEvent<HTMLInputElement>, step: 1 | -1): void {
  const row = event.currentTarget.closest('tr');
  const next = step === 1 ? row?.nextElementSibling : row?.previousElementSibling;
  const box = next?.querySelector<HTMLInputElement>('input[type="checkbox"]');
  if (!box) return;
  event.preventDefault();
  box.focus();
}
