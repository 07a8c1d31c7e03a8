// Runs in a window.
/** The one card of all plots: its keys, menu, table view, files, and what it shows when a plot fails. */
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FigureRequest } from '../../../src/dashboard/plots/figure-request.ts';
import {
  type CardOptions,
  PlotCard,
  type PlotCardProps,
} from '../../../src/dashboard/plots/plot-card.tsx';
import { theme } from '../../../src/dashboard/theme.ts';
import { installBrowserParts } from '../../support/browser-parts.ts';
import { drawn } from '../../support/fake-plotly.ts';

const saved = vi.hoisted(() => [] as { name: string; type: string; content: string }[]);
vi.mock('../../../src/dashboard/ui/save-file.ts', () => ({
  saveFile: (name: string, type: string, content: string) => saved.push({ name, type, content }),
}));

beforeEach(() => {
  saved.length = 0;
  drawn.clear();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const sampling = Float64Array.from({ length: 30 }, (_, i) => (i * 7) % 11);
const trace = (options: CardOptions): FigureRequest => ({
  kind: 'trace',
  variable: { variable: 'mu', chains: [{ index: 0, name: 'chain#1', sampling }] },
  options: { ...options, numWarmup: 0, numSamples: 30, showWarmup: false },
});

function show(props: Partial<PlotCardProps> = {}) {
  render(
    <MantineProvider theme={theme}>
      <PlotCard name="Trace of mu" caption="mu" make={trace} {...props} />
    </MantineProvider>,
  );
  installBrowserParts();
  return { card: screen.getByRole('article', { name: 'Trace of mu' }), user: userEvent.setup() };
}

async function choose(user: ReturnType<typeof userEvent.setup>, words: string) {
  await user.click(screen.getByRole('button', { name: 'Menu of Trace of mu' }));
  await user.click(await screen.findByRole('menuitem', { name: words }));
}

describe('a card', () => {
  it('draws what it is given', async () => {
    installBrowserParts();
    show();
    await waitFor(() => expect(drawn.get('Trace of mu')?.[0].x).toHaveLength(30));
  });

  it('says what it waits for', async () => {
    installBrowserParts();
    show({ make: () => null, absence: 'Not recorded.' });
    expect(await screen.findByText('Not recorded.')).toBeTruthy();
  });

  it('saves its numbers as CSV and its image as SVG, in light colours and without the page', async () => {
    installBrowserParts();
    const { user } = show({ hidden: new Set() });
    await choose(user, 'Save its data as CSV');
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0].name).toBe('Trace of mu.csv');
    const lines = saved[0].content.trim().split(/\r?\n/);
    expect(lines[0]).toBe('chain,phase,iteration,mu');
    expect(lines).toHaveLength(31);
    expect(lines[2]).toBe('chain#1,sampling,2,7');
    await choose(user, 'Save as SVG');
    await waitFor(() => expect(saved).toHaveLength(2));
    expect(saved[1].type).toBe('image/svg+xml');
    expect(saved[1].content).toMatch(/^<svg/);
    expect(saved[1].content).toContain('Trace of mu');
    expect(saved[1].content).not.toContain('<script');
  });

  it('remains when its figure cannot be made, and retries', async () => {
    installBrowserParts();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    let isBroken = true;
    const make = (options: CardOptions) => {
      if (isBroken) throw new Error('out of numbers');
      return trace(options);
    };
    const { card, user } = show({ make });
    expect((await within(card).findByRole('alert')).textContent).toContain(
      'The draws are not affected.',
    );
    isBroken = false;
    await user.click(within(card).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(drawn.has('Trace of mu')).toBe(true));
  });
});

describe('keys on a card', () => {
  it('zoom, pan and reset where it can be zoomed, and are announced', async () => {
    installBrowserParts();
    const steps: string[] = [];
    const { card, user } = show({ onZoomKey: (step) => steps.push(step) });
    expect(card.getAttribute('aria-keyshortcuts')).toBe('Plus - ArrowLeft ArrowRight 0 T Enter');
    card.focus();
    await user.keyboard('+-{ArrowLeft}{ArrowRight}0');
    expect(steps).toEqual(['in', 'out', 'left', 'right', 'all']);
  });

  it('switch it to its table and back, and enlarge it', async () => {
    installBrowserParts();
    const { card, user } = show();
    expect(card.getAttribute('aria-keyshortcuts')).toBe('T Enter');
    card.focus();
    await user.keyboard('t');
    expect(await within(card).findByRole('table')).toBeTruthy();
    await user.keyboard('t');
    await waitFor(() => expect(within(card).queryByRole('table')).toBeNull());
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Trace of mu' })).toBeTruthy();
  });

  it('do not act on what is typed inside it', async () => {
    installBrowserParts();
    const { card, user } = show();
    within(card).getByRole('button', { name: 'Menu of Trace of mu' }).focus();
    await user.keyboard('t');
    expect(within(card).queryByRole('table')).toBeNull();
  });
});
