// Runs in a window.
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeNotification, createFakeSpace } from '../../support/fake-objects.ts';
import { FakeServer, type FakeServerOptions } from '../../support/fake-server.ts';
import { FakeSocket } from '../../support/fake-socket.ts';
import { renderApp } from '../../support/render-app.tsx';

let hidden = false;
beforeEach(() => {
  hidden = false;
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
});
afterEach(() => vi.restoreAllMocks());

const path = '/api/notification';
const many = Array.from({ length: 120 }, (_, i) =>
  createFakeNotification({
    id: 120 - i,
    title: `Run ${120 - i} finished`,
    msg_object: `X${String(120 - i).padStart(7, '0')}`,
    read_at: i < 3 ? null : '2026-01-01T00:00:00Z',
  }),
);

function open(address: string, options: FakeServerOptions = {}) {
  const server = new FakeServer(options);
  return { server, ...renderApp(server, address) };
}
const bell = () => screen.findByRole('link', { name: /^Notifications/ });
const list = () => screen.findByRole('list', { name: 'Notifications' });

describe('the page of notifications', () => {
  it('lists, links to objects, and keeps page and filter in the address', async () => {
    const { user } = open('/notifications', { notifications: many });
    const rows = within(await list()).getAllByRole('listitem');
    expect(rows).toHaveLength(50);
    expect(within(rows[0]).getByRole('link').getAttribute('href')).toBe('/experiments/X0000120');
    expect(rows[0].textContent).toContain('Unread: Run 120 finished');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByText('Run 70 finished');
    expect(window.location.search).toContain('page=2');
    await user.click(screen.getByRole('radio', { name: 'Unread' }));
    await waitFor(async () =>
      expect(within(await list()).getAllByRole('listitem')).toHaveLength(3),
    );
    expect(window.location.search).toContain('status=unread');
  });

  it('marks one or all as read, with undo', async () => {
    const { server, user } = open('/notifications', { notifications: many });
    await waitFor(async () =>
      expect((await bell()).getAttribute('aria-label')).toBe('Notifications, 3 unread'),
    );
    await user.click(
      await screen.findByRole('button', { name: /Mark “Run 120 finished” as read/ }),
    );
    await waitFor(async () =>
      expect((await bell()).getAttribute('aria-label')).toBe('Notifications, 2 unread'),
    );
    await user.click(screen.getByRole('button', { name: 'Mark all read' }));
    await screen.findByText('2 marked as read.');
    await waitFor(async () =>
      expect((await bell()).getAttribute('aria-label')).toBe('Notifications'),
    );
    const toast = screen.getByText('2 marked as read.').parentElement as HTMLElement;
    await user.click(within(toast).getByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(
        server.notifications.filter(({ read_at }) => read_at === null).map(({ id }) => id),
      ).toEqual([119, 118]),
    );
    expect(server.callsOf('markNotifications').map(({ body }) => body)).toEqual([
      { notification_ids: [120], status: 'read' },
      { notification_ids: [119, 118], status: 'read' },
      { notification_ids: [119, 118], status: 'unread' },
    ]);
  });

  it('opens shares by their link, and shows notifications without an object without a link', async () => {
    const shared = createFakeNotification({
      id: 2,
      title: 'ada shared an experiment with you',
      share_id: 'S0000001',
    });
    const plain = createFakeNotification({ id: 1, title: 'Hello', msg_object: 'nonsense' });
    const { user, server } = open('/notifications', { notifications: [shared, plain] });
    const rows = within(await list()).getAllByRole('listitem');
    expect(within(rows[0]).getByRole('link').getAttribute('href')).toBe('/s/X0000001/S0000001');
    expect(within(rows[1]).queryByRole('link')).toBeNull();
    await user.click(within(rows[0]).getByRole('link'));
    await waitFor(() => expect(server.callsOf('markNotifications')).toHaveLength(1));
  });

  it('shows a message while it is empty, and errors', async () => {
    const { server, user } = open('/notifications');
    await screen.findByText('No notifications yet');
    await user.click(screen.getByRole('radio', { name: 'Read' }));
    await screen.findByText('No read notifications.');
    await user.click(screen.getByRole('button', { name: 'Clear the filter' }));
    await screen.findByText('No notifications yet');
    server.failNext('listNotifications', 'PERMISSION_DENIED', 'Not now.');
    await user.click(screen.getByRole('radio', { name: 'Unread' }));
    await screen.findByText(/Not now\./);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('No unread notifications.');
  });
});

