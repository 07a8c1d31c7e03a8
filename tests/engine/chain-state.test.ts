import { expect, it } from 'vitest';
import { openGeneratedStream } from '../../src/engine/chain-state.ts';
import { openStream } from '../../src/engine/random-streams.ts';
import { chainSettings } from '../support/run-model.ts';

it('generated quantities use a separate random stream until the last warmup iteration', () => {
  const { seed } = chainSettings;
  const settings = { ...chainSettings, numWarmup: 20 };
  const first = (iteration: number) => openGeneratedStream(settings, 3, iteration).uint32();
  const [warmup, sampling] = (['generated-warmup', 'generated'] as const).map((purpose) =>
    openStream(seed, 3, purpose).uint32(),
  );
  expect(warmup).not.toBe(sampling);
  expect([0, 19, 20, 25].map(first)).toEqual([warmup, warmup, sampling, sampling]);
});
