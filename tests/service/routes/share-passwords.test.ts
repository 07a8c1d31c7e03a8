import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, sql } from '../../../src/service/repositories/database.ts';
import { addModel, addShare, codeOf } from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

let service: TestService;
let ada: Person;
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
});
afterAll(() => service.close());

const of = (objid: string) => ({ params: { objid } });

describe('passwords of shares', () => {
  it('may be any text, are echoed once, and read as *** afterwards', async () => {
    const { short_id: id } = await addModel(ada.client);
    const password = 'ключ 鍵 🔑';
    const share = await addShare(ada.client, { objid: id, password });
    expect(share.password).toBe(password);
    expect(
      await service.anonymous.viewObject({ ...of(id), sharePassword: password }),
    ).toMatchObject({ short_id: id });
    for (const given of [undefined, '', 'ключ'])
      expect(await codeOf(service.anonymous.viewObject({ ...of(id), sharePassword: given }))).toBe(
        'PERMISSION_DENIED',
      );
    const page = await ada.client.listObjects({
      query: { object_type: 'model', shared_by_me: true, q: id },
    });
    expect(page.objects).toMatchObject([
      { share_info: [{ password: '***', short_id: share.short_id, failed_attempts: 2 }] },
    ]);
    const listed = await ada.client.listObjects({ query: { object_type: 'share' } });
    expect(listed.objects.find((entry) => entry.short_id === share.short_id)).toMatchObject({
      password: '***',
    });
    const rows = await service.database.pool.query('select password_hash, snapshot from shares');
    expect(JSON.stringify(rows.rows)).not.toContain('ключ');
    expect(service.log.join('')).not.toContain('ключ');
  });

  it('accept one letter, and bytes that are not UTF-8', async () => {
    const { short_id: id } = await addModel(ada.client);
    await addShare(ada.client, { objid: id, password: 'é' });
    for (const header of ['\u00e9', '\u00c3\u00a9']) {
      const response = await service.inject({
        method: 'GET',
        url: `/api/object/${id}`,
        headers: { 'x-share-password': header },
      });
      expect(response.statusCode).toBe(200);
    }
  });

  it('are refused after five wrong attempts, except for callers who know them', async () => {
    const { short_id: id } = await addModel(ada.client);
    await addShare(ada.client, { objid: id, password: 'right' });
    const look = (sharePassword: string) =>
      codeOf(service.anonymous.viewObject({ ...of(id), sharePassword }));
    expect(await look('right')).toBeNull();
    for (let i = 0; i < 5; i++) expect(await look(`wrong ${i}`)).toBe('PERMISSION_DENIED');
    expect(await look('wrong')).toBe('RATE_LIMITED');
    // remembered for ten minutes, so no attempt
    expect(await look('right')).toBeNull();
    service.clock.now += 600_000;
    expect(await look('right')).toBeNull();
    service.clock.now += 600_000;
  });

  it('can be changed and removed, and the end of their share can be moved', async () => {
    const { short_id: id } = await addModel(ada.client);
    const share = of((await addShare(ada.client, { objid: id, password: 'old' })).short_id);
    const change = (payload: { password?: string; expires_at?: string | null }) =>
      ada.client.updateObject({
        ...share,
        body: { payload: { object_type: 'share', ...payload } },
      });
    const look = (sharePassword?: string) =>
      codeOf(service.anonymous.viewObject({ ...of(id), sharePassword }));
    expect(await look('old')).toBeNull();
    expect(await change({ password: 'new' })).toMatchObject({ password: 'new' });
    expect([await look('old'), await look('new')]).toEqual(['PERMISSION_DENIED', null]);
    await change({ password: '' });
    expect(await look()).toBeNull();
    expect(await codeOf(change({ expires_at: '2000-01-01T00:00:00Z' }))).toBe('INVALID_PARAMETER');
    expect(await change({ expires_at: '2999-01-01T00:00:00Z' })).toMatchObject({
      expires_at: '2999-01-01T00:00:00.000Z',
      password: '',
    });
    await execute(
      service.database.pool,
      sql`update shares set expires_at = now() - interval '1 second' where expires_at is not null`,
    );
    expect(await look()).toBe('PERMISSION_DENIED');
    expect(await codeOf(service.anonymous.viewObject(share))).toBe('NOT_FOUND');
    await change({ expires_at: null });
    expect(await look()).toBeNull();
  });
});
