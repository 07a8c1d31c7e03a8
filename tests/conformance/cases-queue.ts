/** Cases for the queue: what everyone can see, and what administrators can change. */
import { expect } from 'vitest';
import { insertWorker, removeWorker } from '../../src/service/repositories/workers.ts';
import { addWorkflow } from '../support/objects.ts';
import type { Case } from './cases.ts';
import type { World } from './world.ts';

const addWorker = ({ service }: World, isOwnProcess = true) =>
  insertWorker(service.database.pool, {
    host: 'big-machine',
    pid: 42,
    pools: ['GPU'],
    slots: 8,
    version: '0.0.1',
    engine: 1,
    isOwnProcess,
  });
const drain = (person: World['ada'], id: number | string) =>
  person.client.updateWorker({
    params: { worker_id: String(id) },
    body: { desired_state: 'drain' },
  });
const share = (person: World['ada'], change: Record<string, unknown> = {}) =>
  person.client.updateQueueUser({
    body: { name: 'ada', weight: 2, chain_limit: 4, ...change },
  });

export const queueCases: Readonly<Record<'viewQueue' | 'updateWorker' | 'updateQueueUser', Case>> =
  {
    viewQueue: {
      async success(world) {
        const { service, ada, bob } = world;
        const { short_id: workflow } = await addWorkflow(ada.client);
        const id = await addWorker(world);
        await ada.client.invoke({ body: { target: workflow, action: 'run_sample' } });
        const own = await ada.client.viewQueue();
        expect(own).toMatchObject({ may_manage: false, users: [] });
        expect(own.runs.at(-1)).toMatchObject({
          owner: ada.username,
          is_mine: true,
          running: 0,
          place: own.runs.length,
          progress: null,
        });
        const others = await bob.client.viewQueue();
        expect(others.runs.at(-1)).toMatchObject({
          experiment_id: null,
          name: '',
          owner: '',
          is_mine: false,
          place: others.runs.length,
        });
        expect(JSON.stringify(others)).not.toContain('ada');
        const all = await service.owner.client.viewQueue();
        expect(all.runs.at(-1)).toMatchObject({ owner: ada.username, is_mine: false });
        expect(all.users.find((user) => user.name === ada.username)).toMatchObject({ running: 0 });
        expect(all.workers.find((worker) => worker.id === id)).toMatchObject({
          host: 'big-machine',
          pools: ['gpu'],
          can_retire: true,
          desired_state: 'work',
        });
        await removeWorker(service.database.pool, id);
      },
      errors: { UNAUTHORIZED: ({ service }) => service.anonymous.viewQueue() },
    },
    updateWorker: {
      async success(world) {
        const id = await addWorker(world);
        const { workers } = await drain(world.service.owner, id);
        expect(workers.find((worker) => worker.id === id)?.desired_state).toBe('drain');
        await removeWorker(world.service.database.pool, id);
      },
      errors: {
        UNAUTHORIZED: ({ service }) =>
          service.anonymous.updateWorker({
            params: { worker_id: '1' },
            body: { desired_state: 'drain' },
          }),
        PERMISSION_DENIED: async (world) => drain(world.ada, 1),
        NOT_FOUND: async ({ service }) => drain(service.owner, 'no-number'),
        INVALID_PARAMETER: async (world) =>
          world.service.owner.client.updateWorker({
            params: { worker_id: String(await addWorker(world, false)) },
            body: { desired_state: 'retire' },
          }),
      },
    },
    updateQueueUser: {
      async success({ service, ada }) {
        const body = { name: 'A-team-with-a-share', members: [ada.username] };
        const team = await service.owner.client.createTeam({ body });
        for (const name of [team.name, body.name]) {
          const answer = await share(service.owner, { name, chain_limit: 7 });
          expect(answer.users.find((user) => user.name === team.name)).toMatchObject({
            is_team: true,
            chain_limit: 7,
          });
        }
        const { users } = await share(service.owner);
        expect(users.find((user) => user.name === ada.username)).toMatchObject({
          weight: 2,
          chain_limit: 4,
        });
      },
      errors: {
        UNAUTHORIZED: ({ service }) =>
          service.anonymous.updateQueueUser({ body: { name: 'a', weight: 1, chain_limit: null } }),
        PERMISSION_DENIED: ({ ada }) => share(ada),
        INVALID_PARAMETER: ({ service }) => share(service.owner, { name: 'nobody here' }),
      },
    },
  };
