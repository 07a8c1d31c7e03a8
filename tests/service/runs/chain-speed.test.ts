/** The speed of a chain, from which the remaining time is computed. */
import { expect, it } from 'vitest';
import { ChainSpeed } from '../../../src/service/runs/chain-speed.ts';

it('the speed of a chain is that of the last few seconds', () => {
  const speed = new ChainSpeed();
  expect(speed.report(100, 0)).toBeNull();
  expect(speed.report(600, 500)).toBe(1000);
  expect(speed.report(1100, 1000)).toBe(1000);
  // slower from here on: older reports stop counting
  for (let at = 1500; at <= 5000; at += 500) speed.report(1100 + (at - 1000) / 10, at);
  expect(speed.report(1550, 5500)).toBeCloseTo(100, 6);
});

it('the speed of a chain does not rise when delayed reports arrive together', () => {
  const speed = new ChainSpeed();
  const seen: (number | null)[] = [];
  // 5 000 a second, but the reports of each second arrive within four milliseconds
  for (let second = 1; second <= 6; second++)
    for (let part = 1; part <= 4; part++)
      seen.push(speed.report((second - 1) * 5000 + part * 1250, second * 1000 + part));
  const rates = seen.flatMap((rate) => rate ?? []);
  expect(rates.length).toBeGreaterThan(15);
  expect(Math.max(...rates)).toBeLessThan(10_000);
  expect(rates.at(-1)).toBeCloseTo(5000, -2);
});