describe('a new notification', () => {
  const arrive = async (server: FakeServer, one = createFakeNotification({ id: 9 })) => {
    await waitFor(() => expect(FakeSocket.to(path)).toHaveLength(1));
    const [socket] = FakeSocket.to(path);
    if (socket.sent.length === 0) {
      act(() => socket.accept());
      act(() => socket.say({ type: 'authorized', message: { action: 'authorized' } }));
    }
    server.notifications = [one, ...server.notifications];
    act(() => socket.say({ type: 'on.notification', message: one }));
    return socket;
  };

  it('is counted at the bell and shown as a toast that links to its object', async () => {
    const { server, user } = open('/shares');
    const socket = await arrive(server);
    expect(socket.sent[0]).toMatchObject({ action: 'authorization', token: server.token });
    await waitFor(async () =>
      expect((await bell()).getAttribute('aria-label')).toBe('Notifications, 1 unread'),
    );
    await user.click(await screen.findByRole('link', { name: 'A run finished' }));
    await waitFor(() => expect(window.location.pathname).toBe('/experiments/X0000001'));
  });

  it('is shown in the title of a hidden tab, which requests nothing and catches up on return', async () => {
    const { server } = open('/shares');
    await arrive(server);
    await waitFor(async () =>
      expect((await bell()).getAttribute('aria-label')).toBe('Notifications, 1 unread'),
    );
    hidden = true;
    act(() => {
      document.dispatchEvent(new Event('visibilitychange'));
    });
    const asked = server.requests.length;
    await arrive(server, createFakeNotification({ id: 10, title: 'Another' }));
    await arrive(server, createFakeNotification({ id: 11, title: 'A third' }));
    expect(document.title).toBe('(2) Ergodic');
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(server.requests).toHaveLength(asked);
    expect(FakeSocket.to(path)).toHaveLength(1);
    hidden = false;
    act(() => {
      document.dispatchEvent(new Event('visibilitychange'));
    });
    expect(document.title).toBe('Ergodic');
    await waitFor(async () =>
      expect((await bell()).getAttribute('aria-label')).toBe('Notifications, 3 unread'),
    );
  });

  it('that is marked as read in another tab is read here too, at once or on return', async () => {
    const { server } = open('/shares', { notifications: many });
    const isNamed = (words: string) =>
      waitFor(async () => expect((await bell()).getAttribute('aria-label')).toBe(words));
    await isNamed('Notifications, 3 unread');
    await waitFor(() => expect(FakeSocket.to(path)).toHaveLength(1));
    const otherTab = new BroadcastChannel('ergodic notifications');
    const readThere = (id: number) => {
      server.notifications = server.notifications.map((one) =>
        one.id === id ? { ...one, read_at: '2026-01-02T00:00:00Z' } : one,
      );
      otherTab.postMessage({ from: 'another tab' });
    };
    readThere(120);
    await isNamed('Notifications, 2 unread');

    hidden = true;
    act(() => {
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await arrive(server);
    expect(document.title).toBe('(1) Ergodic');
    const asked = server.requests.length;
    readThere(9);
    await waitFor(() => expect(document.title).toBe('Ergodic'));
    readThere(119);
    expect(server.requests).toHaveLength(asked);
    hidden = false;
    act(() => {
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await isNamed('Notifications, 1 unread');
    otherTab.close();
  });

  it('that is marked as read here is published to the other tabs', async () => {
    const { user } = open('/notifications', { notifications: many });
    const otherTab = new BroadcastChannel('ergodic notifications');
    const heard = vi.fn();
    otherTab.onmessage = heard;
    await user.click(
      await screen.findByRole('button', { name: /Mark “Run 120 finished” as read/ }),
    );
    await waitFor(() => expect(heard).toHaveBeenCalledTimes(1));
    otherTab.close();
  });

  it('is not offered by a server that sends none', async () => {
    const config = { capabilities: ['draws'] } as never;
    open('/shares', { config });
    await screen.findByRole('heading', { name: 'Shares' });
    expect(screen.queryByRole('link', { name: /^Notifications/ })).toBeNull();
    expect(FakeSocket.to(path)).toEqual([]);
  });

  it('no longer arrives after signing out, which closes the socket', async () => {
    const { server, services } = open('/shares');
    await arrive(server);
    act(() => services.session.signOut());
    await waitFor(() => expect(FakeSocket.to(path)).toEqual([]));
  });
});

describe('the account page', () => {
  it('shows the space used by kind, and frees deleted objects after a confirmation', async () => {
    const space = createFakeSpace({ deleted: { bytes: 2_500_000, objects: 3 } });
    const { server, user } = open('/account', { space });
    await screen.findByText('3 deleted objects (2.5 MB) can still be restored.');
    expect(screen.getByRole('row', { name: /^Draws 3 runs 100 kB$/ })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Delete for good' }));
    await user.click(screen.getByRole('button', { name: 'Keep' }));
    expect(server.callsOf('freeSpace')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Delete for good' }));
    await user.click(screen.getByRole('button', { name: 'Yes, delete for good' }));
    await screen.findByText('No deleted objects are kept for undo.');
  });

  it("asks for the browser's permission only on a click", async () => {
    const shown: string[] = [];
    class FakeNotice {
      static permission = 'default';
      static requestPermission = vi.fn(async () => {
        FakeNotice.permission = 'granted';
        return 'granted';
      });
      onclick = null;
      constructor(title: string) {
        shown.push(title);
      }
      close() {}
    }
    const { user } = open('/account');
    vi.stubGlobal('Notification', FakeNotice);
    const notices = await screen.findByRole('switch', { name: /when a run I watch ends/ });
    expect(FakeNotice.requestPermission).not.toHaveBeenCalled();
    await user.click(notices);
    await waitFor(() => expect((notices as HTMLInputElement).checked).toBe(true));
    expect(FakeNotice.requestPermission).toHaveBeenCalledTimes(1);
    const { showNotice } = await import('../../../src/dashboard/ui/browser-notices.ts');
    showNotice({ title: 'done', body: '', tag: 't', onClick: () => {} });
    await user.click(notices);
    showNotice({ title: 'not shown', body: '', tag: 't', onClick: () => {} });
    expect(shown).toEqual(['done']);
  });
});
