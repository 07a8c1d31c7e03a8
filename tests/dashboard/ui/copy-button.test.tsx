// Runs in a window.
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { CopyButton } from '../../../src/dashboard/ui/copy-button.tsx';

const show = () =>
  render(
    <MantineProvider>
      <CopyButton text="mu,tau" what="settings" />
    </MantineProvider>,
  );

/** The browser's own copy command, which first lets the page see what it copies. */
function allowCommand(taken: string[]) {
  Object.assign(document, {
    execCommand: (command: string) => {
      const event = Object.assign(new Event('copy', { bubbles: true, cancelable: true }), {
        clipboardData: { setData: (type: string, text: string) => taken.push(`${type} ${text}`) },
      });
      return command === 'copy' && !document.body.dispatchEvent(event);
    },
  });
}

afterEach(() => {
  cleanup();
  Reflect.deleteProperty(document, 'execCommand');
});

it('a copy button copies, reports it, and names what it copies', async () => {
  const user = userEvent.setup();
  show();
  await user.click(screen.getByRole('button', { name: 'Copy settings' }));
  await screen.findByRole('button', { name: 'Copied' });
  expect(await navigator.clipboard.readText()).toBe('mu,tau');
});

it('a copy button works without a clipboard API, as on plain http from another machine', async () => {
  const user = userEvent.setup();
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  const taken: string[] = [];
  allowCommand(taken);
  show();
  await user.click(screen.getByRole('button', { name: 'Copy settings' }));
  await screen.findByRole('button', { name: 'Copied' });
  expect(taken).toEqual(['text/plain mu,tau']);
});

it('a copy button reports when the browser copies nothing', async () => {
  const user = userEvent.setup();
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  show();
  await user.click(screen.getByRole('button', { name: 'Copy settings' }));
  expect((await screen.findByRole('button', { name: 'Not copied' })).title).toMatch(
    /Select the text and copy it/,
  );
});
