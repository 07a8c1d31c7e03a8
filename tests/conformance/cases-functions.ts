/** Cloud functions, callbacks, events and relations, as cases of the rows that serve them. */
import { expect } from 'vitest';
import type { CreatePayload } from '../../src/contract/objects.ts';
import { addFunction } from '../service/functions/function-service.ts';
import type { World } from './world.ts';

const create = async ({ ada }: World, payload: CreatePayload) =>
  (await ada.client.createObject({ body: { payload } })) as { short_id: string };
const call = ({ ada }: World, target: string, parameters = {}, getResponse = true) =>
  ada.client.invoke({ body: { target, action: 'run', parameters, get_response: getResponse } });

/** For `invoke`: with a response, without one, and a failure with the function's own message. */
export async function callFunctions(world: World): Promise<void> {
  const sum = 'export default ({ a, b }, ergodic) => [a + b, ergodic.parameters.a];';
  const id = await addFunction(world.ada.client, sum);
  expect(await call(world, id, { a: 1, b: 2 })).toEqual({ cloudfunction_response: [3, 1] });
  expect(await call(world, id, {}, false)).toEqual({});
  const reads = await addFunction(
    world.ada.client,
    'export default ({ x }, e) => e.draws(x).mu[1][2];',
  );
  expect(await call(world, reads, { x: world.experiment.short_id })).toEqual({
    cloudfunction_response: 2.003,
  });
}

/** For `invoke`: a function that exceeds a limit. */
export async function callEndlessly(world: World): Promise<unknown> {
  const id = await addFunction(world.ada.client, 'export default function f() { return f() + 1; }');
  return call(world, id);
}

/** For `invoke`: a language without a sandbox here. */
export async function callAbroad(world: World): Promise<unknown> {
  return call(world, await addFunction(world.ada.client, { 'main.jl': 'println(1)' }));
}

/** For `createObject`: the kinds that bind code to events. */
export async function createBindings(world: World): Promise<void> {
  const event = await create(world, { object_type: 'event', name: 'a bell' });
  expect(event).toMatchObject({ object_type: 'event', name: 'a bell' });
  expect(event.short_id).toMatch(/^E/);
  const callback = await create(world, {
    object_type: 'callback',
    lang: 'javascript',
    code: 'export default () => {};',
  });
  expect(callback).toMatchObject({ object_type: 'callback', lang: 'javascript' });
  expect(callback).toMatchObject({ token: expect.stringMatching(/^erg_/) });
  const ids = { object1_id: event.short_id, object2_id: callback.short_id };
  const relation = await create(world, { object_type: 'relation', ...ids });
  expect(relation).toMatchObject({ object_type: 'relation', user_id: world.ada.row.id, ...ids });
}

/** For `updateObject`: an event is fired, and a function called through the older endpoint. */
export async function fireAndRunScript(world: World): Promise<void> {
  const { short_id: objid } = await create(world, { object_type: 'event', name: 'a bell' });
  const payload = {
    object_type: 'event',
    params: '{"a": 1}',
    engine: 'lambda',
    lock_key: 'k',
  } as const;
  const { client } = world.ada;
  expect(await client.updateObject({ params: { objid }, body: { payload } })).toMatchObject({
    object_type: 'event',
    short_id: objid,
    runs: [],
  });
  const id = await addFunction(client, 'export default ({ a }) => a + 1;');
  const script = {
    object_type: 'model.run_script',
    params: '{"a": 1}',
    get_response: true,
  } as const;
  expect(await client.updateObject({ params: { objid: id }, body: { payload: script } })).toEqual({
    object_type: 'model.run_response',
    data: 2,
  });
}
