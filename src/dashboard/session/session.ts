/**
 * Who is signed in, to which server.
 *
 * The token lives in this tab's session storage. A new tab asks the open ones. It goes to local storage only when the
 * person ticked *Stay signed in*, or came by the printed link on loopback. It never stays in the address.
 */

export interface Credentials {
  /** Address of the server; empty = the page's own origin. */
  readonly server: string;
  readonly token: string;
}

const key = 'ergodic.session';
const channelName = 'ergodic.session';

type Listener = (credentials: Credentials | null) => void;

export class Session {
  private current: Credentials | null = null;
  private readonly listeners = new Set<Listener>();
  private readonly channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(channelName);

  constructor() {
    this.channel?.addEventListener('message', (event: MessageEvent<unknown>) => this.hear(event.data));
  }

  credentials(): Credentials | null {
    return this.current;
  }

  onChange(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Takes what is stored, or what another tab holds (asked for 150 ms at most). */
  async restore(): Promise<void> {
    const stored = read(sessionStorage) ?? read(localStorage);
    if (stored !== null) return this.set(stored);
    if (this.channel === null) return;
    await new Promise<void>((resolve) => {
      const stop = this.onChange(() => {
        stop();
        resolve();
      });
      setTimeout(() => {
        stop();
        resolve();
      }, 150);
      this.channel?.postMessage({ ask: true });
    });
  }

  /** Takes `?token=…` out of the address and signs in with it. Before the first render, so that nothing ever shows it. */
  takeFromAddress(location: Location, history: History): void {
    const address = new URL(location.href);
    const token = address.searchParams.get('token');
    if (token === null) return;
    address.searchParams.delete('token');
    history.replaceState(history.state, '', address.pathname + address.search + address.hash);
    const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);
    this.signIn({ server: '', token }, isLoopback);
  }

  signIn(credentials: Credentials, stay: boolean): void {
    this.set(credentials);
    const text = JSON.stringify(credentials);
    sessionStorage.setItem(key, text);
    if (stay) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  }

  /** Forgets the token here and in every tab. */
  signOut(): void {
    sessionStorage.removeItem(key);
    localStorage.removeItem(key);
    this.set(null);
    this.channel?.postMessage({ signedOut: true });
  }

  private set(credentials: Credentials | null): void {
    this.current = credentials;
    for (const listener of this.listeners) listener(credentials);
  }

  private hear(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    if ('ask' in message && this.current !== null) this.channel?.postMessage({ tell: this.current });
    if ('tell' in message && this.current === null) {
      const credentials = parse(message.tell);
      if (credentials !== null) {
        sessionStorage.setItem(key, JSON.stringify(credentials));
        this.set(credentials);
      }
    }
    if ('signedOut' in message && this.current !== null) {
      sessionStorage.removeItem(key);
      this.set(null);
    }
  }
}

function read(storage: Storage): Credentials | null {
  try {
    return parse(JSON.parse(storage.getItem(key) ?? 'null'));
  } catch {
    return null;
  }
}

function parse(value: unknown): Credentials | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!('token' in value) || typeof value.token !== 'string' || value.token === '') return null;
  const server = 'server' in value && typeof value.server === 'string' ? value.server : '';
  return { server, token: value.token };
}

/** Where to go after signing in: a path of this origin, else the overview. */
export function safeRedirect(target: string | undefined): string {
  return target !== undefined && /^\/(?![/\\])/.test(target) ? target : '/';
}
