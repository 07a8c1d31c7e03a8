/**
 * Page tests share the window and the modules of their process, since creating and loading these takes as long as many
 * tests. Each test leaves an empty page to the next, which may be in another file.
 */
import { notifications } from '@mantine/notifications';
import { cleanup } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';
import { clearUndo } from '../../src/dashboard/ui/undo-stack.ts';
import { printPage } from './quick-queries.ts';

/** Sessions of earlier tests would answer those of later ones. */
class NotedChannel extends globalThis.BroadcastChannel {
  static readonly open = new Set<BroadcastChannel>();

  constructor(name: string) {
    super(name);
    NotedChannel.open.add(this);
  }
}
if (!('open' in BroadcastChannel)) globalThis.BroadcastChannel = NotedChannel;

// Auto-growing text boxes measure again once fonts have loaded, and happy-dom has none.
if (!('fonts' in document))
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

afterEach(({ task }) => {
  if (task.result?.state === 'fail' && document.body.childElementCount > 0) printPage();
  cleanup();
  notifications.clean();
  notifications.cleanQueue();
  clearUndo();
  vi.unstubAllGlobals();
  const { open } = BroadcastChannel as typeof NotedChannel;
  for (const channel of open) channel.close();
  open.clear();
  sessionStorage.clear();
  localStorage.clear();
});

afterAll(async () => {
  // a chunk that is still loading would be evaluated in a later file
  await vi.dynamicImportSettled();
  document.head.replaceChildren();
  document.body.replaceChildren();
  for (const element of [document.documentElement, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  document.title = '';
  window.history.replaceState(null, '', '/');
});
