/** A program with profiles: their times are in the summary of the run. */
import { expect, it } from 'vitest';
import type { Summary } from '../../../src/contract/draws.ts';
import { findSummary } from '../../../src/service/repositories/experiments.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { makeWorkflow } from '../../support/service-objects.ts';
import { useWorkPlace } from '../../support/work-place.ts';

const place = useWorkPlace({ flushMs: 20 });

it('a summary shows the time of profiles by chain', async () => {
  await place.work();
  const workflow = await makeWorkflow(place.pool, place.user.id, {
    source: `parameters { vector[3] x; }
model { profile("all of it") { x ~ std_normal(); } }
generated quantities { real y; profile("more") { y = normal_rng(x[1], 1); } }`,
    settings: 'sampling: {seed: 5, num_chains: 2, num_warmup: 150, num_samples: 100}',
  });
  const { id } = await startRun(place.pool, { workflowId: workflow.id, ownerId: place.user.id });
  const done = await waitForRun(place.pool, id);
  expect([done.status, done.meta.error ?? null]).toEqual(['FIN', null]);
  const { chains } = (await findSummary(place.pool, id)) as Summary;
  expect(chains).toHaveLength(2);
  for (const { profiles } of chains) {
    expect(profiles?.map(({ name }) => name)).toEqual(['all of it', 'more']);
    const [all, more] = profiles ?? [];
    expect(all.autodiff_calls).toBeGreaterThan(250);
    expect(all.total_time).toBeCloseTo(all.forward_time + all.reverse_time, 12);
    // once per draw, including warmup, since a service streams them
    expect([more.autodiff_calls, more.no_autodiff_calls]).toEqual([0, 250]);
  }
}, 120_000);
