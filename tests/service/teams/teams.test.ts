/** What members may do with a team's objects, what they lose when they leave, and what moves to the team. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Team } from '../../../src/contract/team.ts';
import { inTransaction } from '../../../src/service/repositories/database.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import { changeOwner } from '../../../src/service/repositories/owners.ts';
import { replaceMembers } from '../../../src/service/repositories/teams.ts';
import {
  addData,
  addFinishedExperiment,
  addModel,
  addProject,
  addShare,
  startExperiment,
} from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

let service: TestService;
let ada: Person;
let bob: Person;
let team: Team;
let count = 0;

beforeAll(async () => {
  service = await createTestService();
});
beforeEach(async () => {
  ada = await service.addPerson(`ada-${++count}`);
  bob = await service.addPerson(`bob-${count}`);
  team = await service.owner.client.createTeam({
    body: { name: `lab-${count}`, members: [ada.username, bob.username] },
  });
});
afterAll(() => service.close());

const leave = (...stay: Person[]) =>
  service.owner.client.updateTeam({
    params: { team_id: String(team.id) },
    body: { members: stay.map(({ username }) => username) },
  });
const move = ({ client }: Person, objid: string, owner = team.name) =>
  client.moveObject({ params: { objid }, body: { owner } });
const view = ({ client }: Person, objid: string) => client.viewObject({ params: { objid } });
const denied = { code: 'PERMISSION_DENIED' };

/** Waits until a statement in another transaction waits for ours, or `asked` ended without waiting. */
async function untilItWaits(asked: Promise<unknown>): Promise<void> {
  let isOver = false;
  void asked
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  await vi.waitFor(async () => {
    const { rows } = await service.database.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(isOver || rows.length > 0).toBe(true);
  });
}

