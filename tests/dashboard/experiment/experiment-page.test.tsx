// Runs in a window.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { installBrowserParts, settle } from '../../support/browser-parts.ts';
import { drawn } from '../../support/fake-plotly.ts';
import { FakeRun, type FakeRunOptions } from '../../support/fake-run.ts';
import { FakeRunServer, type FakeRunServerOptions } from '../../support/fake-run-server.ts';
import { quickenPolls } from '../../support/quick-polls.ts';
import { renderApp } from '../../support/render-app.tsx';

quickenPolls();

// Loaded once, so that the first test need not wait for what pages load on opening.
beforeAll(async () => {
  await Promise.all([
    import('../../../src/dashboard/features/experiment/plots/traces-tab.tsx'),
    import('../../../src/dashboard/features/experiment/summary/summary-tab.tsx'),
    import('../../../src/dashboard/features/experiment/page/experiment-page.tsx'),
    import('../../../src/dashboard/plots/figure-request.ts'),
  ]);
}, 60_000);

let hidden = false;
beforeEach(() => {
  hidden = false;
  drawn.clear();
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() =>
    hidden ? 'hidden' : 'visible',
  );
});
afterEach(() => vi.restoreAllMocks());

function open(run: FakeRun, options: FakeRunServerOptions = {}, search = '') {
  const server = new FakeRunServer({ runs: [run], ...options });
  const page = renderApp(server, `/experiments/${run.id}${search}`);
  installBrowserParts();
  return { server, ...page };
}
const running = (options: FakeRunOptions = {}) => {
  const run = new FakeRun(options);
  run.advance(60);
  return run;
};
const numDrawn = (variable: string) =>
  (drawn.get(`Trace of ${variable}, one line per chain`) ?? [])
    .filter(({ name }) => /^Chain \d+$/.test(name))
    .map(({ x }) => x.length);
const strip = () => screen.getByRole('list', { name: 'Chains' }).textContent ?? '';
const verdict = () => screen.getByRole('region', { name: 'Verdict' }).textContent ?? '';
const aboutRun = (server: FakeRunServer) =>
  server.log.filter((line) => line.includes('X0000001') || line.includes('/api/draws'));

describe('the header of a run', () => {
  it('links to its comparison, and deletes it from the menu of more actions', async () => {
    const run = running();
    run.finish();
    const { server, user } = open(run);
    const compare = await screen.findByRole('link', { name: 'Compare' });
    expect(compare.getAttribute('href')).toBe(`/experiments/compare?ids=${run.id}`);
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'More actions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete', hidden: true }));
    await waitFor(() => expect(window.location.pathname).toBe('/experiments'));
    expect(server.log.some((line) => line.startsWith('DELETE'))).toBe(true);
    // in the words of the lists
    expect(await screen.findByText('Deleted Eight schools.')).toBeTruthy();
  });
});

describe('the page of a run that failed in its warmup', () => {
  it('has no empty plots or rows, and says why', async () => {
    const run = new FakeRun();
    run.advance(25);
    run.status = 'ERR';
    const { server, user } = open(run);
    await waitFor(() => expect(server.asked('/api/summary')).not.toEqual([]));
    await settle(server.log);
    expect(screen.getByText(/^This run ended before its first draw/)).toBeTruthy();
    expect(screen.queryByText('mu')).toBeNull();
    expect(screen.getByText(/^ended/)).toBeTruthy();
    expect(screen.queryByText(/^finished/)).toBeNull();
    // a count of 0 says nothing
    await user.click(screen.getByRole('tab', { name: 'Summary' }));
    expect(await screen.findByText(/^This run ended before its first draw/)).toBeTruthy();
    expect(screen.queryByText('mu')).toBeNull();
  });
});

