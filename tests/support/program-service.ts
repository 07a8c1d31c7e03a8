/** A service that really listens, with workers that run programs in other languages for it. */
import { createClient } from '../../src/client/create-client.ts';
import { expectKind } from '../../src/client/expect-kind.ts';
import type { Summary } from '../../src/contract/draws.ts';
import type { Experiment } from '../../src/contract/experiment.ts';
import {
  type RuntimeReport,
  rememberRuntimes,
} from '../../src/service/language-runtimes/confinement.ts';
import { select, sql } from '../../src/service/repositories/database.ts';
import { findSummary } from '../../src/service/repositories/experiments.ts';
import type { Worker } from '../../src/service/worker/worker-loop.ts';
import { createPauses } from './pauses.ts';
import { createTestService, type Person, type TestService } from './service.ts';
import { startTestWorker } from './test-worker.ts';

export interface ProgramParts {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: string;
  readonly data?: string;
  readonly settings?: string;
  /** Name of the program's file; `main.py` if absent. */
  readonly entrance?: string;
}

export interface ProgramService {
  readonly service: TestService;
  readonly person: Person;
  /** What runs on this machine. */
  readonly found: () => Promise<RuntimeReport>;
  work(options?: {
    runtimes?: () => Promise<RuntimeReport>;
    serviceUrl?: string | undefined;
  }): Promise<void>;
  stopWorkers(): Promise<void>;
  /** Id of the experiment of a new workflow. */
  start(program: string, parts?: ProgramParts): Promise<string>;
  view(id: string): Promise<Experiment>;
  until(id: string, isReached: (one: Experiment) => boolean): Promise<Experiment>;
  finished(id: string): Promise<Experiment>;
  failed(id: string): Promise<Experiment>;
  summary(id: string): Promise<Summary>;
  stdlog(id: string): Promise<string>;
  logHas(id: string, text: string): Promise<void>;
}

export async function createProgramService(): Promise<ProgramService> {
  let ownUrl = '';
  const service = await createTestService({
    makeClient(port, token) {
      ownUrl = `http://127.0.0.1:${port()}`;
      return createClient({ baseUrl: ownUrl, token });
    },
  });
  const person = service.owner;
  await person.client.viewUser();
  const found = rememberRuntimes({});
  const workers: Worker[] = [];
  const view = async (id: string) =>
    expectKind(await person.client.viewObject({ params: { objid: id } }), 'experiment');
  const until: ProgramService['until'] = async (id, isReached) => {
    const pause = createPauses(100);
    for (;;) {
      await service.queue.drain();
      const now = await view(id);
      if (isReached(now)) return now;
      if (now.status === 'ERR') throw new Error(JSON.stringify(now.meta));
      await pause();
    }
  };
  const stdlog = async (id: string) => {
    const answer = await service.inject({ url: `/api/log/${id}?stream=stdlog` }, person.token);
    return (answer.json() as { data: { text: string } }).data.text;
  };
  return {
    service,
    person,
    found,
    async work(options = {}) {
      const worker = await startTestWorker(service, {
        runtimes: options.runtimes ?? found,
        serviceUrl: 'serviceUrl' in options ? options.serviceUrl : ownUrl,
      });
      workers.push(worker);
    },
    stopWorkers: async () => {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    },
    start: (program, parts = {}) => startProgram(person, program, parts),
    view,
    until,
    finished: (id) =>
      until(id, ({ status, meta }) => status === 'FIN' && meta?.verdict !== undefined),
    failed: (id) => until(id, ({ status }) => status === 'ERR'),
    async summary(id) {
      const [{ id: number }] = await select<{ id: number }>(
        service.database.pool,
        sql`select id from objects where short_id = ${id}`,
      );
      return (await findSummary(service.database.pool, number)) as Summary;
    },
    stdlog,
    async logHas(id, text) {
      await until(id, () => true);
      const pause = createPauses(100);
      while (!(await stdlog(id)).includes(text)) await pause();
    },
  };
}

async function startProgram(person: Person, program: string, parts: ProgramParts): Promise<string> {
  const { files = {}, env, data, entrance = 'main.py' } = parts;
  const { settings = 'sampling: {seed: 3, num_chains: 2}' } = parts;
  const tree = Object.entries({ [entrance]: program, ...files }).map(([name, content]) => ({
    ...({ name, content, type: 'file', encoding: 'text' } as const),
  }));
  const create = async (payload: Record<string, unknown>) =>
    (
      (await person.client.createObject({ body: { payload: payload as never } })) as {
        short_id: string;
      }
    ).short_id;
  const model_id = await create({
    object_type: 'model',
    name: 'a program',
    env,
    content: { tree },
  });
  const data_id =
    data === undefined ? '' : await create({ object_type: 'data', name: 'some data', data });
  const target = await create({ object_type: 'workflow', name: 'a run', model_id, data_id });
  await person.client.updateObject({
    params: { objid: target },
    body: { payload: { object_type: 'workflow', settings } },
  });
  const answer = await person.client.invoke({
    body: { target, action: 'run_sample', get_response: false },
  });
  return (answer as { experiment_id: string }).experiment_id;
}
