import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDraws, startExperiment } from '../../support/objects.ts';
import { createTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});
afterAll(() => service.close());

const get = (url: string) =>
  service.inject(
    { method: 'GET', url, headers: { 'accept-encoding': 'gzip, br' } },
    service.owner.token,
  );

describe('responses', () => {
  it('of text are compressed', async () => {
    const response = await get('/sys/gallery');
    expect(response.headers['content-encoding']).toBe('br');
    expect(JSON.parse(brotliDecompressSync(response.rawPayload).toString())).toMatchObject({
      status: 'ok',
    });
  });

  it('of draws are not compressed', async () => {
    const { short_id: id } = await startExperiment(service.owner.client);
    await addDraws(service, id, { chains: 2, draws: 500 });
    const response = await get(`/api/draws/${id}`);
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.rawPayload.length).toBeGreaterThan(8 * 3 * 2 * 500);
  });
});
