/** The parts of Plotly we bundle; its CommonJS modules have no types. */
interface PlotlyStatic {
  register(modules: unknown[]): void;
  react(element: HTMLElement, data: unknown, layout: unknown, config: unknown): Promise<unknown>;
  relayout(element: HTMLElement, update: Record<string, unknown>): Promise<unknown>;
  purge(element: HTMLElement): void;
  toImage(
    element: HTMLElement | { data: unknown; layout: unknown },
    options: Record<string, unknown>,
  ): Promise<string>;
  Plots: { resize(element: HTMLElement): Promise<unknown> | void };
}
declare module 'plotly.js/lib/core' {
  const core: PlotlyStatic;
  export default core;
}
declare module 'plotly.js/lib/histogram' {
  const trace: unknown;
  export default trace;
}
declare module 'plotly.js/lib/heatmap' {
  const trace: unknown;
  export default trace;
}
declare module 'plotly.js/lib/bar' {
  const trace: unknown;
  export default trace;
}
