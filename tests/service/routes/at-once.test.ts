/** Two people do everything to the same few objects simultaneously: refusals are fine, faults are not. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiError } from '../../../src/client/api-error.ts';
import { expectKind } from '../../../src/client/expect-kind.ts';
import type { CreatePayload, UpdatePayload } from '../../../src/contract/objects.ts';
import { purgeRemoved } from '../../../src/service/repositories/objects.ts';
import { seedOfRuns } from '../../support/fuzz-runs.ts';
import {
  addData,
  addFinishedExperiment,
  addModel,
  addWorkflow,
  startExperiment,
} from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';
import { addFunction } from '../functions/function-service.ts';

let service: TestService;
let people: Person[];
beforeAll(async () => {
  service = await createTestService();
  people = [await service.addPerson('ada', { isSuper: true }), await service.addPerson('bob')];
});
afterAll(() => service.close());

/** What they act on; ids stay when the object is deleted, and come back with it. */
interface Things {
  readonly model: string;
  readonly data: string;
  readonly workflow: string;
  readonly finished: string;
  /** Its chains wait for a worker. */
  readonly queued: string;
  /** Of a runner elsewhere. */
  readonly outside: string;
  readonly event: string;
  readonly callback: string;
  readonly share: string;
  readonly deletedKeys: string[];
}

interface Step {
  readonly things: Things;
  readonly person: Person;
  /** Varies what is sent. */
  readonly n: number;
}

type Act = (step: Step) => Promise<unknown>;

const objid = (id: string) => ({ params: { objid: id } });
const create = ({ client }: Person, payload: CreatePayload) =>
  client.createObject({ body: { payload } }) as Promise<{ short_id: string }>;
const update = ({ client }: Person, id: string, payload: UpdatePayload) =>
  client.updateObject({ ...objid(id), body: { payload } });
const file = (n: number) =>
  ({ name: `f${n}.stan`, content: `// file ${n}`, encoding: 'text' }) as const;
const packed = gzipSync('<p>page</p>').toString('base64');
const ids = (n: number) => ({ batch_id: `b${n % 2}`, run_id: `r${n % 3}` });

async function remove({ person, things }: Step, id: string): Promise<void> {
  const { deleted_key: key } = await person.client.deleteObject(objid(id));
  if (key) things.deletedKeys.push(key);
}

const acts: Record<string, Act> = {
  'a model is saved': ({ person, things, n }) => {
    const tree = Array.from({ length: 6 }, (_, i) => file(n % 2 === 0 ? n + i : n + 6 - i));
    return update(person, things.model, { object_type: 'model', content: { tree } });
  },
  'a model is made': ({ person, n }) =>
    create(person, {
      object_type: 'model',
      name: 'm',
      content: { tree: [file(n), file(n + 1), file(n - 1)] },
    }),
  'data are saved': ({ person, things, n }) =>
    update(person, things.data, { object_type: 'data', data: `{"N": ${n}}` }),
  'settings are changed': ({ person, things, n }) =>
    update(person, things.workflow, {
      object_type: 'workflow',
      settings: `sampling: {num_chains: ${1 + (n % 3)}, num_samples: 5}`,
      data_id: n % 3 === 0 ? '' : things.data,
      experiment_id: n % 4 === 0 ? '' : things.finished,
    }),
  'a run is ordered': ({ person, things }) =>
    person.client.invoke({ body: { target: things.workflow, action: 'run_sample' } }),
  'an analysis is ordered': ({ person, things }) =>
    person.client.invoke({ body: { target: things.workflow, action: 'run_analyze' } }),
  'an analysis is sent': ({ person, things, n }) =>
    update(person, things.workflow, {
      object_type: 'workflow.analyzer_result',
      return_code: n % 2,
      errlines: ['a line'],
      result: n % 3 === 0 ? '' : packed,
    }),
  'a run is controlled': ({ person, things, n }) =>
    update(person, things.queued, {
      object_type: 'experiment',
      action: (['stop', 'pause', 'resume', 'extend'] as const)[n % 4],
      meta: n % 4 === 3 ? { extend_by: 10 } : {},
    }),
  'a run is renamed': ({ person, things, n }) =>
    update(person, things.queued, { object_type: 'experiment', name: `run ${n}`, meta: { n } }),
  // seldom: nothing else can be done to it afterwards
  'a run is deleted': async (step) => {
    if (step.n < 8) await remove(step, step.things.queued);
  },
  'meta is merged': ({ person, things, n }) =>
    update(person, things.outside, { object_type: 'experiment', meta: { [`note${n}`]: n } }),
  'a runner speaks': ({ person, things, n }) =>
    update(person, things.outside, {
      object_type: 'experiment.text_message',
      datas: [{ message: { action: 'experiment:output', data: `line ${n}\n` } }],
      ...ids(n),
    }),
  'a runner sends draws': ({ person, things, n }) =>
    update(person, things.outside, {
      object_type: 'experiment.protobuf_message',
      logs: {
        vars: { [`chain#${n % 3}`]: { x: [n, n + 1], [`y${n % 4}`]: [1, 2] } },
        iteration: { [`chain#${n % 3}`]: [1 + (n % 5), 2 + (n % 5)] },
      },
      ...ids(n),
    }),
  'a runner sends figures': ({ person, things, n }) =>
    update(person, things.outside, {
      object_type: 'experiment.nsample_stat',
      chain_name: `chain#${n % 3}`,
      n_sample: n,
      stat: { x: ['avg', n] },
      ...ids(n),
    }),
  'a run of an outside runner ends': ({ person, things, n }) =>
    update(person, things.outside, {
      object_type: 'experiment',
      status: n % 2 === 0 ? 'SAMPLE_FIN' : 'RUN',
      meta: { run_info: { ...ids(n), experiment_id: things.outside, status: 'SAMPLE_FIN' } },
    }),
  'draws are summarised': ({ person, things, n }) =>
    person.client.viewSummary(objid(n % 2 === 0 ? things.finished : things.outside)),
  'an event is fired': ({ person, things, n }) =>
    update(person, things.event, { object_type: 'event', lock_key: `k${n % 2}` }),
  'an event is bound': ({ person, things }) =>
    create(person, {
      object_type: 'relation',
      object1_id: things.event,
      object2_id: things.callback,
    }),
  'a share is made': ({ person, things, n }) =>
    create(person, {
      object_type: 'share',
      objid: [things.model, things.finished, things.workflow][n % 3],
      target_user: people[1].username,
    }),
  'a share is opened': ({ things }) =>
    service.anonymous.viewObject({ ...objid(things.finished), query: { share_id: things.share } }),
  'one is deleted': (step) =>
    remove(step, [step.things.model, step.things.share, step.things.event][step.n % 3]),
  'many are deleted': (step) => {
    const { workflow, data, callback } = step.things;
    const order = step.n % 2 === 0 ? [workflow, data, callback] : [callback, data, workflow];
    return remove(step, order.join(','));
  },
  'the last deletion is undone': async ({ person, things }) => {
    const key = things.deletedKeys.pop();
    if (key !== undefined) await person.client.deleteObjects({ query: { deleted_key: key } });
  },
  'what was deleted is purged': () => purgeRemoved(service.database.pool),
  'room is made': ({ person, n }) =>
    n % 7 === 0 ? person.client.freeSpace() : person.client.viewSpace(),
  'tokens come and go': async ({ person, n }) => {
    const { id } = await person.client.createToken({ body: { name: `t${n}` } });
    await person.client.deleteTokens({ query: { tokens: [String(id)] } });
  },
  'notifications are read': ({ person }) =>
    person.client.listNotifications({ query: { status: 'all' } }),
  'everything is listed': ({ person, n }) =>
    person.client.listObjects({
      query: { object_type: (['model', 'experiment', 'share', 'workflow'] as const)[n % 4] },
    }),
};

