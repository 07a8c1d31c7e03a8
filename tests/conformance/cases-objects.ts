/** Cases for listing, creating, viewing, changing and deleting objects: rows of the table in `cases.ts`. */
import { expect } from 'vitest';
import type { Client } from '../../src/client/create-client.ts';
import { expectKind } from '../../src/client/expect-kind.ts';
import type { TreeNode } from '../../src/contract/model.ts';
import type { CreatePayload } from '../../src/contract/objects.ts';
import { addData, addModel, addShare } from '../support/objects.ts';
import type { Case } from './cases.ts';
import { createBindings, fireAndRunScript } from './cases-functions.ts';
import { unknown } from './world.ts';

const create = (client: Client, payload: CreatePayload) =>
  client.createObject({ body: { payload } });
const objid = (id: string) => ({ params: { objid: id } });

type Rows =
  | 'listObjects'
  | 'createObject'
  | 'deleteObjects'
  | 'viewObject'
  | 'updateObject'
  | 'deleteObject'
  | 'listVersions';

export const objectCases: Readonly<Record<Rows, Case>> = {
  listObjects: {
    async success({ ada, model, experiment }) {
      const page = await ada.client.listObjects({
        query: { object_type: 'model', page_size: 1, page_no: 1, sort: 'created' },
      });
      expect(page).toMatchObject({ page: 1, count_per_page: 1 });
      expect(page.total).toBeGreaterThan(1);
      expect(page.objects).toHaveLength(1);
      const found = await ada.client.listObjects({ query: { object_type: 'model', q: model } });
      expect(found.objects.map((object) => object.short_id)).toEqual([model]);
      const { input } = experiment;
      const readers = await ada.client.listObjects({
        query: { object_type: 'experiment', data_id: [input ?? ''] },
      });
      expect(readers.objects.map((object) => object.short_id)).toEqual([experiment.short_id]);
      const question = {
        object_type: 'project' as const,
        name: 'A question',
        members: [model],
      };
      const project = await create(ada.client, question);
      const holding = await ada.client.listObjects({
        query: { object_type: 'project', member_id: [model] },
      });
      expect(holding.objects).toMatchObject([{ short_id: project.short_id, counts: { model: 1 } }]);
      const looked = await ada.client.listObjects({
        query: { object_type: 'experiment', verdict: 'look', with_counts: true, sort: '-rhat' },
      });
      expect(looked).toMatchObject({ status_counts: { look: looked.total } });
      const none = await ada.client.listObjects({
        query: {
          object_type: 'experiment',
          created_from: '2020-01-01',
          created_to: '2020-01-02',
          finished_from: '2020-01-01',
          finished_to: '2020-01-02',
        },
      });
      expect(none).toMatchObject({ total: 0, objects: [] });
      expect(none.status_counts).toBeUndefined();
    },
    errors: {
      UNAUTHORIZED: ({ service }) =>
        service.anonymous.listObjects({ query: { object_type: 'model' } }),
      INVALID_PARAMETER: ({ ada }) =>
        ada.client.listObjects({ query: { object_type: 'model', sort: 'size' } }),
      PERMISSION_DENIED: ({ ada, bob }) =>
        ada.client.listObjects({ query: { object_type: 'model', owner: bob.username } }),
    },
  },
  createObject: {
    async success(world) {
      await createBindings(world);
      const { ada } = world;
      const tree: TreeNode[] = [{ name: 'main.jl', content: 'Zg==', encoding: 'base64' }];
      const made = expectKind(
        await create(ada.client, { object_type: 'model', name: 'made', content: { tree } }),
        'model',
      );
      expect(made).toMatchObject({
        name: 'made',
        tags: ['model'],
        env: 'julia',
        lang: 'julia',
        version: 1,
        owner: ada.username,
      });
      expect(made.content).toEqual({
        meta: { entrance_file: 'main.jl' },
        tree: [
          { name: 'main.jl', type: 'file', content: 'Zg==', children: [], encoding: 'base64' },
        ],
      });
    },
    errors: {
      UNAUTHORIZED: ({ service }) => create(service.anonymous, { object_type: 'data', name: 'd' }),
      INVALID_PARAMETER: ({ ada }) =>
        create(ada.client, { object_type: 'data', name: 'd', data: '%', base64_encoded: true }),
      NOT_FOUND: ({ ada }) => create(ada.client, { object_type: 'share', objid: unknown.model }),
      PERMISSION_DENIED: ({ bob, model }) =>
        create(bob.client, { object_type: 'share', objid: model }),
      NOT_SUPPORTED: ({ ada, data }) => create(ada.client, { object_type: 'share', objid: data }),
      TOO_LARGE: ({ ada }) => {
        const tree = Array.from({ length: 2001 }, (_, i) => ({ name: `f${i}`, content: '' }));
        return create(ada.client, { object_type: 'model', content: { tree } });
      },
      LIMIT_EXCEEDED: ({ ada }) =>
        create(ada.client, { object_type: 'experiment', meta: { note: 'x'.repeat(300_000) } }),
    },
  },
  deleteObjects: {
    async success({ ada }) {
      const ids = [(await addModel(ada.client)).short_id, (await addData(ada.client)).short_id];
      const { deleted_key: key } = await ada.client.deleteObjects({ query: { objids: ids } });
      expect(key).toMatch(/^[0-9a-f-]{36}$/);
      await expect(ada.client.viewObject(objid(ids[0]))).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
      for (const _ of [1, 2])
        expect(await ada.client.deleteObjects({ query: { deleted_key: key as string } })).toEqual({
          deleted_key: null,
        });
      expect(await ada.client.viewObject(objid(ids[1]))).toMatchObject({ short_id: ids[1] });
    },
    errors: {
      UNAUTHORIZED: ({ service, model }) =>
        service.anonymous.deleteObjects({ query: { objids: [model] } }),
      INVALID_PARAMETER: ({ ada }) => ada.client.deleteObjects(),
      NOT_FOUND: ({ ada, model }) =>
        ada.client.deleteObjects({ query: { objids: [model, unknown.model] } }),
      PERMISSION_DENIED: ({ bob, model }) =>
        bob.client.deleteObjects({ query: { objids: [model] } }),
    },
  },
  viewObject: {
    async success({ ada, service, model, data, workflow, experiment }) {
      expect(
        expectKind(await ada.client.viewObject(objid(model)), 'model').content?.tree,
      ).toHaveLength(1);
      const file = expectKind(await ada.client.viewObject(objid(data)), 'data');
      expect(file.path).toMatch(/^http:\/\/(localhost|127\.0\.0\.1:\d+)\/files\//);
      expect(
        (await service.inject({ method: 'GET', url: new URL(file.path as string).pathname })).body,
      ).toBe('{"N": 3}');
      expect(await ada.client.viewObject(objid(workflow))).toMatchObject({
        object_type: 'workflow',
        data_fmt: 'json',
      });
      expect(await ada.client.viewObject(objid(experiment.short_id))).toMatchObject({
        status: 'FIN',
        n_samples: 20,
        n_chains: 2,
      });
    },
    errors: {
      NOT_FOUND: ({ ada }) => ada.client.viewObject(objid(unknown.model)),
      PERMISSION_DENIED: ({ bob, model }) => bob.client.viewObject(objid(model)),
      UNAUTHORIZED: ({ service, model }) =>
        service.clientOf('erg_unknown').viewObject(objid(model)),
      INVALID_PARAMETER: ({ ada, model }) =>
        ada.client.viewObject({ ...objid(model), query: { object_type: 'data' } }),
      async RATE_LIMITED({ ada, service }) {
        const { short_id: id } = await addModel(ada.client);
        await addShare(ada.client, { objid: id, password: 'right' });
        const wrong = () => service.anonymous.viewObject({ ...objid(id), sharePassword: 'wrong' });
        for (let i = 0; i < 5; i++) await wrong().catch(() => {});
        return wrong();
      },
    },
  },
  updateObject: {
    async success(world) {
      await fireAndRunScript(world);
      const { ada } = world;
      const { short_id: id } = await addModel(ada.client);
      const change = { object_type: 'model', name: 'renamed', description: 'why' } as const;
      expect(
        await ada.client.updateObject({ ...objid(id), body: { payload: change } }),
      ).toMatchObject({ name: 'renamed', version: 1 });
      const content = {
        tree: [
          { name: 'model.stan', content: 'parameters { real x; }', encoding: 'text' } as const,
        ],
      };
      const project = await create(ada.client, { object_type: 'project', name: 'A question' });
      const changeProject = (
        payload: Parameters<typeof ada.client.updateObject>[0]['body']['payload'],
      ) => ada.client.updateObject({ ...objid(project.short_id), body: { payload } });
      expect(await changeProject({ object_type: 'project', note: 'why', add: [id] })).toMatchObject(
        {
          note: 'why',
          version: 2,
          members: [{ object: { short_id: id } }],
        },
      );
      expect(await changeProject({ object_type: 'project.entry', text: 'decided' })).toMatchObject({
        entries: [{ text: 'decided', version: 1 }],
      });
      const next = { object_type: 'model', content, base_version: 1 } as const;
      expect(
        await ada.client.updateObject({ ...objid(id), body: { payload: next } }),
      ).toMatchObject({ name: 'renamed', version: 2 });
    },
    errors: {
      UNAUTHORIZED: ({ service, model }) =>
        service.anonymous.updateObject({
          ...objid(model),
          body: { payload: { object_type: 'model' } },
        }),
      NOT_FOUND: ({ ada }) =>
        ada.client.updateObject({
          ...objid(unknown.model),
          body: { payload: { object_type: 'model' } },
        }),
      PERMISSION_DENIED: ({ bob, model }) =>
        bob.client.updateObject({ ...objid(model), body: { payload: { object_type: 'model' } } }),
      INVALID_PARAMETER: ({ ada, model }) =>
        ada.client.updateObject({ ...objid(model), body: { payload: { object_type: 'data' } } }),
      CONFLICT: ({ ada, data }) =>
        ada.client.updateObject({
          ...objid(data),
          body: { payload: { object_type: 'data', data: '{}', base_version: 7 } },
        }),
      async NOT_SUPPORTED({ ada }) {
        // neither a Stan program nor anything that names another runtime
        const content = { tree: [{ name: 'main.f90', content: 'end' }] };
        const model = await create(ada.client, { object_type: 'model', content });
        const workflow = { object_type: 'workflow', model_id: model.short_id } as const;
        const { short_id: id } = await create(ada.client, workflow);
        const payload = { object_type: 'workflow.run', startup_script: '' } as const;
        return ada.client.updateObject({ ...objid(id), body: { payload } });
      },
      TOO_LARGE: ({ ada, model }) => {
        let tree: TreeNode[] = [{ name: 'deep', content: 'x' }];
        for (let i = 0; i < 33; i++) tree = [{ name: 'folder', type: 'folder', children: tree }];
        return ada.client.updateObject({
          ...objid(model),
          body: { payload: { object_type: 'model', content: { tree } } },
        });
      },
      LIMIT_EXCEEDED: ({ ada, experiment }) => {
        const payload = { object_type: 'experiment', meta: { note: 'x'.repeat(300_000) } } as const;
        return ada.client.updateObject({ ...objid(experiment.short_id), body: { payload } });
      },
    },
  },
  deleteObject: {
    async success({ ada }) {
      const [a, b] = [(await addModel(ada.client)).short_id, (await addData(ada.client)).short_id];
      const { deleted_key: key } = await ada.client.deleteObject(objid(`${a},${b}`));
      for (const id of [a, b])
        await expect(ada.client.viewObject(objid(id))).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(
        await ada.client.deleteObject({ ...objid(a), query: { deleted_key: key as string } }),
      ).toEqual({ deleted_key: null });
      expect(await ada.client.viewObject(objid(b))).toMatchObject({ short_id: b });
    },
    errors: {
      UNAUTHORIZED: ({ service, model }) => service.anonymous.deleteObject(objid(model)),
      NOT_FOUND: ({ ada, model }) =>
        ada.client.deleteObject({ ...objid(model), query: { deleted_key: 'no key' } }),
      PERMISSION_DENIED: ({ bob, model }) => bob.client.deleteObject(objid(model)),
    },
  },
  listVersions: {
    async success({ ada }) {
      const { short_id: id } = await addData(ada.client, { data: 'a,b\n1,2\n' });
      await ada.client.updateObject({
        ...objid(id),
        body: { payload: { object_type: 'data', data: 'plain' } },
      });
      const { versions } = await ada.client.listVersions(objid(id));
      expect(versions.map((entry) => entry.version)).toEqual([2, 1]);
      expect(await ada.client.viewObject({ ...objid(id), query: { version: 1 } })).toMatchObject({
        version: 1,
        fmt: 'csv',
        size: 8,
      });
      expect(await ada.client.viewObject(objid(id))).toMatchObject({
        version: 2,
        fmt: 'raw',
        size: 5,
      });
    },
    errors: {
      UNAUTHORIZED: ({ service, model }) => service.anonymous.listVersions(objid(model)),
      NOT_FOUND: ({ ada }) => ada.client.listVersions(objid(unknown.model)),
      PERMISSION_DENIED: ({ bob, model }) => bob.client.listVersions(objid(model)),
      NOT_SUPPORTED: ({ ada, experiment }) => ada.client.listVersions(objid(experiment.short_id)),
    },
  },
};
