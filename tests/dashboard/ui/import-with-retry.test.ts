// Runs in a window.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { importWithRetry } from '../../../src/dashboard/ui/import-with-retry.ts';

afterEach(() => vi.restoreAllMocks());

const failing = (times: number, words = 'Failed to fetch dynamically imported module') => {
  let left = times;
  return vi.fn(async () => {
    left -= 1;
    if (left >= 0) throw new Error(words);
    return 'the chunk';
  });
};

describe('a lazy chunk', () => {
  it('is asked for again until it is there', async () => {
    const waits: number[] = [];
    const load = failing(3);
    const wait = async (ms: number) => void waits.push(ms);
    expect(await importWithRetry(load, wait)).toBe('the chunk');
    expect(load).toHaveBeenCalledTimes(4);
    expect(waits).toEqual([500, 1000, 2000]);
  });

  it('is given up if it is missing, but never while the browser is offline', async () => {
    await expect(importWithRetry(failing(1000), async () => {})).rejects.toThrow('Failed to fetch');
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    expect(await importWithRetry(failing(100), async () => {})).toBe('the chunk');
  });

  it('gets a lost style sheet separately, since the loader requests it only once', async () => {
    const added: string[] = [];
    vi.spyOn(document.head, 'append').mockImplementation((link) => {
      added.push((link as HTMLLinkElement).href);
      queueMicrotask(() => (link as HTMLLinkElement).onload?.(new Event('load')));
    });
    const load = failing(1, 'Unable to preload CSS for http://x.test/a.css');
    expect(await importWithRetry(load, async () => {})).toBe('the chunk');
    expect(added).toEqual(['http://x.test/a.css']);
  });
});