describe('the page of a running run', () => {
  it('grows with the run, ends with it, and then requests nothing more', async () => {
    const run = running();
    const { server } = open(run);
    await waitFor(() => expect(numDrawn('mu')).toEqual([20, 20, 20, 20]));
    expect(screen.getByText('Running')).toBeTruthy();
    expect(verdict()).toContain('Too early to tell.');
    expect(strip()).toContain('20 of 120');

    run.advance(10);
    await waitFor(() => expect(numDrawn('mu')).toEqual([30, 30, 30, 30]));
    expect(strip()).toContain('30 of 120');

    run.finish();
    await waitFor(() => expect(screen.getByText('Finished')).toBeTruthy());
    await waitFor(() => expect(numDrawn('theta[2]')).toEqual([120, 120, 120, 120]));
    await waitFor(() => expect(verdict()).not.toContain('Too early'));
    await settle(aboutRun(server));
    const asked = aboutRun(server).length;
    await act(() => new Promise((resolve) => setTimeout(resolve, 250)));
    expect(aboutRun(server)).toHaveLength(asked);
  });

  it('requests increments of draws, never what it already has', async () => {
    const run = running();
    const { server } = open(run);
    await waitFor(() => expect(numDrawn('mu')).toEqual([20, 20, 20, 20]));
    for (let i = 0; i < 3; i++) {
      run.advance(10);
      const count = 30 + 10 * i;
      await waitFor(() => expect(numDrawn('mu')).toEqual([count, count, count, count]));
    }
    const starts = server
      .asked('phase=sampling')
      .map((line) => Number(new URL(line.slice(4), 'http://x').searchParams.get('from')));
    expect(starts).toEqual([1, 21, 31, 41]);
    const asked = server.asked('/api/draws').length;
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(server.asked('/api/draws')).toHaveLength(asked);
  });

  it('asks for nothing at all in a hidden tab, and at once on return', async () => {
    const run = running();
    const { server } = open(run);
    await waitFor(() => expect(numDrawn('mu')).toEqual([20, 20, 20, 20]));
    hidden = true;
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await settle(server.log);
    const asked = server.log.length;
    run.advance(5);
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(server.log).toHaveLength(asked);
    hidden = false;
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(numDrawn('mu')).toEqual([25, 25, 25, 25]));
  });

  it('keeps a chain’s colour when another has no draws yet', async () => {
    const run = new FakeRun();
    run.advance(60, 3);
    open(run);
    await waitFor(() => expect(numDrawn('mu')).toEqual([20]));
    const line = drawn
      .get('Trace of mu, one line per chain')
      ?.find(({ name }) => name === 'Chain 3');
    expect(line?.line?.color).toBe('#0B8473');
  });

  it('shows that it is out of date while the connection is lost, and recovers', async () => {
    const run = running();
    const { server } = open(run);
    await waitFor(() => expect(numDrawn('mu')).toEqual([20, 20, 20, 20]));
    server.trouble = 'offline';
    expect(await screen.findByText(/^Running at /)).toBeTruthy();
    expect(screen.getByText('Connection lost, trying again')).toBeTruthy();
    expect(numDrawn('mu')).toEqual([20, 20, 20, 20]);
    server.trouble = null;
    run.advance(7);
    await waitFor(() => expect(numDrawn('mu')).toEqual([27, 27, 27, 27]));
    expect(screen.queryByText(/^Running at /)).toBeNull();
    expect(screen.queryByText('Connection lost, trying again')).toBeNull();
  });

  it('leads to the sign-in page when the token expires, and keeps the address to return to', async () => {
    const { server, services } = open(running());
    await waitFor(() => expect(numDrawn('mu')).toEqual([20, 20, 20, 20]));
    server.trouble = 'unauthorized';
    expect(await screen.findByText('Sign in to Ergodic')).toBeTruthy();
    expect(services.session.credentials()).toBeNull();
    expect(window.location.search).toContain(encodeURIComponent('/experiments/X0000001'));
  });

  it('can be paused, resumed and stopped, where the server can', async () => {
    const run = running();
    const { server } = open(run);
    fireEvent.click(await screen.findByRole('button', { name: 'Pause' }));
    await waitFor(() => expect(server.objects.callsOf('updateObject')).toHaveLength(1));
    expect(server.objects.callsOf('updateObject')[0].body).toMatchObject({
      payload: { object_type: 'experiment', action: 'pause' },
    });
    run.action = 'paused';
    expect(await screen.findByRole('button', { name: 'Resume' })).toBeTruthy();
    run.action = 'stopping';
    expect(await screen.findByText('Stopping, draws are saved')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Stop and keep draws' })).toBeNull();
  });
});

