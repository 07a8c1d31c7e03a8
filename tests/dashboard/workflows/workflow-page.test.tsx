// Runs in a window.
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { installBrowserParts } from '../../support/browser-parts.ts';
import {
  createFakeData,
  createFakeExperiment,
  createFakeModel,
  createFakeWorkflow,
} from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

const id = 'F0000001';

const doubtful = { state: 'bad', headline: 'R-hat of mu is 1.2, above 1.01' } as const;

function open(workflow: Partial<ReturnType<typeof createFakeWorkflow>> = {}) {
  const server = new FakeServer({
    objects: [
      createFakeWorkflow({
        short_id: id,
        name: 'Schools',
        model_id: 'M0000001',
        model_name: 'Eight schools',
        data_id: '',
        data_name: '',
        settings: 'sampling:\n  num_chains: 2\n',
        experiment_id: 'X0000001',
        ...workflow,
      }),
      createFakeExperiment({
        short_id: 'X0000001',
        name: 'First run',
        workflow_id: id,
        meta: { verdict: doubtful },
      }),
      createFakeData({ short_id: 'D0000001', name: 'Scores' }),
      createFakeModel({ short_id: 'M0000009', name: 'My report', tags: ['code'] }),
    ],
  });
  const page = renderApp(server, `/workflows/${id}`);
  installBrowserParts();
  return { server, ...page };
}

const parts = async () => within(await screen.findByRole('region', { name: 'Parts' }));

describe('a workflow', () => {
  it('is drawn with the state of each part, and leads to model and experiment', async () => {
    open({
      analyzer_result: JSON.stringify({ status: 'done', finished_at: '2026-01-01T00:00:00Z' }),
    });
    const flow = await parts();
    expect(flow.getByRole('link', { name: /Model/ }).getAttribute('href')).toBe('/models/M0000001');
    expect(await flow.findByText('First run')).toBeTruthy();
    // a run that ended is not necessarily good
    const run = flow.getByRole('link', { name: /First run/ });
    expect(within(run).getByTitle(doubtful.headline)).toBeTruthy();
    expect(flow.getByText(/^2 chains × \(1\s000/)).toBeTruthy();
    expect(flow.getByText('The standard report')).toBeTruthy();
    expect(flow.getAllByText('Ready').length).toBeGreaterThan(0);
  });

  it('is changed in the form, stored as YAML, and sent without unchanged parts', async () => {
    const { server, user } = open();
    const chains = await screen.findByLabelText('Chains');
    await user.clear(chains);
    await user.type(chains, '3');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByRole('button', { name: 'Saved' });
    expect(server.callsOf('updateObject')[0].body).toEqual({
      payload: { object_type: 'workflow', settings: 'sampling:\n  num_chains: 3\n' },
    });
  });

  it('names the line of a wrong setting', async () => {
    const { user } = open();
    await user.click(await screen.findByText('YAML'));
    const text = screen.getByRole('textbox', { name: 'Settings' });
    await user.clear(text);
    await user.type(text, 'sampling:{Enter}  num_chains: lots');
    const problems = await screen.findByRole('list', { name: 'Problems in the settings' });
    expect(problems.textContent).toContain('Line 2');
  });

  it('gets data and an analyzer by name', async () => {
    const { server, user } = open();
    await user.click((await parts()).getByRole('button', { name: /^Data/ }));
    await user.click(await screen.findByRole('combobox', { name: 'Data' }));
    await user.click(await screen.findByRole('option', { name: 'Scores' }));
    await user.click((await parts()).getByRole('button', { name: /^Analyzer/ }));
    await user.click(await screen.findByRole('combobox', { name: 'Analyzer' }));
    await user.click(await screen.findByRole('option', { name: 'My report' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(server.callsOf('updateObject')).toHaveLength(1));
    expect(server.callsOf('updateObject')[0].body).toEqual({
      payload: { object_type: 'workflow', data_id: 'D0000001', analyzer_id: 'M0000009' },
    });
  });

  it('runs the analysis and shows its state', async () => {
    const { server, user } = open();
    await screen.findByText(/No report yet/);
    await user.click(screen.getByRole('button', { name: 'Run analysis' }));
    await screen.findByText(/The analyzer is running/);
    expect(server.callsOf('invoke')[0].body).toMatchObject({ target: id, action: 'run_analyze' });
  });

  it('shows a failure with the last lines of the analyzer', async () => {
    open({
      analyzer_result: JSON.stringify({
        status: 'error',
        return_code: 2,
        errlines: ['<b>no such column</b>'],
        finished_at: '2026-01-01T00:00:00Z',
      }),
    });
    await screen.findByText(/The analysis failed with code 2/);
    expect(screen.getByText('<b>no such column</b>')).toBeTruthy();
  });

  it('shows an error of the server, and keeps the edits', async () => {
    const { server, user } = open();
    server.failNext('updateObject', 'INVALID_PARAMETER', 'settings: not so');
    const chains = await screen.findByLabelText('Chains');
    await user.clear(chains);
    await user.type(chains, '3');
    await user.click(screen.getByRole('button', { name: 'Run sampling' }));
    expect((await screen.findByRole('alert')).textContent).toContain('not so');
    expect(server.callsOf('invoke')).toEqual([]);
    expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy();
  });
});
