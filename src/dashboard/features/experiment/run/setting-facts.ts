/** The settings of a run in readable form. */
import type { Experiment } from '../../../../contract/experiment.ts';

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** The usual order; other settings follow, sorted by name. */
const settingOrder = [
  'algorithm',
  'from',
  'from_chains',
  'seed',
  'num_chains',
  'num_simulations',
  'parallel_chains',
  'num_warmup',
  'warmup_chains',
  'num_samples',
  'thin',
  'save_warmup',
  'adapt_delta',
  'max_treedepth',
  'metric',
  'adaptation',
  'sampler',
  'inits',
  'init_radius',
];

export function settingFacts({ meta }: Experiment): Fact[] {
  const placeOf = (name: string) => settingOrder.indexOf(name) + 1 || settingOrder.length + 1;
  const settings = Object.entries(meta?.settings ?? {}).toSorted(
    ([a], [b]) => placeOf(a) - placeOf(b) || a.localeCompare(b),
  );
  return settings.map(([name, value]) => ({
    name,
    value: value === null ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value),
  }));
}
