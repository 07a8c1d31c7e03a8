// Runs in a window.
/** The label that counts seconds renders itself alone: the page of a run does not follow each tick of a clock. */
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { installBrowserParts } from '../../support/browser-parts.ts';
import { FakeRun } from '../../support/fake-run.ts';
import { FakeRunServer } from '../../support/fake-run-server.ts';
import { renderApp } from '../../support/render-app.tsx';

const renders = vi.hoisted(() => ({ strip: 0, verdict: 0 }));
vi.mock(
  import('../../../src/dashboard/features/experiment/run/chain-strip.tsx'),
  async (original) => {
    const actual = await original();
    return {
      ...actual,
      ChainStrip: (props) => {
        renders.strip++;
        return actual.ChainStrip(props);
      },
    };
  },
);
vi.mock(
  import('../../../src/dashboard/features/experiment/page/verdict-line.tsx'),
  async (original) => {
    const actual = await original();
    return {
      ...actual,
      VerdictLine: (props) => {
        renders.verdict++;
        return actual.VerdictLine(props);
      },
    };
  },
);

beforeAll(
  () => import('../../../src/dashboard/features/experiment/page/experiment-page.tsx'),
  60_000,
);
afterEach(() => vi.useRealTimers());

it('the live line counts ten seconds without rendering the strip or verdict', async () => {
  // The clock and the label's interval are frozen; requests and what they wait for continue.
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const run = new FakeRun();
  run.advance(60);
  const server = new FakeRunServer({ runs: [run] });
  renderApp(server, `/experiments/${run.id}`);
  installBrowserParts();
  const label = await waitFor(() => screen.getByText('Live, updated just now'), {
    timeout: 10_000,
  });
  await waitFor(() => expect(renders.strip).toBeGreaterThan(0));
  // The first answers are rendered by the first tick at the latest.
  act(() => {
    vi.advanceTimersByTime(1000);
  });
  const before = { ...renders };
  for (let second = 2; second <= 10; second++) {
    act(() => {
      vi.advanceTimersByTime(1000);
    });
    if (second > 2) expect(label.textContent).toBe(`Updated ${second} s ago`);
  }
  expect(renders).toEqual(before);
});
