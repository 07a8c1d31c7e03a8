// Runs in a window.
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FakeFunctionServer } from '../../support/fake-function-server.ts';
import { createFakeModel } from '../../support/fake-objects.ts';
import { renderApp } from '../../support/render-app.tsx';

const functions = () => [createFakeModel({ name: 'Quantile', tags: ['code'], env: 'javascript' })];
const box = () => screen.findByLabelText('Parameters');
const call = () => fireEvent.click(screen.getByRole('button', { name: 'Call' }));

describe('cloud functions', () => {
  it('are listed by their tag', async () => {
    const fake = new FakeFunctionServer({ objects: functions() });
    renderApp(fake, '/functions');
    expect(await screen.findByRole('link', { name: 'Quantile' })).toBeTruthy();
    const asked = fake.server.callsOf('listObjects').filter(({ query }) => query.tags);
    expect(asked[0].query.tags).toEqual(['code', 'builtin']);
  });
  it('say what they are while there is none', async () => {
    renderApp(new FakeFunctionServer(), '/functions');
    expect(await screen.findByText('No functions yet')).toBeTruthy();
  });
  it('return JSON, and the call stays in the history', async () => {
    const fake = new FakeFunctionServer({ objects: functions(), answer: ({ p }) => ({ q: p }) });
    renderApp(fake, '/functions/M0000001');
    fireEvent.change(await box(), { target: { value: '{"p": 0.25}' } });
    call();
    expect(await screen.findByText('0.25')).toBeTruthy();
    expect(fake.calls[0]).toEqual({
      target: 'M0000001',
      action: 'run',
      parameters: { p: 0.25 },
      get_response: true,
    });
    expect(screen.getByText(/^Done, \d+ ms$/)).toBeTruthy();
  });
  it('are not waited for unless the user wants it', async () => {
    const fake = new FakeFunctionServer({ objects: functions() });
    renderApp(fake, '/functions/M0000001');
    fireEvent.click(await screen.findByLabelText('Wait for the result'));
    call();
    expect(await screen.findByText(/does not wait for its result/)).toBeTruthy();
    expect(fake.calls[0].get_response).toBe(false);
  });
  it('say why they failed', async () => {
    const fake = new FakeFunctionServer({ objects: functions(), answer: () => '!no such run' });
    renderApp(fake, '/functions/M0000001');
    await box();
    call();
    expect(await screen.findByText('The call failed: no such run')).toBeTruthy();
  });
  it('cannot be called with what is not a JSON object', async () => {
    renderApp(new FakeFunctionServer({ objects: functions() }), '/functions/M0000001');
    fireEvent.change(await box(), { target: { value: '[1]' } });
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Call' })).toHaveProperty('disabled', true),
    );
  });
});
