/** What the help pages explain, and on which page: everything that may link there knows only this. */
import type { HelpPage } from './help-pages.ts';

export const helpTopics = {
  verdict: 'diagnostics',
  algorithms: 'diagnostics',
  calibration: 'diagnostics',
  divergences: 'diagnostics',
  'r-hat': 'diagnostics',
  ess: 'diagnostics',
  mcse: 'diagnostics',
  treedepth: 'diagnostics',
  'e-bfmi': 'diagnostics',
  'not-finite': 'diagnostics',
  'pareto-k': 'diagnostics',
  'left-out': 'diagnostics',
  trace: 'plots',
  density: 'plots',
  forest: 'plots',
  pairs: 'plots',
  ranks: 'plots',
  autocorrelation: 'plots',
  'ess-plots': 'plots',
  energy: 'plots',
  'divergence-plot': 'plots',
  'treedepth-plot': 'plots',
  acceptance: 'plots',
  loo: 'plots',
  sensitivity: 'plots',
  predictive: 'plots',
  new: 'statuses',
  running: 'statuses',
  paused: 'statuses',
  finished: 'statuses',
  stopped: 'statuses',
  error: 'statuses',
} as const satisfies Readonly<Record<string, HelpPage>>;

export type HelpTopic = keyof typeof helpTopics;
