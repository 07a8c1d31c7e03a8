// Runs in a window.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Session, safeRedirect } from '../../../src/dashboard/session/session.ts';

/** Tabs of one browser: a message reaches every channel but its sender's, immediately. */
class Channel extends EventTarget {
  static open: Channel[] = [];
  constructor() {
    super();
    Channel.open.push(this);
  }
  postMessage(data: unknown) {
    const message = structuredClone(data);
    for (const other of Channel.open) {
      if (other !== this) other.dispatchEvent(new MessageEvent('message', { data: message }));
    }
  }
}

beforeEach(() => {
  Channel.open = [];
  vi.stubGlobal('BroadcastChannel', Channel);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  sessionStorage.clear();
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});

const ada = { server: '', token: 'erg_ada' };

describe('a session', () => {
  it('lasts as long as the tab, or longer when asked', async () => {
    new Session().signIn(ada, false);
    expect(localStorage.length).toBe(0);
    const sameTab = new Session();
    await sameTab.restore();
    expect(sameTab.credentials()).toEqual(ada);

    new Session().signIn(ada, true);
    sessionStorage.clear();
    const later = new Session();
    await later.restore();
    expect(later.credentials()).toEqual(ada);

    new Session().signIn(ada, false);
    expect(localStorage.length).toBe(0);
  });

  it('is given to a new tab that asks, and to no other', async () => {
    const first = new Session();
    first.signIn(ada, false);
    sessionStorage.clear();
    const silent = new Session();
    const asking = new Session();
    await asking.restore();
    expect(asking.credentials()).toEqual(ada);
    expect(silent.credentials()).toBeNull();
  });

  it('does not delay a new tab by more than 150 ms', async () => {
    vi.useFakeTimers();
    const alone = new Session();
    const restored = vi.fn();
    void alone.restore().then(restored);
    await vi.advanceTimersByTimeAsync(149);
    expect(restored).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(restored).toHaveBeenCalled();
    vi.useRealTimers();
  });

  it('ends in every tab, and its token is stored nowhere', () => {
    const [one, other] = [new Session(), new Session()];
    one.signIn(ada, true);
    other.signIn(ada, false);
    const heard = vi.fn();
    other.onChange(heard);
    one.signOut();
    expect([one.credentials(), other.credentials()]).toEqual([null, null]);
    expect(heard).toHaveBeenCalledWith(null);
    expect([sessionStorage.length, localStorage.length]).toEqual([0, 0]);
  });

  it('that has expired is forgotten here, but kept in tabs that may have another token', () => {
    const [one, other] = [new Session(), new Session()];
    one.signIn(ada, true);
    other.signIn(ada, false);
    one.expire();
    expect(one.credentials()).toBeNull();
    expect(other.credentials()).toEqual(ada);
    const heard = vi.fn();
    one.onChange(heard);
    one.expire();
    expect(heard).not.toHaveBeenCalled();
  });

  it.each(['nonsense', '{"token":""}', '{"token":5}', '[]', 'null', '{"server":"x"}'])(
    'is not restored from storage that contains %s',
    async (text) => {
      sessionStorage.setItem('ergodic.session', text);
      Channel.open = [];
      vi.stubGlobal('BroadcastChannel', undefined);
      const session = new Session();
      await session.restore();
      expect(session.credentials()).toBeNull();
    },
  );

  it('works where storage is forbidden', async () => {
    const forbidden = () => {
      throw new DOMException('no', 'SecurityError');
    };
    vi.stubGlobal('BroadcastChannel', undefined);
    vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(forbidden);
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(forbidden);
    const session = new Session();
    await session.restore();
    session.signIn(ada, true);
    expect(session.credentials()).toEqual(ada);
    session.signOut();
    expect(session.credentials()).toBeNull();
  });
});

describe('the address after signing in', () => {
  it.each([
    [undefined, '/'],
    ['', '/'],
    ['/experiments?q=a b#x', '/experiments?q=a%20b#x'],
    ['/data/D0000001', '/data/D0000001'],
    ['https://evil.example', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['\\\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/\n//evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/a/..//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    [' /experiments', '/'],
    ['/sign-in?redirect=/sign-in', '/'],
  ])('%j leads to %s', (target, path) => {
    expect(safeRedirect(target)).toBe(path);
  });

  it('never leaves this origin', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '\t',
      '\n',
      '@',
      ':',
      '?',
      '#',
      'a',
      '//',
      '%2f',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const path = safeRedirect(`/${pieces.join('')}`);
        expect(new URL(path, 'http://here.test').host).toBe('here.test');
        expect(path).toMatch(/^\/(?![/\\])/);
      }),
      { seed: 20261121, numRuns: 2000 },
    );
  });
});
