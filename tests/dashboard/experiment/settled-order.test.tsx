// Runs in a window.
/** "Worst R-hat first" sorts by the numbers shown: the order is held during a run, and right once it has ended. */
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useSettledOrder } from '../../../src/dashboard/features/experiment/plots/use-settled-order.ts';
import { createRow } from '../../support/summary-rows.ts';

afterEach(cleanup);

const rowsOf = (rhats: Readonly<Record<string, number>>) =>
  Object.entries(rhats).map(([variable, rhat]) => createRow({ variable, rhat }));
const early = rowsOf({ mu: 1.02, tau: 1.01, lp__: 1.001 });
const late = rowsOf({ mu: 1.001, tau: 1.007, lp__: 1.01 });

function show(rows = early, isLive = true) {
  const hook = renderHook((props) => useSettledOrder(props.rows, 'worst', props.isLive), {
    initialProps: { rows, isLive },
  });
  return { ...hook, names: () => hook.result.current.settled.map((row) => row.variable) };
}

it('a sorted table keeps its order while draws arrive, with the newest numbers, until sorted again', () => {
  const { names, result, rerender } = show();
  expect(names()).toEqual(['mu', 'tau', 'lp__']);
  expect(result.current.onSortAgain).toBeUndefined();
  rerender({ rows: late, isLive: true });
  expect(names()).toEqual(['mu', 'tau', 'lp__']);
  expect(result.current.settled[0].rhat).toBe(1.001);
  act(() => result.current.onSortAgain?.());
  expect(names()).toEqual(['lp__', 'tau', 'mu']);
  expect(result.current.onSortAgain).toBeUndefined();
});

it('a sorted table uses the last numbers, even if they arrive after the end', () => {
  const { names, result, rerender } = show();
  rerender({ rows: early, isLive: false });
  expect(names()).toEqual(['mu', 'tau', 'lp__']);
  rerender({ rows: late, isLive: false });
  expect(names()).toEqual(['lp__', 'tau', 'mu']);
  expect(result.current.onSortAgain).toBeUndefined();
});
