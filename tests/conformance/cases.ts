/**
 * For each row of the endpoint table: a success, and a call for each error it documents. A type error here means that a
 * row has no case. Longer than most files: one table, a row an endpoint.
 */
import { expect } from 'vitest';
import type { Client } from '../../src/client/create-client.ts';
import { expectKind } from '../../src/client/expect-kind.ts';
import { decodeDraws } from '../../src/contract/draws.ts';
import type { EndpointName } from '../../src/contract/endpoints.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import type { TreeNode } from '../../src/contract/model.ts';
import type { CreatePayload } from '../../src/contract/objects.ts';
import { capabilities } from '../../src/contract/system.ts';
import { addData, addModel, addShare } from '../support/objects.ts';
import { analyseNothing, analyseWorkflow, drawPlot } from './cases-analysis.ts';
import { formatCases } from './cases-formats.ts';
import {
  callAbroad,
  callEndlessly,
  callFunctions,
  createBindings,
  fireAndRunScript,
} from './cases-functions.ts';
import { liveCases } from './cases-live.ts';
import { packageCases } from './cases-packages.ts';
import { runnerCases } from './cases-runner.ts';
import { unknown, type World } from './world.ts';

type Act = (world: World) => Promise<unknown>;

export interface Case {
  readonly success: Act;
  readonly errors: Partial<Record<ErrorCode, Act>>;
}

const create = (client: Client, payload: CreatePayload) =>
  client.createObject({ body: { payload } });
const objid = (id: string) => ({ params: { objid: id } });
const inTheYear2000 = '2000-01-01T00:00:00Z';

