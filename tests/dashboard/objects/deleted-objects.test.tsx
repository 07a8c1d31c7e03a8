// Runs in a window.
/** The page of a deleted object: left by deleting it, entered by *Back*, and restored by *Undo*. */
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { installBrowserParts } from '../../support/browser-parts.ts';
import { createFakeData, createFakeModel, createFakeWorkflow } from '../../support/fake-objects.ts';
import { drawn } from '../../support/fake-plotly.ts';
import { createFakeProject } from '../../support/fake-projects.ts';
import { FakeRun } from '../../support/fake-run.ts';
import { FakeRunServer } from '../../support/fake-run-server.ts';
import { renderApp } from '../../support/render-app.tsx';

class SilentWorker {
  onmessage = null;
  onerror = null;
  postMessage(): void {}
  terminate(): void {}
}

const finishedRun = () => {
  const run = new FakeRun();
  run.advance(60);
  run.finish();
  return run;
};

function open(address: string) {
  const run = finishedRun();
  const isOfRuns = address.startsWith('/experiments');
  const server = new FakeRunServer({
    runs: [run],
    // the page of a run draws its figures itself, since it finds no workers
    objects: isOfRuns
      ? []
      : [createFakeModel(), createFakeProject(), createFakeData(), createFakeWorkflow()],
  });
  const page = renderApp(server, address);
  installBrowserParts();
  if (!isOfRuns) vi.stubGlobal('Worker', SilentWorker);
  return { server, run, ...page };
}

type User = ReturnType<typeof renderApp>['user'];

async function deleteFromMenu(user: User): Promise<void> {
  const button = await screen.findByRole('button', { name: /^(More actions|Delete)$/ });
  await user.click(button);
  if (button.textContent === 'Delete') return;
  await user.click(await screen.findByRole('menuitem', { name: /^Delete/, hidden: true }));
}

const numTraced = () => drawn.get('Trace of mu, one line per chain')?.[0]?.x.length ?? 0;

describe('Back to a deleted object', () => {
  it('shows that a run is gone, and the run with its draws after Undo', async () => {
    const { user, run } = open('/experiments');
    await user.click(await screen.findByRole('link', { name: run.experiment().name }));
    await screen.findByRole('link', { name: 'Run again' });
    await waitFor(() => expect(numTraced()).toBeGreaterThan(0));
    await deleteFromMenu(user);
    await screen.findByRole('heading', { name: 'Experiments' });
    drawn.clear();

    act(() => window.history.back());
    expect(await screen.findByRole('heading', { name: 'Not found' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Run again' })).toBeNull();

    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await screen.findByRole('link', { name: 'Run again' });
    await waitFor(() => expect(numTraced()).toBeGreaterThan(0));
    expect(screen.queryByText(/could not be loaded/)).toBeNull();
  });

  it.each([
    { list: '/models', name: 'A model', heading: 'Models' },
    { list: '/projects', name: 'A question', heading: 'Projects' },
    { list: '/data', name: 'schools.json', heading: 'Data' },
    { list: '/workflows', name: 'A workflow', heading: 'Workflows' },
  ])('shows that it is gone, and it after Undo: $name', async ({ list, name, heading }) => {
    const { user } = open(list);
    await user.click(await screen.findByRole('link', { name }));
    await screen.findByRole('heading', { name });
    await deleteFromMenu(user);
    await screen.findByRole('heading', { name: heading });

    act(() => window.history.back());
    expect(await screen.findByRole('heading', { name: 'Not found' })).toBeTruthy();
    expect(screen.queryByRole('heading', { name })).toBeNull();

    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('heading', { name })).toBeTruthy();
  });
});

describe('an open page whose object is deleted elsewhere', () => {
  it.each([
    { kind: 'experiments', id: 'X0000001' },
    { kind: 'models', id: 'M0000001' },
    { kind: 'projects', id: 'P0000001' },
    { kind: 'data', id: 'D0000001' },
    { kind: 'workflows', id: 'F0000001' },
  ])('becomes the page of a missing object: $kind', async ({ kind, id }) => {
    const { server, services } = open(`/${kind}/${id}`);
    await screen.findByRole('heading', { level: 1 });
    server.objects.objects.delete(id);
    await act(() =>
      services.queryClient.invalidateQueries({ queryKey: [kind === 'data' ? 'datas' : kind] }),
    );
    expect(await screen.findByRole('heading', { name: 'Not found' })).toBeTruthy();
  });
});
