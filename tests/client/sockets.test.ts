import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../src/client/create-client.ts';
import {
  openExperimentSocket,
  openNotificationSocket,
  type SocketState,
} from '../../src/client/sockets.ts';
import type { EventItem } from '../../src/contract/live.ts';
import { FakeSocket } from '../support/fake-socket.ts';

const client = createClient({ baseUrl: 'https://erg.example/', token: 'erg_t' });
const options = { WebSocket: FakeSocket as unknown as typeof WebSocket, random: () => 0.5 };
const newest = () => FakeSocket.opened.at(-1) as FakeSocket;

beforeEach(() => {
  FakeSocket.opened = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe('the notification socket', () => {
  const notification = {
    id: 4,
    event: 'experiment_finished',
    title: 'done',
    message: '',
    created_at: '2026-01-01T00:00:00Z',
    read_at: null,
  };

  it('authorizes with its first message, at the wss address, and passes on only valid notifications', () => {
    const received: unknown[] = [];
    const states: SocketState[] = [];
    openNotificationSocket(
      client,
      { onNotification: (one) => received.push(one), onState: (state) => states.push(state) },
      options,
    );
    expect(newest().url).toBe('wss://erg.example/api/notification');
    newest().accept();
    expect(newest().sent).toEqual([{ action: 'authorization', version: '1.0', token: 'erg_t' }]);
    newest().say({ type: 'authorized', message: { action: 'authorized' } });
    newest().say({ type: 'on.notification', message: notification });
    newest().say({ type: 'on.notification', message: { title: 'no id' } });
    newest().say({ type: 'on.something', message: {} });
    newest().say('no JSON');
    expect(received).toEqual([{ ...notification, msg_object: '', msg_verb: '' }]);
    expect(states.map(({ state }) => state)).toEqual(['connecting', 'open']);
  });

  it('reconnects with growing pauses, but not after a refusal or once it is closed', () => {
    const states: SocketState[] = [];
    const open = () =>
      openNotificationSocket(
        client,
        { onNotification: () => {}, onState: (state) => states.push(state) },
        options,
      );
    const handle = open();
    const pauses = [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000];
    for (const [i, pause] of pauses.entries()) {
      newest().drop();
      vi.advanceTimersByTime(pause - 1);
      expect(FakeSocket.opened).toHaveLength(i + 1);
      vi.advanceTimersByTime(1);
      expect(FakeSocket.opened).toHaveLength(i + 2);
    }
    newest().accept();
    newest().say({ type: 'authorized', message: { action: 'authorized' } });
    newest().drop(4408);
    vi.advanceTimersByTime(1000);
    expect(FakeSocket.opened).toHaveLength(pauses.length + 2);
    handle.close();
    vi.advanceTimersByTime(100_000);
    expect(FakeSocket.opened).toHaveLength(pauses.length + 2);
    open();
    newest().accept();
    const data = { code: 'UNAUTHORIZED', message: 'Sign in again.' };
    newest().say({ type: 'error', message: { action: 'error', data } });
    newest().drop(4401);
    expect(states.at(-1)).toEqual({ state: 'refused', reason: 'Sign in again.' });
    vi.advanceTimersByTime(100_000);
    expect(FakeSocket.opened).toHaveLength(pauses.length + 3);
  });
});

describe('the experiment socket', () => {
  const item = (iteration: number, count: number): EventItem => ({
    chain_name: 'chain#1',
    iteration,
    data: Array.from({ length: count }, (_, i) => ({ mu: iteration + i })),
  });

  it('resumes where it stopped after a lost connection', () => {
    const drawn: EventItem[] = [];
    const socket = openExperimentSocket(
      client,
      { experimentId: 'X1234567' },
      { onDraws: (items) => drawn.push(...items) },
      options,
    );
    expect(newest().url).toBe('wss://erg.example/mcmc/ws/sub/object/X1234567');
    // not open yet: sent once it is
    socket.subscribe([{ chain: 'chain#1', variables: ['mu', 'tau'], from: 3 }]);
    newest().accept();
    newest().receive('authorized');
    expect(newest().sent[1]).toEqual({
      action: 'subscribe',
      data: [{ chain: 'chain#1', phase: 'sampling', from: 3, variables: ['mu', 'tau'] }],
    });
    newest().receive('experiment:event', [item(3, 4)]);
    newest().receive('experiment:event', [{ chain_name: 'chain#1' }]);
    // out of order: iteration 7 is still to come
    newest().receive('experiment:event', [item(9, 2)]);
    expect(drawn.map(({ iteration }) => iteration)).toEqual([3, 9]);
    newest().drop();
    vi.advanceTimersByTime(1000);
    newest().accept();
    newest().receive('authorized');
    expect(newest().sent[1]).toEqual({
      action: 'subscribe',
      data: [
        { chain: 'chain#1', phase: 'sampling', from: 7, variables: ['mu'] },
        { chain: 'chain#1', phase: 'sampling', from: 3, variables: ['tau'] },
      ],
    });
    socket.unsubscribe([{ chain: 'chain#1', variables: ['tau'] }]);
    newest().drop();
    vi.advanceTimersByTime(1000);
    newest().accept();
    newest().receive('authorized');
    expect(newest().sent[1]).toMatchObject({ data: [{ variables: ['mu'] }] });
    socket.close();
    expect(newest().isClosed).toBe(true);
  });

  it('subscribes without an `authorized` message, on the first frame or after a second', () => {
    const received: unknown[] = [];
    const open = () => {
      const socket = openExperimentSocket(
        client,
        { experimentId: 'X1234567', shareId: 'S1234567', password: 'p' },
        {
          onNames: (names) => received.push(names),
          onOutput: (line) => received.push(line),
          onError: (reason) => received.push(reason),
          onStatus: (status) => received.push(status),
          onFinish: () => received.push('finish'),
        },
        options,
      );
      socket.subscribe([{ chain: 'a', variables: ['x'] }]);
      newest().accept();
    };
    open();
    expect(newest().sent).toEqual([
      { action: 'authorization', version: '1.0', share_id: 'S1234567', password: 'p' },
    ]);
    newest().receive('names', [{ chain: 'a', names: ['x'] }]);
    expect(newest().sent[1]).toMatchObject({ action: 'subscribe' });
    newest().receive('experiment:output', 'line\n');
    newest().receive('experiment:error', 7);
    newest().receive('experiment:status', { status: 'RUN' });
    newest().receive('experiment:finish');
    newest().receive('experiment:finish', null);
    expect(received).toEqual([
      [{ chain: 'a', names: ['x'] }],
      'line\n',
      7,
      { status: 'RUN', n_samples: 0, action: '' },
      'finish',
      'finish',
    ]);
    open();
    expect(newest().sent).toHaveLength(1);
    vi.advanceTimersByTime(1000);
    expect(newest().sent[1]).toMatchObject({ action: 'subscribe' });
  });
});
