import { describe, expect, it } from 'vitest';
import { openStream, restoreStream, type StreamPurpose } from '../../src/engine/random-streams.ts';

/** First numbers of the streams of seed 1 and chain 2: a change would change the draws of every run. */
const first: Readonly<Record<StreamPurpose, number>> = {
  inits: 1598275388,
  transition: 3717492216,
  generated: 2351127561,
  'generated-warmup': 121519404,
  'transformed-data': 2321357173,
  fit: 1262085212,
  'fit-draws': 1769244176,
  simulation: 1697544055,
};
const purposes = Object.keys(first) as StreamPurpose[];

describe('a random stream', () => {
  it.each(purposes)('has not changed: %s', (purpose) => {
    expect(openStream(1, 2, purpose).uint32()).toBe(first[purpose]);
  });

  it('continues where it was left', () => {
    const rng = openStream(1, 2, 'fit');
    rng.normal();
    const again = restoreStream(rng.state());
    const numbers = [rng, again].map((one) => [one.normal(), one.uniform(), one.uint32()]);
    expect(numbers[1]).toEqual(numbers[0]);
  });
});
