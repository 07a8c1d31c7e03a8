/** Parts of a browser that happy-dom lacks: everything is in view, elements have a size. */
import { configure } from '@testing-library/react';
import { vi } from 'vitest';

class SeeingObserver {
  constructor(private readonly report: IntersectionObserverCallback) {}
  observe(target: Element): void {
    const entry = { isIntersecting: true, target } as unknown as IntersectionObserverEntry;
    this.report([entry], this as unknown as IntersectionObserver);
  }
  disconnect(): void {}
  unobserve(): void {}
}

/** happy-dom's own would report that nothing has a size. */
class StillObserver {
  observe(): void {}
  disconnect(): void {}
  unobserve(): void {}
}

// growing text fields wait for fonts
if (typeof document !== 'undefined' && document.fonts === undefined)
  Object.defineProperty(document, 'fonts', { value: new EventTarget() });

/** Call after `renderApp`, which unstubs after each test. Roles are looked up without styles, which take happy-dom seconds on a full page. */
export function installBrowserParts(): void {
  configure({ asyncUtilTimeout: 5000, defaultHidden: true });
  vi.stubGlobal('IntersectionObserver', SeeingObserver);
  vi.stubGlobal('ResizeObserver', StillObserver);
  for (const [name, size] of [
    ['clientWidth', 300],
    ['clientHeight', 600],
  ] as const) {
    vi.spyOn(HTMLElement.prototype, name, 'get').mockReturnValue(size);
  }
}

/** Waits until everything has settled: no requests for `ms` milliseconds. */
export async function settle(log: readonly unknown[], ms = 80): Promise<void> {
  for (let before = -1; before !== log.length; ) {
    before = log.length;
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}
