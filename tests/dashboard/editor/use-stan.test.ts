// Runs in a window.
/** The language service as a page uses it: files of a tree in, problems and answers out, while the page is mounted. */
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fromContent } from '../../../src/dashboard/editor/file-tree.ts';
import type { StanFiles } from '../../../src/dashboard/editor/stan-service.ts';
import { stanFilesOf, useDataCheck, useStan } from '../../../src/dashboard/editor/use-stan.ts';
import { FakeWorker } from './fake-worker.ts';
import { sampleContent } from './trees.ts';

describe('files of a tree for the language service', () => {
  it('are its texts, and the entrance where it is Stan', () => {
    const { texts, entrance } = stanFilesOf(fromContent(sampleContent()));
    expect([...texts]).toEqual([
      ['model/main.stan', 'parameters { real x; }\n'],
      ['model/part.stan', 'real y;\n'],
      ['README.md', '# Read\r\nme'],
    ]);
    expect(entrance).toBe('model/main.stan');
    const other = { ...sampleContent(), meta: { entrance_file: 'README.md' } };
    expect(stanFilesOf(fromContent(other)).entrance).toBeNull();
    expect(stanFilesOf(fromContent({ tree: [] })).entrance).toBeNull();
  });

  it('exclude files of more than a million characters', () => {
    const file = (name: string, length: number) => ({
      name,
      type: 'file' as const,
      content: 'x'.repeat(length),
      encoding: 'text' as const,
    });
    const tree = [file('a', 1_000_000), file('b', 1_000_001)];
    expect([...stanFilesOf(fromContent({ tree })).texts.keys()]).toEqual(['a']);
  });
});

describe('a page with the language service', () => {
  let workers: FakeWorker[] = [];
  beforeEach(() => {
    workers = [];
    vi.useFakeTimers();
    vi.stubGlobal(
      'Worker',
      class extends FakeWorker {
        constructor() {
          super();
          workers.push(this);
        }
      },
    );
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const files = (text: string): StanFiles => ({
    texts: new Map([['a.stan', text]]),
    entrance: 'a.stan',
  });
  const sent = () => workers.flatMap((worker) => worker.sent.map(({ name, ask }) => [name, ask]));
  /** Answers the newest question. */
  const answer = (value: unknown) =>
    act(async () => {
      const worker = workers.at(-1) as FakeWorker;
      worker.answer({ id: worker.sent.at(-1)?.id ?? 0, ok: true, answer: value });
      await vi.advanceTimersByTimeAsync(0);
    });
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const problems = { problems: [], milliseconds: 1 };

  it('sends its files, gets the problems found, and stops the worker at its end', async () => {
    const { result, rerender, unmount } = renderHook((given: StanFiles | null) => useStan(given), {
      initialProps: null,
    } as { initialProps: StanFiles | null });
    expect([sent(), result.current.checked]).toEqual([[], null]);
    rerender(files('1'));
    await answer(problems);
    expect(result.current.checked).toEqual(problems);
    rerender(files('2'));
    expect(sent().map(([, ask]) => (ask as { changed: object }).changed)).toEqual([
      { 'a.stan': '1' },
      { 'a.stan': '2' },
    ]);
    unmount();
    expect(workers.map(({ isStopped }) => isStopped)).toEqual([true]);
  });

  it('has the data checked once they and the program stop changing', async () => {
    const { result, rerender } = renderHook(
      ({ given, text, fmt }: { given: StanFiles | null; text: string | null; fmt?: string }) => {
        const stan = useStan(given);
        return useDataCheck(stan, given, text, fmt);
      },
      {
        initialProps: { given: files('1'), text: '{}' } as {
          given: StanFiles | null;
          text: string | null;
          fmt?: string;
        },
      },
    );
    await wait(1000);
    expect(sent().map(([name]) => name)).toEqual(['files']);
    await answer(problems);
    await wait(119);
    expect(sent()).toHaveLength(1);
    await wait(1);
    expect(sent().at(-1)).toEqual(['data', { text: '{}', fmt: 'json' }]);
    expect(result.current).toBeNull();
    await answer({ state: 'no-program' });
    expect(result.current).toEqual({ state: 'no-program' });

    const given = files('1');
    rerender({ given, text: '{"a": 1}' });
    expect(result.current).toBeNull();
    await wait(60);
    rerender({ given, text: 'a', fmt: 'csv' });
    await wait(120);
    expect(sent().slice(2)).toEqual([['data', { text: 'a', fmt: 'csv' }]]);
    // an answer for data that are no longer there is not shown
    rerender({ given, text: null });
    await answer({ state: 'broken-program' });
    await wait(1000);
    expect(sent()).toHaveLength(3);
    rerender({ given, text: 'a', fmt: 'csv' });
    expect(result.current).toBeNull();
    rerender({ given: null, text: 'a', fmt: 'csv' });
    await wait(1000);
    expect(sent()).toHaveLength(3);
  });
});