async function makeThings(person: Person): Promise<Things> {
  const { client } = person;
  const finished = await addFinishedExperiment(service, client);
  const workflow = (await addWorkflow(client)).short_id;
  await update(person, workflow, { object_type: 'workflow', experiment_id: finished.short_id });
  const outside = { object_type: 'experiment', meta: { status: 'RUN' }, run_on: 'local' } as const;
  const share = { object_type: 'share', objid: finished.short_id } as const;
  return {
    model: (await addModel(client)).short_id,
    data: (await addData(client)).short_id,
    workflow,
    finished: finished.short_id,
    queued: (await startExperiment(client)).short_id,
    outside: expectKind(await client.createObject({ body: { payload: outside } }), 'experiment')
      .short_id,
    event: (await create(person, { object_type: 'event', name: 'e' })).short_id,
    callback: await addFunction(client, 'export default () => 1;'),
    share: (await create(person, share)).short_id,
    deletedKeys: [],
  };
}

const everything = Object.keys(acts);
/** Where transactions on chains, objects and experiments meet most. */
const oneRun = [
  'a run is controlled',
  'a run is renamed',
  'a run is deleted',
  'draws are summarised',
];

it('each action succeeds when no other one runs', async () => {
  const [person] = people;
  const things = await makeThings(person);
  for (const name of everything) await acts[name]({ things, person, n: 1 });
});

it.each([
  { what: 'everything', names: everything, share: 1 },
  { what: 'one run', names: oneRun, share: 0.5 },
])('$what, changed by many at once, never causes a 5xx status', async (crowd) => {
  const perform = async (name: string, step: Step) => {
    try {
      await acts[name](step);
    } catch (error) {
      const faults = service.log.filter((line) => line.includes('request failed'));
      const isRefused = error instanceof ApiError && (error.status ?? 500) < 500;
      if (!isRefused)
        throw new Error(`${name}: ${faults.at(-1) ?? String(error)}`, { cause: error });
    }
  };
  const bunch = fc.array(
    fc.record({
      name: fc.constantFrom(...crowd.names),
      who: fc.nat({ max: 9 }),
      n: fc.nat({ max: 100 }),
    }),
    { minLength: 24, maxLength: 24 },
  );
  const numRuns = Math.ceil((Number(process.env.FUZZ_RUNS ?? 480) * crowd.share) / 24);
  const seed = seedOfRuns(42);
  await fc.assert(
    fc.asyncProperty(bunch, async (steps) => {
      const things = await makeThings(people[0]);
      // mostly by the owner: the other person may do little
      const ends = await Promise.allSettled(
        steps.map(({ name, who, n }) => perform(name, { things, person: people[+(who === 9)], n })),
      );
      const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      expect(faults).toEqual([]);
    }),
    { seed, numRuns, endOnFailure: true },
  );
});
