// Runs in a window.
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { givenOptions } from '../../support/fake-monaco.ts';
import { createFakeModel } from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

/** The worker does not exist here: its questions stay unanswered, as while it is still starting. */
class SilentWorker {
  onmessage = null;
  onerror = null;
  postMessage(): void {}
  terminate(): void {}
}

beforeEach(() => {
  vi.stubGlobal('Worker', SilentWorker);
  givenOptions.length = 0;
});

function open() {
  const tree = [
    { name: 'main.stan', type: 'file' as const, content: 'model { }', encoding: 'text' as const },
  ];
  const model = createFakeModel({ content: { meta: { entrance_file: 'main.stan' }, tree } });
  return renderApp(new FakeServer({ objects: [model] }), '/models/M0000001');
}

const isPressed = async () =>
  (await screen.findByRole('button', { name: 'Wrap', hidden: true })).getAttribute('aria-pressed');
const wrap = () => givenOptions.findLast(({ wordWrap }) => wordWrap !== undefined)?.wordWrap;

describe('long lines of the editor', () => {
  it('are wrapped by Alt+Z and by the button, and stay so on the next visit', async () => {
    const { user, unmount } = open();
    expect(await isPressed()).toBe('false');
    await waitFor(() => expect(wrap()).toBe('off'));
    await user.keyboard('{Alt>}z{/Alt}');
    expect(await isPressed()).toBe('true');
    await waitFor(() => expect(wrap()).toBe('on'));
    unmount();
    givenOptions.length = 0;

    const again = open();
    expect(await isPressed()).toBe('true');
    await waitFor(() => expect(wrap()).toBe('on'));
    await again.user.click(screen.getByRole('button', { name: 'Wrap' }));
    expect(await isPressed()).toBe('false');
    await waitFor(() => expect(wrap()).toBe('off'));
  });

  it('are wrapped by the character that Option+Z types on a Mac', async () => {
    const { user } = open();
    await isPressed();
    await user.keyboard('{Alt>}Ω{/Alt}');
    expect(await isPressed()).toBe('true');
  });
});
