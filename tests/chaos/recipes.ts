/** Programs that people run: small, a few seconds long, each with its own seed, so that draws are reproducible. */
import { eightSchools } from '../support/service-objects.ts';

export interface Recipe {
  readonly name: string;
  readonly source: string;
  /** Empty: none. */
  readonly data: string;
  readonly settings: string;
}

const settings = (seed: number, chains: number, samples: number, more = '') =>
  `sampling: {seed: ${seed}, num_chains: ${chains}, num_warmup: 300, num_samples: ${samples}${more}}`;

/** `length` 1: about two seconds per chain. */
export function makeRecipes(length = 1): Recipe[] {
  const draws = (count: number) => Math.max(50, Math.round(count * length));
  return [
    { name: 'schools', ...eightSchools, settings: settings(11, 2, draws(12_000), ', thin: 3') },
    {
      name: 'normal',
      source: 'parameters { vector[3] x; } model { x ~ std_normal(); }',
      data: '',
      settings: settings(5, 3, draws(20_000), ', thin: 10'),
    },
    {
      name: 'generated',
      source: `data { int<lower=1> N; }
parameters { real<lower=0> s; }
model { s ~ lognormal(0, 1); for (n in 1:N) target += normal_lpdf(n * 0.01 | 0, s + 1); }
generated quantities { real y = normal_rng(0, s); }`,
      data: '{"N": 60}',
      settings: settings(3, 1, draws(6_000), ', save_warmup: true'),
    },
  ];
}
