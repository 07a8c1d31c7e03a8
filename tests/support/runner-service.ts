/** The service in process, as seen by an outside runner and the owner of its experiment. */
import { decodeDraws } from '../../src/contract/draws.ts';
import type { Experiment } from '../../src/contract/experiment.ts';
import { findObject } from '../../src/service/repositories/objects.ts';
import { finaliseRun } from '../../src/service/runs/finalise.handler.ts';
import type { Answer, Send } from './scripted-runner.ts';
import type { Person, TestService } from './service.ts';

/** Requests without a content type and with the scheme in lower case, as public clients send them. */
export function sendAs(service: TestService, token: string): Send {
  return async (method, path, body) => {
    const response = await service.app.inject({
      method,
      url: path,
      headers: { authorization: `bearer ${token}` },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: response.statusCode, json: response.json<Answer>() };
  };
}

/** Created as a runner does, from nothing or from the given values. */
export async function makeOutside(
  send: Send,
  fields: Record<string, unknown> = {},
): Promise<Experiment> {
  const payload = {
    object_type: 'experiment',
    name: 'from outside',
    meta: { status: 'RUN' },
    run_on: 'local',
    ...fields,
  };
  const { json } = await send('POST', '/api/object', JSON.stringify({ payload }));
  if (json.status !== 'ok') throw new Error(`${json.code} ${json.message}`);
  return json.data as Experiment;
}

export async function viewOutside(send: Send, id: string, query = ''): Promise<Experiment> {
  return (await send('GET', `/api/object/${id}${query}`)).json.data as Experiment;
}

/** Does what a worker would, now. */
export async function finalise(service: TestService, id: string): Promise<void> {
  const { pool } = service.database;
  const object = await findObject(pool, id);
  if (object === null) throw new Error(`no experiment ${id}`);
  const outcome = await finaliseRun(pool, object.id);
  if (outcome.kind !== 'done') throw new Error(outcome.reason);
}

/** Chain → variable → [iteration, value] pairs, as the service returns them. */
export async function drawsOf(
  service: TestService,
  person: Person,
  id: string,
): Promise<Record<string, Record<string, [number, number][]>>> {
  const response = await service.inject({ method: 'GET', url: `/api/draws/${id}` }, person.token);
  const bytes = new Uint8Array(response.rawPayload);
  const { header, values } = decodeDraws(bytes.buffer);
  const draws: Record<string, Record<string, [number, number][]>> = {};
  for (const { chain, variable, first_iteration: first, count, offset } of header.columns) {
    draws[chain] ??= {};
    draws[chain][variable] ??= [];
    for (let i = 0; i < count; i++) draws[chain][variable].push([first + i, values[offset + i]]);
  }
  return draws;
}

/** Without the iterations. */
export function valuesOnly(
  draws: Awaited<ReturnType<typeof drawsOf>>,
): Record<string, Record<string, number[]>> {
  const values = (pairs: readonly [number, number][]) => pairs.map(([, value]) => value);
  return Object.fromEntries(
    Object.entries(draws).map(([chain, columns]) => [
      chain,
      Object.fromEntries(Object.entries(columns).map(([name, pairs]) => [name, values(pairs)])),
    ]),
  );
}
