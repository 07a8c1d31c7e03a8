/** A chain that starts far from the posterior arrives, also with a target of dual averaging so close to 1 that a step hardly grows. */
import { expect, it } from 'vitest';
import { createChain } from '../../../src/engine/chain.ts';
import { settingsOfChain } from '../../../src/engine/chain-settings.ts';
import { parseSettings } from '../../../src/engine/settings.ts';
import { analyticModel } from '../../support/analytic-models.ts';

const count = 20;
const names = ['log_sd', ...Array.from({ length: count }, (_, i) => `b${i + 1}`)];

/** Observations of 30 for each b on scales that fall by 0.3 from one to the next, with a common error. */
const model = analyticModel({
  names,
  density(theta, gradient) {
    const weight = 5 * Math.exp(-2 * theta[0]);
    let sum = -100 * theta[0] - 0.5 * theta[0] ** 2;
    gradient[0] = -100 - theta[0];
    for (let i = 1; i <= count; i++) {
      const scale = 10 * 0.3 ** i;
      const error = scale * (30 - theta[i]);
      sum -= 0.5 * weight * error * error + 0.5 * (theta[i] / 50) ** 2;
      gradient[0] += weight * error * error;
      gradient[i] = weight * error * scale - theta[i] / 2500;
    }
    return sum;
  },
});

const start = Object.fromEntries(names.map((name) => [name, name === 'log_sd' ? -8 : 0]));

it.each([2, 3, 5])('with adapt_delta 0.999, seed %i', (seed) => {
  const parsed = parseSettings({
    seed,
    adapt_delta: 0.999,
    max_treedepth: 12,
    num_warmup: 600,
    num_samples: 1,
    inits: start,
  });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const settings = settingsOfChain(parsed.settings, { seed, chain: 1, streamWarmup: true });
  const chain = createChain({ model, settings, chain: 1 });
  const { status, blocks } = chain.advance();
  expect(status).toBe('finished');
  const last = blocks.at(-1)?.values ?? [];
  // it starts at −2 · 10¹¹; without another step size, −3 · 10⁹ and less
  expect(last[0]).toBeGreaterThan(-1000);
});
