/** Each number that a request may contain, at the limits of database columns and number types. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindLetters } from '../../src/contract/common.ts';
import { type Endpoint, type EndpointName, endpoints } from '../../src/contract/endpoints.ts';
import { addFinishedExperiment, addShare, addWorkflow } from '../support/objects.ts';
import { formsOf, withNumber } from '../support/request-schemas.ts';
import { createTestService, type Person, type TestService } from '../support/service.ts';

let service: TestService;
let ada: Person;
/** An object of each kind, and an experiment of an outside runner, by the first letter of its id. */
const ids = new Map<string, string>();
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  const experiment = await addFinishedExperiment(service, ada.client);
  const workflow = await addWorkflow(ada.client);
  const share = await addShare(ada.client, { objid: experiment.short_id });
  const make = async (payload: never) =>
    (await ada.client.createObject({ body: { payload } })) as { short_id: string };
  const event = await make({ object_type: 'event', name: 'an event' } as never);
  outside = (await make({ object_type: 'experiment' } as never)).short_id;
  const project = await make({ object_type: 'project', name: 'a project' } as never);
  const made = [experiment, workflow, share, event, project].map(({ short_id: id }) => id);
  for (const id of [...made, workflow.model_id as string, workflow.data_id as string])
    ids.set(id[0], id);
});
afterAll(() => service.close());
let outside: string;

const powers = [8, 15, 16, 31, 32, 53, 63, 64];
const numbers = [
  ...powers.flatMap((power) => [2 ** power - 1, 2 ** power, -(2 ** power), -(2 ** power) - 1]),
  0,
  -0,
  0.5,
  -1,
  1e300,
  -1e300,
  5e-324,
];

/** One number of one form of a request. */
interface Place {
  readonly name: EndpointName;
  readonly where: 'query' | 'body';
  readonly example: unknown;
  readonly path: readonly (string | number)[];
}

function placesOf(name: EndpointName): Place[] {
  const endpoint: Endpoint = endpoints[name];
  return (['query', 'body'] as const).flatMap((where) => {
    const schema = endpoint[where];
    if (schema === undefined || schema === 'binary') return [];
    return formsOf(schema).flatMap(({ example, numbers: paths }) =>
      paths.map((path) => ({ name, where, example, path })),
    );
  });
}

const typeOf = ({ example }: Place): string =>
  ((example as { payload?: { object_type?: string } }).payload?.object_type ?? '') as string;
const titleOf = (place: Place) =>
  `${place.name} ${place.where} ${typeOf(place)} ${place.path.join('.')}`;

const places = (Object.keys(endpoints) as EndpointName[]).flatMap(placesOf);

/** The objects to which the request can apply. */
function objectsFor(place: Place): string[] {
  const type = typeOf(place);
  if (type === 'experiment.nsample_stat' || type === 'experiment') return [outside];
  const letter = (kindLetters as Record<string, string>)[type.split('.')[0]];
  return letter === undefined ? [...ids.values()] : [ids.get(letter) as string];
}

async function send(place: Place, objid: string, number: number): Promise<number> {
  const endpoint: Endpoint = endpoints[place.name];
  const sent = withNumber(place.example, place.path, number);
  const query = new URLSearchParams();
  // everything else stays at its default, so that only the number is tested
  if (place.where === 'query')
    query.set(String(place.path[0]), String((sent as Record<string, unknown>)[place.path[0]]));
  if (place.name === 'listObjects') query.set('object_type', 'experiment');
  if (place.name === 'listNotifications') query.set('status', 'all');
  if (place.path[0] === 'n_iteration') query.set('sampledata', 'true');
  const response = await service.inject(
    {
      method: endpoint.method,
      url: `${endpoint.path.replace(/\{\w+\}/g, objid)}?${query}`,
      payload: place.where === 'body' ? JSON.stringify(sent) : undefined,
    },
    ada.token,
  );
  return response.statusCode;
}

describe('every number in the contract', () => {
  it('is found, so that no schema is skipped silently', () => {
    expect(places.map(titleOf)).toEqual(
      expect.arrayContaining([
        'viewObject query  version',
        'viewObject query  n_iteration',
        'updateObject body model payload.base_version',
        'updateObject body experiment payload.n_chains',
        'updateObject body experiment.nsample_stat payload.n_sample',
        'markNotifications body  notification_ids.0',
      ]),
    );
  });

  it.each(places.map((place) => [titleOf(place), place] as const))(
    '%s is stored or refused at every size, never answered with a 5xx status',
    async (_, place) => {
      const faults: string[] = [];
      for (const objid of objectsFor(place)) {
        for (const number of numbers) {
          const status = await send(place, objid, number);
          if (status >= 500) faults.push(`${number} at ${objid[0]}: ${status}`);
        }
      }
      expect(faults).toEqual([]);
    },
  );
});
