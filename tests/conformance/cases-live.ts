/** Cases for notifications, linked accounts and the space used: rows of the table in `cases.ts`. */
import { expect } from 'vitest';
import type { EndpointName } from '../../src/contract/endpoints.ts';
import { insertNotification } from '../../src/service/repositories/notifications.ts';
import { addData, addFinishedExperiment, addModel, addShare } from '../support/objects.ts';
import type { Case } from './cases.ts';
import type { World } from './world.ts';

/** A notification of Bob's. */
async function notifyBob({ service, bob }: World): Promise<number> {
  const { id } = await insertNotification(service.database.pool, {
    userId: bob.row.id,
    event: 'experiment_finished',
    title: 'A run finished',
    object: 'X1234567',
    verb: 'finished',
  });
  return id;
}

type Rows =
  | 'listNotifications'
  | 'markNotifications'
  | 'viewAuth0Config'
  | 'auth0Login'
  | 'exchangeCode'
  | 'viewAccessToken'
  | 'listLinkedAccounts'
  | 'deleteLinkedAccounts'
  | 'viewSpace'
  | 'freeSpace'
  | 'viewSavedViews'
  | 'updateSavedViews';

export const liveCases: Record<Rows & EndpointName, Case> = {
  listNotifications: {
    async success(world) {
      const { ada, bob } = world;
      const { short_id: objid } = await addModel(ada.client, { name: 'Shared' });
      const share = await addShare(ada.client, { objid, target_user: bob.username });
      const id = await notifyBob(world);
      const list = (status: 'all' | 'read' | 'unread', page_no = 1) =>
        bob.client.listNotifications({ query: { status, page_no, page_size: 1 } });
      const page = await list('unread');
      expect(page).toMatchObject({ page: 1, count_per_page: 1 });
      expect(page.total).toBeGreaterThanOrEqual(2);
      expect(page.objects).toEqual([
        {
          id,
          event: 'experiment_finished',
          title: 'A run finished',
          message: '',
          msg_object: 'X1234567',
          msg_verb: 'finished',
          share_id: '',
          created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
          read_at: null,
        },
      ]);
      expect((await list('all', 2)).objects).toMatchObject([
        {
          event: 'shared_with_you',
          title: 'ada shared a model with you',
          message: 'Shared',
          msg_object: objid,
          msg_verb: 'shared',
          share_id: share.short_id,
        },
      ]);
      await bob.client.markNotifications({ body: { notification_ids: [id], status: 'read' } });
      const read = await list('read');
      expect(read.objects).toMatchObject([{ id, read_at: expect.any(String) as string }]);
    },
    errors: {
      UNAUTHORIZED: ({ service }) =>
        service.anonymous.listNotifications({ query: { status: 'all' } }),
      INVALID_PARAMETER: ({ ada }) =>
        ada.client.listNotifications({ query: { status: 'some' as 'all' } }),
    },
  },
  markNotifications: {
    async success(world) {
      const { ada, bob } = world;
      const ids = [await notifyBob(world), await notifyBob(world)];
      const unread = async () => {
        const { objects } = await bob.client.listNotifications({ query: { status: 'unread' } });
        return objects.map(({ id }) => id).filter((id) => ids.includes(id));
      };
      const mark = (notification_ids: number[] | undefined, status: 'read' | 'unread') =>
        bob.client.markNotifications({ body: { notification_ids, status } });
      expect(await mark([ids[0], 999_999], 'read')).toBeNull();
      expect(await unread()).toEqual([ids[1]]);
      // a user cannot mark another user's notifications
      await ada.client.markNotifications({ body: { notification_ids: [ids[1]], status: 'read' } });
      expect(await unread()).toEqual([ids[1]]);
      await mark(undefined, 'read');
      expect(await unread()).toEqual([]);
      await mark([ids[1]], 'unread');
      expect(await unread()).toEqual([ids[1]]);
      await mark([], 'read');
      expect(await unread()).toEqual([ids[1]]);
    },
    errors: {
      UNAUTHORIZED: ({ service }) =>
        service.anonymous.markNotifications({ body: { status: 'read' } }),
      INVALID_PARAMETER: async ({ ada }) => {
        const body = { status: 'read', notification_ids: [0.5] } as const;
        await expect(
          ada.client.markNotifications({ body: { ...body, notification_ids: [0.5] } }),
        ).rejects.toThrow(/notification_ids/);
        return ada.client.markNotifications({ body: { status: 'seen' as 'read' } });
      },
    },
  },
  viewAuth0Config: {
    success: async ({ service }) =>
      expect(await service.anonymous.viewAuth0Config()).toEqual({ Domain: '', ClientID: '' }),
    errors: {},
  },
  auth0Login: {
    async success({ service }) {
      await expect(service.clientOf('of an identity provider').auth0Login()).rejects.toThrow(
        /sign in with user name and password/,
      );
    },
    errors: { NOT_SUPPORTED: ({ service }) => service.anonymous.auth0Login() },
  },
  exchangeCode: {
    async success({ service, ada }) {
      const sent = (payload: string, type: string) =>
        service.inject(
          { method: 'POST', url: '/base/code2token', payload, headers: { 'content-type': type } },
          ada.token,
        );
      // as a form, as clients generated from the document send it
      const form = await sent('code=a%20b', 'application/x-www-form-urlencoded');
      expect(form.json()).toMatchObject({ code: 'NOT_SUPPORTED' });
      const empty = await sent('code=', 'application/x-www-form-urlencoded');
      expect(empty.json()).toMatchObject({
        code: 'INVALID_PARAMETER',
        details: { field: 'code' },
      });
    },
    errors: {
      UNAUTHORIZED: ({ service }) => service.anonymous.exchangeCode({ body: { code: 'c' } }),
      INVALID_PARAMETER: ({ ada }) => ada.client.exchangeCode({ body: {} }),
      NOT_SUPPORTED: ({ ada }) => ada.client.exchangeCode({ body: { code: 'c' } }),
    },
  },
  viewAccessToken: {
    success: async ({ ada }) =>
      expect(await ada.client.viewAccessToken()).toEqual({ access_token: null }),
    errors: { UNAUTHORIZED: ({ service }) => service.anonymous.viewAccessToken() },
  },
  listLinkedAccounts: {
    success: async ({ ada }) =>
      expect(await ada.client.listLinkedAccounts()).toEqual({ linked_accounts: [] }),
    errors: { UNAUTHORIZED: ({ service }) => service.anonymous.listLinkedAccounts() },
  },
  deleteLinkedAccounts: {
    async success({ ada }) {
      // nothing can be linked, so undoing something else is the only call that succeeds
      const { short_id: objid } = await addModel(ada.client);
      const { deleted_key: key } = await ada.client.deleteObject({ params: { objid } });
      const undo = { query: { deleted_key: key as string } };
      expect(await ada.client.deleteLinkedAccounts(undo)).toEqual({ deleted_key: null });
    },
    errors: {
      UNAUTHORIZED: ({ service }) =>
        service.anonymous.deleteLinkedAccounts({ query: { accounts: ['github:ada'] } }),
      INVALID_PARAMETER: async ({ ada }) => {
        const malformed = ada.client.deleteLinkedAccounts({ query: { accounts: ['ada'] } });
        await expect(malformed).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
        return ada.client.deleteLinkedAccounts();
      },
      NOT_FOUND: async ({ ada }) => {
        const foreign = ada.client.deleteLinkedAccounts({ query: { deleted_key: 'no key' } });
        await expect(foreign).rejects.toMatchObject({ code: 'NOT_FOUND' });
        return ada.client.deleteLinkedAccounts({ query: { accounts: ['github:ada'] } });
      },
    },
  },
  viewSpace: {
    async success({ service }) {
      const eve = await service.addPerson('eve');
      const none = { bytes: 0, objects: 0 };
      expect(await eve.client.viewSpace()).toEqual({
        kinds: ['model', 'data', 'draws', 'logs', 'files'].map((kind) => ({ kind, ...none })),
        deleted: none,
      });
      const tree = [{ name: 'a.stan', content: 'x'.repeat(1000), encoding: 'text' as const }];
      await addModel(eve.client, { tree });
      await addModel(eve.client, { tree });
      const { short_id: data } = await addData(eve.client, { data: 'y'.repeat(500) });
      expect((await eve.client.viewSpace()).kinds.slice(0, 2)).toEqual([
        { kind: 'model', bytes: 1000, objects: 2 },
        { kind: 'data', bytes: 500, objects: 1 },
      ]);
      await eve.client.deleteObject({ params: { objid: data } });
      const space = await eve.client.viewSpace();
      expect(space.kinds[1]).toEqual({ kind: 'data', ...none });
      expect(space.deleted).toEqual({ bytes: 500, objects: 1 });
    },
    errors: { UNAUTHORIZED: ({ service }) => service.anonymous.viewSpace() },
  },
  freeSpace: {
    async success({ service }) {
      const eve = await service.addPerson('fay');
      const { short_id: gone } = await addFinishedExperiment(service, eve.client);
      const { short_id: kept } = await addData(eve.client, { data: 'kept' });
      const { deleted_key: key } = await eve.client.deleteObject({ params: { objid: gone } });
      const before = await eve.client.viewSpace();
      // two chains of twenty draws of three columns, and the log
      expect(before.deleted.objects).toBe(1);
      expect(before.deleted.bytes).toBeGreaterThanOrEqual(2 * 20 * 3 * 8);
      const after = await eve.client.freeSpace();
      expect(after.deleted).toEqual({ bytes: 0, objects: 0 });
      expect(after.kinds).toEqual(before.kinds);
      await expect(
        eve.client.deleteObjects({ query: { deleted_key: key as string } }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await eve.client.viewObject({ params: { objid: kept } })).toMatchObject({ size: 4 });
    },
    errors: { UNAUTHORIZED: ({ service }) => service.anonymous.freeSpace() },
  },
  viewSavedViews: {
    async success({ service }) {
      const gil = await service.addPerson('gil');
      const params = { list: 'models' };
      expect(await gil.client.viewSavedViews({ params })).toEqual({ views: [] });
      const views = [{ name: 'By name', search: { sort: 'name', q: 'a' } }];
      await gil.client.updateSavedViews({ params, body: { views } });
      expect(await gil.client.viewSavedViews({ params })).toEqual({ views });
      expect(await gil.client.viewSavedViews({ params: { list: 'data' } })).toEqual({ views: [] });
      const shared = { list: 'models shared with me' };
      await gil.client.updateSavedViews({ params: shared, body: { views } });
      expect(await gil.client.viewSavedViews({ params: shared })).toEqual({ views });
      // other users do not see them
      const hal = await service.addPerson('hal');
      expect(await hal.client.viewSavedViews({ params })).toEqual({ views: [] });
    },
    errors: {
      UNAUTHORIZED: ({ service }) =>
        service.anonymous.viewSavedViews({ params: { list: 'models' } }),
      INVALID_PARAMETER: ({ service }) =>
        service.owner.client.viewSavedViews({ params: { list: 'No list!' } }),
    },
  },
  updateSavedViews: {
    async success({ service }) {
      const ivy = await service.addPerson('ivy');
      const params = { list: 'experiments' };
      const view = (name: string) => ({ name, search: { status: 'FIN' } });
      const both = [view('a'), view('b')];
      expect(await ivy.client.updateSavedViews({ params, body: { views: both } })).toEqual({
        views: both,
      });
      await ivy.client.updateSavedViews({ params, body: { views: [view('b')] } });
      expect(await ivy.client.viewSavedViews({ params })).toEqual({ views: [view('b')] });
      await ivy.client.updateSavedViews({ params, body: { views: [] } });
      expect(await ivy.client.viewSavedViews({ params })).toEqual({ views: [] });
    },
    errors: {
      UNAUTHORIZED: ({ service }) =>
        service.anonymous.updateSavedViews({ params: { list: 'models' }, body: { views: [] } }),
      INVALID_PARAMETER: ({ service }) =>
        service.owner.client.updateSavedViews({
          params: { list: 'models' },
          body: { views: [{ name: '', search: {} }] },
        }),
    },
  },
};