export const cases: Record<EndpointName, Case> = {
  ...liveCases,
  ...runnerCases,
  ...formatCases,
  ...packageCases,
  listObjects: {
    async success({ ada, model }) {
      const page = await ada.client.listObjects({
        query: { object_type: 'model', page_size: 1, page_no: 1, sort: 'created' },
      });
      expect(page).toMatchObject({ page: 1, count_per_page: 1 });
      expect(page.total).toBeGreaterThan(1);
      expect(page.objects).toHaveLength(1);
      const found = await ada.client.listObjects({ query: { object_type: 'model', q: model } });
      expect(found.objects.map((object) => object.short_id)).toEqual([model]);
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
  invoke: {
    async success(world) {
      await analyseWorkflow(world);
      await drawPlot(world);
      await callFunctions(world);
      const { ada, workflow } = world;
      const started = await ada.client.invoke({
        body: { target: workflow, action: 'run_sample', get_response: true },
      });
      const experiment = expectKind(
        await ada.client.viewObject(objid(started.experiment_id as string)),
        'experiment',
      );
      expect(experiment).toMatchObject({
        name: started.experiment_name,
        status: 'NEW',
        workflow_id: workflow,
        n_chains: 2,
      });
      expect(experiment.meta).toMatchObject({
        settings: { seed: 4, num_samples: 10 },
        iteration_count: 10,
      });
      expect(await ada.client.viewObject(objid(workflow))).toMatchObject({
        experiment_id: started.experiment_id,
      });
    },
    errors: {
      UNAUTHORIZED: ({ service, workflow }) =>
        service.anonymous.invoke({ body: { target: workflow, action: 'run_sample' } }),
      NOT_FOUND: ({ ada }) =>
        ada.client.invoke({ body: { target: unknown.workflow, action: 'run_sample' } }),
      PERMISSION_DENIED: ({ bob, workflow }) =>
        bob.client.invoke({ body: { target: workflow, action: 'run_sample' } }),
      async INVALID_PARAMETER({ ada, workflow }) {
        const payload = {
          object_type: 'workflow',
          settings: 'sampling: {num_chains: many}',
        } as const;
        await ada.client.updateObject({ ...objid(workflow), body: { payload } });
        await expect(
          ada.client.invoke({ body: { target: workflow, action: 'run_sample' } }),
        ).rejects.toThrow(/num_chains/);
        return ada.client.invoke({ body: { target: workflow, action: 'run' } });
      },
      CONFLICT: analyseNothing,
      LIMIT_EXCEEDED: callEndlessly,
      NOT_SUPPORTED: callAbroad,
    },
  },
  viewDraws: {
    async success({ ada, experiment }) {
      const query = { variable: ['mu'], chain: ['chain#2'], from: 3, to: 5 };
      const { header, values } = decodeDraws(
        await ada.client.viewDraws({ ...objid(experiment.short_id), query }),
      );
      expect(header.columns).toEqual([
        {
          chain: 'chain#2',
          variable: 'mu',
          phase: 'sampling',
          first_iteration: 3,
          step: 1,
          count: 3,
          offset: 0,
        },
      ]);
      expect([...values]).toEqual([2.003, 2.004, 2.005]);
    },
    errors: {
      NOT_FOUND: ({ ada }) => ada.client.viewDraws(objid(unknown.experiment)),
      PERMISSION_DENIED: ({ bob, experiment }) => bob.client.viewDraws(objid(experiment.short_id)),
      UNAUTHORIZED: ({ service, experiment }) =>
        service.clientOf('erg_unknown').viewDraws(objid(experiment.short_id)),
      INVALID_PARAMETER: ({ ada, experiment }) =>
        ada.client.viewDraws({ ...objid(experiment.short_id), query: { from: -1 } }),
    },
  },
  viewSummary: {
    async success({ ada, experiment }) {
      const summary = await ada.client.viewSummary(objid(experiment.short_id));
      expect(summary).toMatchObject({ n_chains: 2, n_samples: 20, verdict: { state: 'unknown' } });
      const mu = summary.variables.find((row) => row.variable === 'mu');
      expect(mu?.mean).toBeCloseTo(1.5105, 10);
    },
    errors: {
      NOT_FOUND: ({ ada }) => ada.client.viewSummary(objid(unknown.experiment)),
      PERMISSION_DENIED: ({ bob, experiment }) =>
        bob.client.viewSummary(objid(experiment.short_id)),
      UNAUTHORIZED: ({ service, experiment }) =>
        service.clientOf('erg_unknown').viewSummary(objid(experiment.short_id)),
    },
  },
  viewLog: {
    async success({ ada, experiment }) {
      const query = { stream: 'platform', q: 'program' } as const;
      const log = await ada.client.viewLog({ ...objid(experiment.short_id), query });
      expect(log.text).toMatch(/^Program model\.stan of M/);
      expect(log).toMatchObject({ from: 0, to: log.size, matches: [0] });
      const end = await ada.client.viewLog({
        ...objid(experiment.short_id),
        query: { stream: 'platform', from: -5 },
      });
      expect(end.text).toBe(log.text.slice(-5));
    },
    errors: {
      UNAUTHORIZED: ({ service, experiment }) =>
        service.anonymous.viewLog(objid(experiment.short_id)),
      NOT_FOUND: ({ ada }) => ada.client.viewLog(objid(unknown.experiment)),
      PERMISSION_DENIED: ({ bob, experiment }) => bob.client.viewLog(objid(experiment.short_id)),
      INVALID_PARAMETER: ({ ada, experiment }) =>
        ada.client.viewLog({ ...objid(experiment.short_id), query: { from: 0.5 } }),
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
  viewConfig: {
    async success({ service }) {
      const config = await service.anonymous.viewConfig();
      expect(config.capabilities).toEqual(capabilities);
      expect(config).toMatchObject({
        runtimes: { stan: true },
        limits: { body_bytes: 67_108_864 },
      });
    },
    errors: {},
  },
  viewGallery: {
    async success({ service }) {
      const { models, MCMC } = await service.anonymous.viewGallery();
      expect(models.Stan[0]).toMatchObject({ url: ['ergodic-gallery:eight-schools'] });
      expect(MCMC.Stan[0].url[3]).toBe('ergodic-gallery:eight-schools/chain_4.csv');
    },
    errors: {},
  },
  login: {
    async success({ service, password, ada }) {
      for (const username of ['ada', ada.username]) {
        const { tokens } = await service.anonymous.login({ body: { username, password } });
        expect(tokens).toEqual([expect.stringMatching(/^erg_[\w-]{43}$/)]);
        expect(await service.clientOf(tokens[0]).viewUser()).toMatchObject({
          username: ada.username,
        });
      }
    },
    errors: {
      INVALID_PARAMETER: ({ service }) =>
        service.anonymous.login({
          body: { username: 'ada' } as { username: string; password: string },
        }),
      PERMISSION_DENIED: ({ service }) =>
        service.anonymous.login({ body: { username: 'ada', password: 'wrong' } }),
      async RATE_LIMITED({ service }) {
        const wrong = () =>
          service.anonymous.login({ body: { username: 'nobody', password: 'wrong' } });
        for (let i = 0; i < 5; i++) await wrong().catch(() => {});
        return wrong();
      },
    },
  },
  logout: {
    async success({ service, password }) {
      const { tokens } = await service.anonymous.login({ body: { username: 'ada', password } });
      const client = service.clientOf(tokens[0]);
      expect(await client.logout()).toBeNull();
      await expect(client.viewUser()).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    },
    errors: { UNAUTHORIZED: ({ service }) => service.anonymous.logout() },
  },
  viewUser: {
    async success({ ada }) {
      expect(await ada.client.viewUser()).toEqual({
        id: ada.row.id,
        username: `ada(@${ada.row.id})`,
        super: false,
        roles: [],
        is_github_user: false,
        has_password: true,
      });
    },
    errors: { UNAUTHORIZED: ({ service }) => service.clientOf('erg_unknown').viewUser() },
  },
  updateUser: {
    async success({ service }) {
      const { client } = service.owner;
      expect(
        await client.updateUser({ body: { password: '', new_password: 'first one' } }),
      ).toMatchObject({ has_password: true });
      expect(
        await client.updateUser({ body: { password: 'first one', new_password: 'second one' } }),
      ).toMatchObject({ id: 1 });
      await service.anonymous.login({ body: { username: 'owner', password: 'second one' } });
    },
    errors: {
      UNAUTHORIZED: ({ service }) =>
        service.anonymous.updateUser({ body: { password: 'a', new_password: 'long enough' } }),
      INVALID_PARAMETER: ({ ada, password }) =>
        ada.client.updateUser({ body: { password, new_password: 'short' } }),
      PERMISSION_DENIED: ({ ada }) =>
        ada.client.updateUser({ body: { password: 'wrong', new_password: 'long enough' } }),
      async RATE_LIMITED({ bob }) {
        const wrong = () =>
          bob.client.updateUser({ body: { password: 'wrong', new_password: 'long enough' } });
        for (let i = 0; i < 5; i++) await wrong().catch(() => {});
        return wrong();
      },
    },
  },
  listTokens: {
    async success({ ada }) {
      const made = await ada.client.createToken({ body: { name: 'script' } });
      const [listed] = await ada.client.listTokens();
      expect(listed).toMatchObject({
        id: made.id,
        token_name: 'script',
        token: `${made.token.slice(0, 10)}…`,
      });
    },
    errors: { UNAUTHORIZED: ({ service }) => service.anonymous.listTokens() },
  },
  createToken: {
    async success({ ada, service }) {
      const made = await ada.client.createToken({
        body: { name: 'n', desc: 'd', expire: '2999-01-01' },
      });
      expect(made).toMatchObject({
        token_name: 'n',
        token_desc: 'd',
        token_expire: '2999-01-01T00:00:00.000Z',
      });
      expect(await service.clientOf(made.token).viewUser()).toMatchObject({
        username: ada.username,
      });
      // the body is optional
      expect(
        (await service.inject({ method: 'POST', url: '/base/user/tokens' }, ada.token)).statusCode,
      ).toBe(200);
    },
    errors: {
      UNAUTHORIZED: ({ service }) => service.anonymous.createToken({ body: {} }),
      INVALID_PARAMETER: ({ ada }) => ada.client.createToken({ body: { expire: inTheYear2000 } }),
    },
  },
  updateToken: {
    async success({ ada, service }) {
      const { id, token } = await ada.client.createToken({ body: {} });
      const params = { token_id: String(id) };
      expect(await ada.client.updateToken({ params, body: { name: 'renamed' } })).toMatchObject({
        id,
        token_name: 'renamed',
      });
      await ada.client.updateToken({ params, body: { expire: inTheYear2000 } });
      await expect(service.clientOf(token).viewUser()).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      });
    },
    errors: {
      UNAUTHORIZED: ({ service }) =>
        service.anonymous.updateToken({ params: { token_id: '1' }, body: {} }),
      NOT_FOUND: async ({ ada, bob }) => {
        const { id } = await ada.client.createToken({ body: {} });
        return bob.client.updateToken({ params: { token_id: String(id) }, body: { name: 'mine' } });
      },
      async INVALID_PARAMETER({ ada }) {
        const { id } = await ada.client.createToken({ body: {} });
        return ada.client.updateToken({
          params: { token_id: String(id) },
          body: { expire: 'tomorrow' },
        });
      },
    },
  },
  deleteTokens: {
    async success({ ada, service }) {
      const { id, token } = await ada.client.createToken({ body: {} });
      const { deleted_key: key } = await ada.client.deleteTokens({
        query: { tokens: [String(id)] },
      });
      await expect(service.clientOf(token).viewUser()).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      });
      expect(await ada.client.deleteTokens({ query: { deleted_key: key as string } })).toEqual({
        deleted_key: null,
      });
      expect(await service.clientOf(token).viewUser()).toMatchObject({ username: ada.username });
    },
    errors: {
      UNAUTHORIZED: ({ service }) => service.anonymous.deleteTokens({ query: { tokens: ['1'] } }),
      INVALID_PARAMETER: ({ ada }) => ada.client.deleteTokens(),
      NOT_FOUND: async ({ ada, bob }) => {
        const { id } = await ada.client.createToken({ body: {} });
        return bob.client.deleteTokens({ query: { tokens: [String(id)] } });
      },
    },
  },
};
