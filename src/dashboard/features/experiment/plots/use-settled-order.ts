/** The order of variables in the tree and the traces. */
import { useMemo, useState } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { VariableOrder } from '../run/variable-groups.ts';

/**
 * Rows in the requested order. While a run continues, the worst-first order is frozen as first found, so that no plot
 * moves while the user reads; its numbers are always the newest. Once the run has ended, the rows are sorted by the
 * numbers that they show, even if the last summary arrives after the end.
 */
export function useSettledOrder(
  rows: readonly SummaryRow[],
  order: VariableOrder,
  isLive: boolean,
) {
  const [held, setHeld] = useState<{ key: string; names: readonly string[] }>(noOrder);
  const worst = useMemo(() => rows.toSorted((a, b) => (b.rhat ?? 0) - (a.rhat ?? 0)), [rows]);
  const hasRhat = rows.some((row) => row.rhat !== null);
  const key = `${rows.length} ${hasRhat}`;
  if (isLive && order === 'worst' && held.key !== key)
    setHeld({ key, names: worst.map((row) => row.variable) });
  const settled = useMemo(() => {
    if (order === 'model') return rows;
    if (!isLive) return worst;
    const byName = new Map(rows.map((row) => [row.variable, row]));
    return held.names.flatMap((name) => byName.get(name) ?? []);
  }, [rows, worst, order, isLive, held]);
  const isStale = isLive && settled !== rows && settled.some((row, i) => row !== worst[i]);
  return { settled, onSortAgain: isStale ? () => setHeld(noOrder) : undefined };
}

const noOrder = { key: '', names: [] };
