/**
 * Who is signed in, to which server.
 *
 * The token lives in this tab's session storage. A new tab asks the open ones. It goes to local storage only when the
 * person ticked *Stay signed in*, or used the printed link on loopback.
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
  private asking = false;
  private readonly channel =
    typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(channelName);

  constructor() {
    this.channel?.addEventListener('message', (event: MessageEvent<unknown>) =>
      this.receive(event.data),
    );
  }

  credentials(): Credentials | null {
    return this.current;
  }

  onChange(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Uses what is stored, or what another tab has (asked for at most 150 ms). */
  async restore(): Promise<void> {
    const stored = read(() => sessionStorage) ?? read(() => localStorage);
    if (stored !== null) return this.set(stored);
    if (this.channel === null) return;
    this.asking = true;
    await new Promise<void>((resolve) => {
      const done = () => {
        stop();
        clearTimeout(timer);
        resolve();
      };
      const stop = this.onChange(done);
      const timer = setTimeout(done, 150);
      this.channel?.postMessage({ ask: true });
    });
    this.asking = false;
  }

  signIn(credentials: Credentials, stay: boolean): void {
    this.set(credentials);
    const text = JSON.stringify(credentials);
    write(() => sessionStorage, text);
    write(() => localStorage, stay ? text : null);
  }

  /** Forgets the token here and in every tab. */
  signOut(): void {
    this.forget();
    this.channel?.postMessage({ signedOut: true });
  }

  /** The server no longer knows the token: it is forgotten here; other tabs find out by themselves. */
  expire(): void {
    if (this.current !== null) this.forget();
  }

  private forget(): void {
    write(() => sessionStorage, null);
    write(() => localStorage, null);
    this.set(null);
  }

  private set(credentials: Credentials | null): void {
    this.current = credentials;
    for (const listener of this.listeners) listener(credentials);
  }

  private receive(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    if ('ask' in message && this.current !== null)
      this.channel?.postMessage({ credentials: this.current });
    if ('credentials' in message && this.asking && this.current === null) {
      const credentials = parse(message.credentials);
      if (credentials !== null) {
        write(() => sessionStorage, JSON.stringify(credentials));
        this.set(credentials);
      }
    }
    if ('signedOut' in message && this.current !== null) {
      write(() => sessionStorage, null);
      this.set(null);
    }
  }
}

/** A page may be denied storage: then the sign-in lasts as long as the page. */
function read(storage: () => Storage): Credentials | null {
  try {
    return parse(JSON.parse(storage().getItem(key) ?? 'null'));
  } catch {
    return null;
  }
}

function write(storage: () => Storage, text: string | null): void {
  try {
    if (text === null) storage().removeItem(key);
    else storage().setItem(key, text);
  } catch {
    // Not stored.
  }
}

function parse(value: unknown): Credentials | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!('token' in value) || typeof value.token !== 'string' || value.token === '') return null;
  const server = 'server' in value && typeof value.server === 'string' ? value.server : '';
  return { server, token: value.token };
}

const anyOrigin = 'http://origin.invalid';

/** Where to go after signing in: a path of this origin other than the sign-in page, otherwise the overview. */
export function safeRedirect(target: string | undefined): string {
  if (target === undefined || !target.startsWith('/') || !URL.canParse(target, anyOrigin))
    return '/';
  const url = new URL(target, anyOrigin);
  const path = url.pathname + url.search + url.hash;
  // `/.//host` has a path that reads as another host's address.
  if (url.origin !== anyOrigin || path.startsWith('//') || url.pathname === '/sign-in') return '/';
  return path;
}