describe('the page of a finished run', () => {
  const finished = (options: FakeRunOptions = {}) => new FakeRun({ status: 'FIN', ...options });

  it('is rendered from few requests and requests once what is in view', async () => {
    const { server } = open(finished());
    await waitFor(() => expect(numDrawn('tau')).toEqual([120, 120, 120, 120]));
    await settle(server.log);
    expect(aboutRun(server).map((line) => line.replace(/\?.*/, ''))).toEqual([
      'GET /api/object/X0000001',
      'GET /api/summary/X0000001',
      'GET /api/draws/X0000001',
    ]);
  });

  it('says that a good run looks converged', async () => {
    open(finished({ numSamples: 1000 }));
    await waitFor(() => expect(verdict()).toContain('Looks converged.'));
    expect(verdict()).toContain('0 divergences');
  });

  it('lists failed checks, divergences first, and links to their plots', async () => {
    open(finished({ numSamples: 400, shifts: { 2: 3 }, divergent: [[1, 9]] }));
    await waitFor(() => expect(verdict()).toContain('Not converged: do not use these draws.'));
    const buttons = within(screen.getByRole('region', { name: 'Verdict' })).getAllByRole('button');
    // The remedy is next to the sentence, the failed checks are below both.
    const [again, ...links] = buttons;
    expect(again.textContent).toBe('Run again with adapt_delta 0.95');
    expect(links[0].textContent).toBe('1 draw diverged (under 0.1\u202f%)');
    expect(links[1].textContent).toMatch(
      /^R-hat above 1\.01 in 5 of 5 variables, worst \S+ \d\.\d{3}$/,
    );
    expect(verdict()).toMatch(/1 divergence; \d checks failed, on 4 × 400 draws\./);
    fireEvent.click(
      screen.getByRole('button', { name: /^Bulk ESS below 400 in 5 of 5 variables/ }),
    );
    await waitFor(() => expect(window.location.search).toContain('tab=summary'));
    expect(window.location.search).toContain('sort=worst');
  });

  it('says that the verdict is missing when its panel fails, and keeps the rest', async () => {
    const server = new FakeRunServer({ runs: [finished()] });
    server.trouble = 'broken';
    server.troubleIn = '/api/summary';
    const { services } = renderApp(server, '/experiments/X0000001');
    services.queryClient.setDefaultOptions({ queries: { retry: false, networkMode: 'always' } });
    installBrowserParts();
    expect(await screen.findByText('The verdict could not be loaded.')).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1, name: 'Eight schools' })).toBeTruthy();
  });

  it('says that draws are missing when they fail, and fetches them on *Try again*', async () => {
    const server = new FakeRunServer({ runs: [finished()] });
    server.trouble = 'broken';
    server.troubleIn = '/api/draws';
    renderApp(server, '/experiments/X0000001');
    installBrowserParts();
    expect(await screen.findByText(/Some draws could not be loaded/)).toBeTruthy();
    server.trouble = null;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(numDrawn('mu')).toEqual([120, 120, 120, 120]));
    await waitFor(() => expect(screen.queryByText(/Some draws could not be loaded/)).toBeNull());
  });

  it('shows a variable’s plots beside the table', async () => {
    open(finished(), {}, '?tab=summary&selected=tau');
    const aside = await screen.findByRole('complementary', { name: 'Plots of tau' });
    await waitFor(() => expect(drawn.has('Density of tau, one line per chain')).toBe(true));
    fireEvent.click(within(aside).getByRole('button', { name: 'Next variable' }));
    expect(await screen.findByRole('complementary', { name: 'Plots of theta[1]' })).toBeTruthy();
    expect(window.location.search).toContain('theta');
  });

  it('opens with defaults for invalid values in the address', async () => {
    open(finished(), {}, '?tab=nonsense&sort=drop%20table&order=3&q=12');
    expect(await screen.findByText('No variable matches “12”.')).toBeTruthy();
    expect(screen.queryByText(/No variable is ticked/)).toBeNull();
    expect(screen.getByRole('tab', { name: 'Traces' }).getAttribute('aria-selected')).toBe('true');
    expect(screen.getByLabelText<HTMLInputElement>('Filter variables').value).toBe('12');
  });

  it('shows the log as text, whatever the program printed', async () => {
    const log = '\u001b[31mred\u001b[0m <img src=x onerror=alert(1)>\u0007\r\n\u202etxt.exe\n';
    const { container } = open(finished(), { log }, '?tab=logs');
    const box = await screen.findByRole('log');
    expect(await within(box).findByText('red')).toBeTruthy();
    expect(box.textContent).toBe('red <img src=x onerror=alert(1)>␇\ufffdtxt.exe');
    expect(container.querySelector('img')).toBeNull();
  });

  it('gives focus back when the share dialog closes', async () => {
    const { user } = open(finished());
    const share = await screen.findByRole('button', { name: 'Share' });
    await user.click(share);
    expect(await screen.findByText('They will not see')).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByText('They will not see')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(share));
  });
});

describe('the strip of chains', () => {
  it('highlights a chain on keyboard focus, and hides it', async () => {
    const { user } = open(new FakeRun({ status: 'FIN' }));
    await waitFor(() => expect(numDrawn('mu')).toHaveLength(4));
    const chain = within(screen.getByRole('list', { name: 'Chains' })).getAllByRole('button')[1];
    expect(chain.getAttribute('aria-pressed')).toBe('true');
    act(() => chain.focus());
    const opacities = () =>
      (drawn.get('Trace of mu, one line per chain') as unknown as { opacity: number }[]).map(
        (line) => line.opacity < 0.5,
      );
    await waitFor(() => expect(opacities()).toEqual([true, false, true, true]));
    await user.keyboard('{Enter}');
    expect(chain.getAttribute('aria-pressed')).toBe('false');
    await waitFor(() => expect(numDrawn('mu')).toHaveLength(3));
  });
});
