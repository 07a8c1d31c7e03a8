/** Memory is released after an answer, and not before it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { releaseMemorySoon } from '../../src/service/release-memory.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('memory is released once for all requests within a second, and again for a later one', () => {
  releaseMemorySoon();
  releaseMemorySoon();
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(999);
  releaseMemorySoon();
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(vi.getTimerCount()).toBe(0);
  releaseMemorySoon();
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(vi.getTimerCount()).toBe(0);
});
