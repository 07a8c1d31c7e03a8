/** The longest task of a page's main thread, in wall time and in processor time, which other programs do not lengthen. */
import type { Browser, Page } from 'playwright-core';

export interface LongestTask {
  /** Milliseconds, of the task that took the longest. */
  readonly clock: number;
  /** Milliseconds, of the task that needed the most. */
  readonly processor: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Records the page during `work`. */
export async function longestTask(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<LongestTask> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString('utf8')) as {
    traceEvents: TraceEvent[];
  };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = trace.traceEvents.filter(
    (event) => event.ph === 'X' && event.name.endsWith('RunTask') && main.has(threadOf(event)),
  );
  const most = (values: number[]) => Math.max(0, ...values) / 1000;
  return {
    clock: most(tasks.map(({ dur = 0 }) => dur)),
    processor: most(tasks.map(({ tdur = 0 }) => tdur)),
  };
}
