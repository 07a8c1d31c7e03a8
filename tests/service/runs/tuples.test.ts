/** A program with tuples, from data JSON to draws and summary. */
import { describe, expect, it } from 'vitest';
import type { Summary } from '../../../src/contract/draws.ts';
import { readDraws } from '../../../src/service/repositories/draws.ts';
import { findSummary } from '../../../src/service/repositories/experiments.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { makeWorkflow } from '../../support/service-objects.ts';
import { useWorkPlace } from '../../support/work-place.ts';

const place = useWorkPlace({ flushMs: 20 });

const source = `data { int J; tuple(vector[J], vector<lower=0>[J]) schools; }
parameters { tuple(real, real<lower=0>) p; array[2] tuple(vector[2], real<upper=3>) q; }
model {
  schools.1 ~ normal(p.1, p.2 + schools.2);
  p.2 ~ exponential(1);
  for (e in q) { e.1 ~ normal(0, 1); e.2 ~ normal(0, 1); }
}
generated quantities { tuple(real,) y_rep = (normal_rng(p.1, p.2),); }
`;

async function start(schools: unknown) {
  const workflow = await makeWorkflow(place.pool, place.user.id, {
    source,
    data: JSON.stringify({ J: 3, schools }),
    settings: 'sampling: {seed: 5, num_chains: 2, num_warmup: 150, num_samples: 100}',
  });
  return startRun(place.pool, { workflowId: workflow.id, ownerId: place.user.id });
}

describe('a program with tuples', { timeout: 120_000 }, () => {
  it('leads from JSON data to a summary with the names and bounds of its members', async () => {
    await place.work();
    const { id } = await start({ 1: [28, 8, -3], 2: [15, 10, 16] });
    const done = await waitForRun(place.pool, id);
    expect([done.status, done.meta.error ?? null]).toEqual(['FIN', null]);
    const summary = (await findSummary(place.pool, id)) as Summary;
    expect(summary.variables.map(({ variable }) => variable)).toEqual([
      'p:1',
      'p:2',
      'q[1]:1[1]',
      'q[2]:1[1]',
      'q[1]:1[2]',
      'q[2]:1[2]',
      'q[1]:2',
      'q[2]:2',
      'y_rep:1',
      'lp__',
    ]);
    const rows = new Map(summary.variables.map((row) => [row.variable, row]));
    expect(rows.get('p:2')).toMatchObject({ block: 'parameters', lower: 0 });
    expect(rows.get('q[2]:2')).toMatchObject({ block: 'parameters', upper: 3 });
    const draws = await readDraws(place.pool, { experimentId: id, variables: ['q[2]:1[1]'] });
    expect(draws.map(({ values }) => values.length)).toEqual([100, 100]);
  });

  it('fails for data that do not match, with the name of the member', async () => {
    await place.work();
    const { id } = await start({ 1: [28, 8, -3], 2: [15, -10, 16] });
    const run = await waitForRun(place.pool, id);
    expect(run.status).toBe('ERR');
    expect(JSON.stringify(run.meta)).toContain('`schools.2[2]` is -10: must be at least 0');
  });
});
