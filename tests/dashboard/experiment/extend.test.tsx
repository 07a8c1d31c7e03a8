// Runs in a window.
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  drawsAsked,
  isExtendable,
} from '../../../src/dashboard/features/experiment/run/run-facts.ts';
import { installBrowserParts } from '../../support/browser-parts.ts';
import { drawn } from '../../support/fake-plotly.ts';
import { FakeRun, type FakeRunOptions } from '../../support/fake-run.ts';
import { FakeRunServer } from '../../support/fake-run-server.ts';
import { quickenPolls } from '../../support/quick-polls.ts';
import { renderApp } from '../../support/render-app.tsx';

quickenPolls();

// Loaded once, so that the first test need not wait for what pages load on opening.
beforeAll(async () => {
  await Promise.all([
    import('../../../src/dashboard/features/experiment/plots/traces-tab.tsx'),
    import('../../../src/dashboard/features/experiment/plots/posterior-tab.tsx'),
    import('../../../src/dashboard/features/experiment/page/experiment-page.tsx'),
    import('../../../src/dashboard/plots/figure-request.ts'),
  ]);
}, 60_000);

beforeEach(() => drawn.clear());

function open(options: FakeRunOptions = {}, search = '') {
  const run = new FakeRun({ status: 'FIN', ...options });
  const server = new FakeRunServer({ runs: [run] });
  const page = renderApp(server, `/experiments/${run.id}${search}`);
  installBrowserParts();
  return { run, server, ...page };
}

const numDrawn = (variable: string) =>
  (drawn.get(`Trace of ${variable}, one line per chain`) ?? [])
    .filter(({ name }) => /^Chain \d+$/.test(name))
    .map(({ x }) => x.length);
const updates = (server: FakeRunServer) =>
  server.objects.callsOf('updateObject').map(({ body }) => body);
const openForm = async ({ user }: Pick<ReturnType<typeof open>, 'user'>) => {
  await user.click(await screen.findByRole('button', { name: 'More draws' }));
  return screen.findByRole<HTMLInputElement>('textbox', { name: 'More draws per chain' });
};

describe('more draws', () => {
  it('continue from where the run ended, and the page grows with them', async () => {
    const page = open();
    const { run, server, user } = page;
    await waitFor(() => expect(numDrawn('mu')).toEqual([120, 120, 120, 120]));
    const field = await openForm(page);
    expect(field.value).toBe('120');
    await user.clear(field);
    await user.type(field, '30');
    await user.click(screen.getByRole('button', { name: 'Continue sampling' }));
    await waitFor(() => expect(screen.getByText('Running')).toBeTruthy());
    expect(updates(server)).toEqual([
      { payload: expect.objectContaining({ action: 'extend', meta: { extend_by: 30 } }) },
    ]);
    expect(screen.queryByRole('button', { name: 'More draws' })).toBeNull();
    run.advance(10);
    await waitFor(() => expect(numDrawn('mu')).toEqual([130, 130, 130, 130]));
    run.finish();
    await waitFor(() => expect(numDrawn('mu')).toEqual([150, 150, 150, 150]));
    expect(await screen.findByRole('button', { name: 'More draws' })).toBeTruthy();
  });

  it.each(['0', '-5', '2.5', ''])('are not requested for “%s”', async (text) => {
    const page = open();
    const field = await openForm(page);
    await page.user.clear(field);
    if (text !== '') await page.user.type(field, text);
    expect(await screen.findByText('Enter a whole number above 0.')).toBeTruthy();
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Continue sampling' });
    expect(button.disabled).toBe(true);
    await page.user.type(field, '{Enter}');
    expect(updates(page.server)).toEqual([]);
  });

  it('show why the server refused, and can be requested again', async () => {
    const page = open();
    await openForm(page);
    const why = 'The run cannot extend: all its chains failed.';
    page.server.objects.failNext('updateObject', 'CONFLICT', why);
    await page.user.click(screen.getByRole('button', { name: 'Continue sampling' }));
    expect(await screen.findByText(`Sampling not continued: ${why}`)).toBeTruthy();
    expect(screen.queryByText('Running')).toBeNull();
    await page.user.click(screen.getByRole('button', { name: 'Continue sampling' }));
    await waitFor(() => expect(screen.getByText('Running')).toBeTruthy());
  });

  it('are not offered for a run that is not finished, failed, or is a program', async () => {
    const offered = (options: FakeRunOptions) => isExtendable(new FakeRun(options).experiment());
    expect(offered({ status: 'FIN' })).toBe(true);
    for (const status of ['NEW', 'RUN', 'SAMPLE_FIN', 'ERR'])
      expect(offered({ status })).toBe(false);
    expect(offered({ status: 'FIN', runtime: 'python' })).toBe(false);
    expect(isExtendable(new FakeRun({ status: 'FIN' }).experiment({ plain: true }))).toBe(false);
    open({ runtime: 'python' });
    expect(await screen.findByRole('link', { name: 'Run again' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'More draws' })).toBeNull();
  });

  it('are counted as saved: thinned as the run was', () => {
    expect(drawsAsked(new FakeRun({ numSamples: 120, thin: 3 }).experiment())).toBe(40);
    expect(drawsAsked(new FakeRun().experiment({ plain: true }))).toBe(1);
  });
});

describe('a program that runs', () => {
  it('can be stopped, but not paused', async () => {
    open({ status: 'RUN', runtime: 'python' });
    expect(await screen.findByRole('button', { name: 'Stop and keep draws' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
  });
});

describe('a posterior plot out of view', () => {
  it('keeps its place by role and name, and is not drawn', async () => {
    open({}, '?tab=posterior&view=density');
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe() {}
        disconnect() {}
      },
    );
    for (const variable of ['mu', 'tau', 'theta[1]', 'theta[2]'])
      expect(await screen.findByRole('article', { name: `Density of ${variable}` })).toBeTruthy();
    expect(drawn.size).toBe(0);
  });
});
