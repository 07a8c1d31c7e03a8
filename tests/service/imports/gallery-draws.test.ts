import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});
afterAll(() => service.close());

const importRun = async (data_uris: string[]) => {
  const payload = { object_type: 'experiment', name: 'from the gallery', data_uris } as const;
  return service.owner.client.createObject({ body: { payload } });
};

describe('finished runs of the gallery', () => {
  it('are imported from their addresses, each with the verdict it demonstrates', async () => {
    const { MCMC } = await service.anonymous.viewGallery();
    const [good, divergent] = MCMC.Stan;
    expect(await importRun(good.url)).toMatchObject({
      status: 'FIN',
      n_chains: 4,
      n_samples: 250,
      meta: { verdict: { divergences: 0, treedepth_hits: 0 } },
    });
    const made = await importRun(divergent.url);
    expect(made).toMatchObject({ status: 'FIN', meta: { verdict: { state: 'bad' } } });
    expect(
      (made as { meta: { verdict: { divergences: number } } }).meta.verdict.divergences,
    ).toBeGreaterThan(0);
  });

  it('with unknown addresses are not found', async () => {
    for (const name of ['eight-schools/chain_5.csv', 'nothing/chain_1.csv', 'eight-schools'])
      await expect(importRun([`ergodic-gallery:${name}`])).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
  });
});
