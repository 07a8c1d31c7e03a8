/** Cases for teams: rows of the table in `cases.ts`. */
import { expect } from 'vitest';
import { addData, addModel } from '../support/objects.ts';
import type { Case } from './cases.ts';
import type { World } from './world.ts';

type Rows = 'listTeams' | 'createTeam' | 'updateTeam' | 'moveObject';

let teams = 0;

/** A new team of Ada's, created by an administrator. */
const makeTeam = ({ service, ada }: World) =>
  service.owner.client.createTeam({
    body: { name: `team-${++teams}`, members: [ada.username] },
  });

const update = (teamId: number | string, members: string[]) => ({
  params: { team_id: String(teamId) },
  body: { members },
});

export const teamCases: Readonly<Record<Rows, Case>> = {
  listTeams: {
    async success(world) {
      const team = await makeTeam(world);
      expect((await world.ada.client.listTeams()).teams).toContainEqual(team);
      expect((await world.bob.client.listTeams()).teams).toEqual([]);
      expect((await world.service.owner.client.listTeams()).teams).toContainEqual(team);
    },
    errors: { UNAUTHORIZED: ({ service }) => service.anonymous.listTeams() },
  },
  createTeam: {
    async success(world) {
      const team = await makeTeam(world);
      expect(team).toEqual({
        id: team.id,
        name: `team-${teams}(@${team.id})`,
        group: null,
        members: [world.ada.username],
      });
    },
    errors: {
      UNAUTHORIZED: ({ service }) => service.anonymous.createTeam({ body: { name: 'a' } }),
      PERMISSION_DENIED: ({ ada }) => ada.client.createTeam({ body: { name: 'mine' } }),
      INVALID_PARAMETER: ({ service }) =>
        service.owner.client.createTeam({ body: { name: 'no spaces' } }),
      CONFLICT: ({ service }) => service.owner.client.createTeam({ body: { name: 'ada' } }),
    },
  },
  updateTeam: {
    async success(world) {
      const { service, bob } = world;
      const { id } = await makeTeam(world);
      const team = await service.owner.client.updateTeam(update(id, [bob.username]));
      expect(team.members).toEqual([bob.username]);
    },
    errors: {
      UNAUTHORIZED: ({ service }) => service.anonymous.updateTeam(update(1, [])),
      PERMISSION_DENIED: ({ ada }) => ada.client.updateTeam(update(1, [])),
      NOT_FOUND: ({ service }) => service.owner.client.updateTeam(update('none', [])),
      INVALID_PARAMETER: async (world) => {
        const { id } = await makeTeam(world);
        await world.service.owner.client.updateTeam(update(id, ['nobody']));
      },
    },
  },
  moveObject: {
    async success(world) {
      const { name: owner } = await makeTeam(world);
      const { client, username } = world.ada;
      const { short_id: objid } = await addData(client);
      expect(await client.moveObject({ params: { objid }, body: { owner } })).toBeNull();
      expect(await client.viewObject({ params: { objid } })).toMatchObject({ owner });
      await client.moveObject({ params: { objid }, body: { owner: username } });
    },
    errors: {
      UNAUTHORIZED: ({ service }) =>
        service.anonymous.moveObject({ params: { objid: 'M0000000' }, body: { owner: '' } }),
      NOT_FOUND: ({ ada }) =>
        ada.client.moveObject({ params: { objid: 'M0000000' }, body: { owner: ada.username } }),
      PERMISSION_DENIED: async ({ ada, bob }) => {
        const { short_id: objid } = await addModel(ada.client);
        await ada.client.moveObject({ params: { objid }, body: { owner: bob.username } });
      },
    },
  },
};