describe('an object of a team', () => {
  it('can be seen, changed and run by every member; a run of its workflow belongs to the team', async () => {
    const { workflow_id: workflow, short_id: run } = await startExperiment(ada.client);
    await service.database.pool.query("update objects set status = 'FIN' where short_id = $1", [
      run,
    ]);
    const source = (await view(ada, workflow)) as unknown as { model_id: string; data_id: string };
    for (const id of [source.model_id, source.data_id, workflow]) await move(ada, id);
    const answer = await bob.client.invoke({ body: { target: workflow, action: 'run_sample' } });
    const made = answer.experiment_id ?? '';
    expect(await view(ada, made)).toMatchObject({ owner: team.name });
    const startedBy = async () =>
      (
        await service.database.pool.query(
          'select started_by from experiments e join objects o using (id) where o.short_id = $1',
          [made],
        )
      ).rows[0]?.started_by;
    expect(await startedBy()).toBe(bob.row.id);
    await service.database.pool.query(
      "update experiment_chains set state = 'paused', desired_state = 'pause'",
    );
    await ada.client.updateObject({
      params: { objid: made },
      body: { payload: { object_type: 'experiment', action: 'resume' } },
    });
    expect(await startedBy()).toBe(ada.row.id);
    expect(await view(bob, workflow)).toMatchObject({ owner: team.name });
  });

  it('can be created by a member, and is listed under the team with an exact count', async () => {
    const body = { payload: { object_type: 'data', name: 'Heights', data: '{}' } as const };
    const made = await ada.client.createObject({ body: { ...body, owner: team.name } });
    const ask = ({ client }: Person) =>
      client.listObjects({ query: { object_type: 'data', owner: team.name } });
    expect(await ask(bob)).toMatchObject({ total: 1, objects: [{ short_id: made.short_id }] });
    expect((await bob.client.listObjects({ query: { object_type: 'data' } })).total).toBe(0);
    const carol = await service.addPerson(`carol-${count}`);
    await expect(ask(carol)).rejects.toMatchObject(denied);
    await expect(
      carol.client.createObject({ body: { ...body, owner: team.name } }),
    ).rejects.toMatchObject(denied);
  });

  it('is lost at once to a member who leaves, including undo and use in their own workflows', async () => {
    const model = await addModel(ada.client);
    await move(ada, model.short_id);
    const data = await addData(ada.client);
    const workflow = await ada.client.createObject({
      body: {
        payload: {
          object_type: 'workflow',
          name: 'Mine',
          model_id: model.short_id,
          data_id: data.short_id,
        },
      },
    });
    const other = await addModel(ada.client);
    await move(ada, other.short_id);
    const { deleted_key: key } = await ada.client.deleteObject({
      params: { objid: other.short_id },
      query: {},
    });
    await leave(bob);
    await expect(view(ada, model.short_id)).rejects.toMatchObject(denied);
    await expect(
      ada.client.invoke({ body: { target: workflow.short_id, action: 'run_sample' } }),
    ).rejects.toThrow(/does not have the same owner/);
    await ada.client.deleteObjects({ query: { deleted_key: key ?? '' } });
    await expect(view(bob, other.short_id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await view(bob, model.short_id)).toMatchObject({ owner: team.name });
  });

  it('notifies every member if it is a run that has ended', async () => {
    const run = await addFinishedExperiment(service, ada.client);
    await move(ada, run.short_id);
    const { notifyUsers } = await import('../../../src/service/facts/notify-users.ts');
    await notifyUsers(
      service.database.pool as never,
      {
        kind: 'run_ended',
        experiment: { owner_id: team.id, name: 'A run', short_id: run.short_id, meta: {} },
        ending: { failure: 'out of memory' },
      } as never,
    );
    for (const { client } of [ada, bob])
      expect(
        (await client.listNotifications({ query: { status: 'all' } })).objects[0],
      ).toMatchObject({
        title: 'A run failed',
      });
  });
});

describe('an object that moves', () => {
  it('keeps its shares, and the members of a project', async () => {
    const model = await addModel(ada.client);
    const project = await addProject(ada.client, { members: [model.short_id] });
    const share = await addShare(ada.client, { objid: model.short_id });
    await move(ada, project.short_id);
    expect(await view(bob, model.short_id)).toMatchObject({ owner: team.name });
    await bob.client.deleteObject({ params: { objid: share.short_id }, query: {} });
    await leave(bob);
    await expect(view(ada, project.short_id)).rejects.toMatchObject(denied);
  });

  it('goes to one of two members who take it at the same time; the other gets an error', async () => {
    const { short_id: id } = await addModel(ada.client);
    await move(ada, id);
    const { pool } = service.database;
    const taken = await inTransaction(pool, async (tx) => {
      const row = await findObject(tx, id);
      await changeOwner(tx, { ids: [row?.id ?? 0], ownerId: ada.row.id });
      const other = move(bob, id, bob.username);
      await untilItWaits(other);
      return { other };
    });
    await expect(taken.other).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await view(ada, id)).toMatchObject({ owner: ada.username });
  });

  it('leaves projects that do not move with it', async () => {
    const model = await addModel(ada.client);
    const project = await addProject(ada.client, { members: [model.short_id] });
    await move(ada, model.short_id);
    expect(await view(ada, project.short_id)).toMatchObject({ members: [] });
  });

  it('cannot be a running run or an event', async () => {
    const run = await startExperiment(ada.client);
    await expect(move(ada, run.short_id)).rejects.toMatchObject({ code: 'CONFLICT' });
    const make = async (payload: object) =>
      (await ada.client.createObject({ body: { payload: payload as never } })).short_id;
    const event = await make({ object_type: 'event', name: 'done' });
    await expect(move(ada, event)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  });

  it('cannot go to other users or teams; a callback cannot be created in a team', async () => {
    const { short_id: id } = await addModel(ada.client);
    await expect(move(ada, id, bob.username)).rejects.toMatchObject(denied);
    await expect(move(ada, id, `${team.name}x`)).rejects.toMatchObject(denied);
    const callback = { object_type: 'callback', lang: 'javascript', code: '' } as never;
    await expect(
      ada.client.createObject({ body: { payload: callback, owner: team.name } }),
    ).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  });
});

describe('a team', () => {
  it('has the members of one of two simultaneous changes, not of both', async () => {
    await leave();
    const { second } = await inTransaction(service.database.pool, async (tx) => {
      await replaceMembers(tx, team.id, [ada.row.id]);
      const second = leave(bob);
      await untilItWaits(second);
      return { second };
    });
    await second;
    const { teams } = await service.owner.client.listTeams();
    expect(teams.find(({ id }) => id === team.id)?.members).toEqual([bob.username]);
  });

  it('cannot sign in or receive shares', async () => {
    const [name = ''] = team.name.split('(');
    await expect(
      service.anonymous.login({ body: { username: name, password: '' } }),
    ).rejects.toMatchObject(denied);
    const { short_id: objid } = await addModel(ada.client);
    await expect(
      ada.client.createObject({
        body: { payload: { object_type: 'share', objid, target_user: team.name } as never },
      }),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });
});
