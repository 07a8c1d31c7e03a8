/** Statistics computed in threads equal those computed here, in the same order; a thread that dies is reported. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SummaryRow, summarise } from '../../../src/posterior/summary.ts';
import {
  openSummaryDesk,
  prepareSummaryThreads,
  type SummaryDesk,
  startSummaryThreads,
} from '../../../src/service/results/summary-threads.ts';
import { seededRng } from '../../support/seeded-rng.ts';

/** Of this process. */
const listThreads = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

let desk: SummaryDesk | null = null;
afterEach(async () => {
  vi.useRealTimers();
  await desk?.end();
  desk = null;
});

function makeDraws(numVariables: number, length = 100) {
  const rng = seededRng(5);
  return Array.from({ length: numVariables }, (_, i) => ({
    variable: `x[${i + 1}]`,
    chains: [0, 1, 2].map((shift) =>
      Float64Array.from({ length }, () => rng.normal() + shift * (i % 2)),
    ),
  }));
}

describe('threads', () => {
  it.each([1, 2, 7])('return the rows of %i variables in order', async (numVariables) => {
    const expected = summarise(makeDraws(numVariables));
    desk = startSummaryThreads(2);
    expect(await desk.summarise(makeDraws(numVariables))).toEqual(expected);
  });

  it('accept several requests at once', async () => {
    const three = startSummaryThreads(3);
    desk = three;
    const answers = await Promise.all([5, 1, 9].map((count) => three.summarise(makeDraws(count))));
    expect(answers.map((rows) => rows.length)).toEqual([5, 1, 9]);
    expect(answers[2]).toEqual(summarise(makeDraws(9)));
  });

  it('leave the event loop free while they summarise many draws', async () => {
    desk = openSummaryDesk(600_000, 1);
    let isDone = false;
    let turns = 0;
    const rows = desk.summarise(makeDraws(1, 200_000)).then((answer: SummaryRow[]) => {
      isDone = true;
      return answer;
    });
    while (!isDone) {
      turns += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    // One variable here would be one turn.
    expect(turns).toBeGreaterThan(10);
    expect(await rows).toHaveLength(1);
  });

  it('that end reject waiting and later requests', async () => {
    desk = startSummaryThreads(1);
    const waiting = desk.summarise(makeDraws(2));
    await desk.end();
    await expect(waiting).rejects.toThrow('ended');
    await expect(desk.summarise(makeDraws(1))).rejects.toThrow('ended');
  });
});

describe('many variables of few draws', () => {
  const open = () => openSummaryDesk(4000, 1000);

  it('are summarised by threads that the next run reuses', async () => {
    const [first, beside] = [open(), open()];
    const expected = summarise(makeDraws(5));
    expect(await first.summarise(makeDraws(5))).toEqual(expected);
    const began = listThreads();
    expect(began).toBeGreaterThan(0);
    await first.end();
    // ending one twice does not end another
    await first.end();
    expect(await beside.summarise(makeDraws(5))).toEqual(expected);
    await beside.end();
    desk = open();
    expect(await desk.summarise(makeDraws(5))).toEqual(expected);
    expect(listThreads()).toBe(began);
  });

  it('get new threads after one has failed', async () => {
    const broken = open();
    // a thread that receives unreadable input stops
    const failed = broken.summarise([{ variable: 'x', chains: null } as never]);
    await expect(failed).rejects.toThrow();
    await broken.end();
    desk = open();
    expect(await desk.summarise(makeDraws(2))).toEqual(summarise(makeDraws(2)));
  });
});

describe('prepared threads', () => {
  const HOUR_MS = 3_600_000;
  let started = 0;
  const count = () => {
    started += 1;
  };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    started = 0;
    subscribe('worker_threads', count);
  });
  afterEach(() => unsubscribe('worker_threads', count));

  /** How many threads start for a summary. */
  async function startsFor(numVariables: number): Promise<number> {
    const before = started;
    desk = openSummaryDesk(4000, 1000);
    const rows = await desk.summarise(makeDraws(numVariables));
    expect(rows).toEqual(summarise(makeDraws(numVariables)));
    await desk.end();
    return started - before;
  }

  it('serve every later summary until they are ended', async () => {
    // Threads of an earlier summary become prepared ones.
    await startsFor(1);
    const endAll = await prepareSummaryThreads();
    expect(await startsFor(5)).toBe(0);
    vi.advanceTimersByTime(HOUR_MS);
    expect(await startsFor(2)).toBe(0);
    await endAll();
    await endAll();
    expect(await startsFor(2)).toBeGreaterThan(0);
  });

  it('are the only ones that stay', async () => {
    const endAll = await prepareSummaryThreads();
    await endAll();
    expect(await startsFor(1)).toBeGreaterThan(0);
    vi.advanceTimersByTime(HOUR_MS);
    expect(await startsFor(1)).toBeGreaterThan(0);
  });
});

it('few draws are summarised without threads', async () => {
  desk = openSummaryDesk(1000, 3);
  expect(await desk.summarise(makeDraws(3))).toEqual(summarise(makeDraws(3)));
});
