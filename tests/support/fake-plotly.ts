/** Plotly that records what it is asked to draw: all page tests have it (`vite.config.ts`). */

export interface DrawnLine {
  readonly name: string;
  readonly x: ArrayLike<number>;
  readonly line?: { readonly color: string };
}

/** The newest figure of each plot, by its label. */
export const drawn = new Map<string, readonly DrawnLine[]>();

export default {
  react(element: HTMLElement, data: readonly DrawnLine[]) {
    element.classList.add('js-plotly-plot');
    drawn.set(element.getAttribute('aria-label') ?? '', data);
    return Promise.resolve();
  },
  purge(element: HTMLElement) {
    drawn.delete(element.getAttribute('aria-label') ?? '');
  },
  Plots: { resize: () => Promise.resolve() },
};
