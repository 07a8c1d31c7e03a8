/** Lazy chunks over an unreliable connection: requested again until they arrive. */

/** Milliseconds between tries. After the last one the failure is passed on: the chunk is gone, not the network. */
const delaysMs: readonly number[] = [500, 1000, 2000, 5000, 10_000, 20_000, 60_000];

const unloadedStyle = /^Unable to preload CSS for (\S+)$/;

/** The result of `load`, called again after each failure. Tries while the browser is offline are not counted. */
export async function importWithRetry<T>(
  load: () => Promise<T>,
  wait: (ms: number) => Promise<void> = waitOrOnline,
): Promise<T> {
  let tries = 0;
  let style: string | null = null;
  for (;;) {
    try {
      // the bundler's loader requests a style only once, so a lost one must be fetched here
      if (style !== null) await loadStyle(style);
      style = null;
      return await load();
    } catch (error) {
      style = unloadedStyle.exec(String((error as Error).message))?.[1] ?? style;
      const delay = delaysMs[tries];
      if (delay === undefined) throw error;
      await wait(delay);
      if (navigator.onLine) tries += 1;
    }
  }
}

/** Ends early when the network comes back. */
function waitOrOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
  });
}

function loadStyle(href: string): Promise<void> {
  for (const dead of document.querySelectorAll(`link[href="${CSS.escape(href)}"]`)) dead.remove();
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`Unable to preload CSS for ${href}`));
    };
    document.head.append(link);
  });
}
