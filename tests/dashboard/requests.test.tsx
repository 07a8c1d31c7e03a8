// Runs in a window.
/** How many requests a page needs before it shows its content: at most three for a list, five for one object. */
import { waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { installBrowserParts } from '../support/browser-parts.ts';
import {
  createFakeData,
  createFakeExperiment,
  createFakeModel,
  createFakeShare,
  createFakeWorkflow,
} from '../support/fake-objects.ts';
import { createFakeProject } from '../support/fake-projects.ts';
import { FakeRun } from '../support/fake-run.ts';
import { FakeRunServer } from '../support/fake-run-server.ts';
import { renderApp } from '../support/render-app.tsx';

const rowsOf = <T,>(make: (overrides: { short_id: string; name: string }) => T, letter: string) =>
  Array.from({ length: 6 }, (_, i) =>
    make({ short_id: `${letter}000010${i}`, name: `${letter} number ${i}` }),
  );

function serve() {
  const run = new FakeRun({ status: 'FIN' });
  const objects = [
    ...rowsOf(createFakeModel, 'M'),
    ...rowsOf(createFakeData, 'D'),
    ...rowsOf(createFakeWorkflow, 'F'),
    ...rowsOf(createFakeExperiment, 'X'),
    ...rowsOf(createFakeShare, 'S'),
    ...rowsOf(createFakeProject, 'P'),
  ];
  return { run, server: new FakeRunServer({ runs: [run], objects }) };
}

const lists = [
  ['/models', 'M number 3'],
  ['/data', 'D number 3'],
  ['/workflows', 'F number 3'],
  ['/experiments', 'X number 3'],
  ['/shares', 'A run'],
  ['/projects', 'P number 3'],
] as const;
const details = [
  ['/', 'X number 3'],
  ['/experiments/RUN', 'mu'],
  ['/experiments/RUN?tab=summary', 'mu'],
  ['/models/M0000103', 'M number 3'],
  ['/data/D0000103', 'D number 3'],
  ['/workflows/F0000103', 'F number 3'],
  ['/projects/P0000103', 'P number 3'],
] as const;

/** The editor's thread, which does not exist here: its questions stay unanswered. */
class SilentWorker {
  onmessage = null;
  onerror = null;
  postMessage(): void {}
  terminate(): void {}
}

/** Requests that start before the page shows its content. */
async function requestsOf(address: string, seen: string): Promise<string[]> {
  const { run, server } = serve();
  if (address.startsWith('/models/')) vi.stubGlobal('Worker', SilentWorker);
  const asked: string[] = [];
  const isSeen = () => document.querySelector('main')?.textContent?.includes(seen) ?? false;
  const fetch: typeof server.fetch = (input, init) => {
    if (!isSeen()) asked.push(input instanceof Request ? input.url : String(input));
    return server.fetch(input, init);
  };
  renderApp({ fetch, token: server.token }, address.replace('RUN', run.id));
  installBrowserParts();
  await waitFor(() => expect(isSeen()).toBe(true));
  expect(asked.length).toBeGreaterThan(0);
  return asked;
}

it.each(lists)('%s is painted from three requests at most', async (address, seen) => {
  const asked = await requestsOf(address, seen);
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(3);
});

it.each(details)('%s is painted from five requests at most', async (address, seen) => {
  const asked = await requestsOf(address, seen);
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(5);
});
