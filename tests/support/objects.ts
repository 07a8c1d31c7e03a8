/** Objects for tests of the service, made through the client or, if no endpoint exists, through the repositories. */
import type { Client } from '../../src/client/create-client.ts';
import { expectKind } from '../../src/client/expect-kind.ts';
import type { Data } from '../../src/contract/data.ts';
import type { Experiment } from '../../src/contract/experiment.ts';
import type { Model, TreeNode } from '../../src/contract/model.ts';
import type { Project } from '../../src/contract/project.ts';
import type { CreateShare, Share } from '../../src/contract/share.ts';
import type { Workflow } from '../../src/contract/workflow.ts';
import { execute, sql } from '../../src/service/repositories/database.ts';
import { ensureLayout, insertDraws, type Phase } from '../../src/service/repositories/draws.ts';
import { touchDraws, updateExperiment } from '../../src/service/repositories/experiments.ts';
import { findObject } from '../../src/service/repositories/objects.ts';
import type { TestService } from './service.ts';

export const stanProgram = 'data { int N; } parameters { real mu; } model { mu ~ normal(0, N); }\n';

export async function addModel(
  client: Client,
  {
    name = 'A model',
    tree = [{ name: 'model.stan', content: stanProgram, encoding: 'text' }] as TreeNode[],
  } = {},
): Promise<Model> {
  const payload = { object_type: 'model', name, content: { tree } } as const;
  return expectKind(await client.createObject({ body: { payload } }), 'model');
}

export async function addData(
  client: Client,
  { name = 'Some data', data = '{"N": 3}' } = {},
): Promise<Data> {
  const payload = { object_type: 'data', name, data } as const;
  return expectKind(await client.createObject({ body: { payload } }), 'data');
}

/** With its own model and data, and settings for two short chains. */
export async function addWorkflow(client: Client, name = 'A workflow'): Promise<Workflow> {
  const model = await addModel(client);
  const data = await addData(client);
  const payload = {
    object_type: 'workflow',
    name,
    model_id: model.short_id,
    data_id: data.short_id,
  } as const;
  const { short_id: objid } = expectKind(
    await client.createObject({ body: { payload } }),
    'workflow',
  );
  const settings = 'sampling: {num_chains: 2, num_warmup: 5, num_samples: 10, seed: 4}\n';
  const change = { object_type: 'workflow', settings } as const;
  return expectKind(
    await client.updateObject({ params: { objid }, body: { payload: change } }),
    'workflow',
  );
}

/** Queued, without draws. */
export async function startExperiment(client: Client, name = 'A workflow'): Promise<Experiment> {
  const workflow = await addWorkflow(client, name);
  const started = await client.invoke({
    body: { target: workflow.short_id, action: 'run_sample' },
  });
  const objid = started.experiment_id as string;
  return expectKind(await client.viewObject({ params: { objid } }), 'experiment');
}

export interface DrawsPlan {
  readonly chains: number;
  readonly draws: number;
  readonly phase?: Phase;
  readonly firstIteration?: number;
  /** Value of a variable (0 = `lp__`, 1 = `mu`, 2 = `divergent__`) at an iteration, from 1. */
  readonly value?: (chain: number, variable: number, iteration: number) => number;
}

/** Adds draws to an experiment as its chains would. */
export async function addDraws(
  service: TestService,
  objid: string,
  plan: DrawsPlan,
): Promise<void> {
  const { chains, draws, phase = 'sampling', firstIteration = 1 } = plan;
  const value =
    plan.value ?? ((chain, variable, iteration) => (variable === 2 ? 0 : chain + iteration / 1000));
  const { pool } = service.database;
  const object = await findObject(pool, objid);
  if (object === null) throw new Error(`no experiment ${objid}`);
  const columns = [
    { name: 'lp__', sampler: true },
    { name: 'mu' },
    { name: 'divergent__', sampler: true },
  ];
  const layoutId = await ensureLayout(pool, object.id, columns);
  for (let chain = 1; chain <= chains; chain++) {
    const values = new Float64Array(3 * draws);
    for (let variable = 0; variable < 3; variable++) {
      for (let i = 0; i < draws; i++)
        values[variable * draws + i] = value(chain, variable, firstIteration + i);
    }
    await insertDraws(pool, {
      experimentId: object.id,
      chain,
      phase,
      layoutId,
      firstIteration,
      count: draws,
      values,
    });
    if (phase === 'sampling')
      await execute(
        pool,
        sql`update experiment_chains set saved_samples = ${firstIteration + draws - 1}
            where experiment_id = ${object.id} and chain = ${chain}`,
      );
  }
  await touchDraws(pool, object.id);
}

/** An experiment that has ended, with two chains of `draws` draws. */
export async function addFinishedExperiment(
  service: TestService,
  client: Client,
  { name = 'A run', draws = 20 } = {},
): Promise<Experiment> {
  const { short_id: objid } = await startExperiment(client, name);
  await addDraws(service, objid, { chains: 2, draws });
  await finishExperiment(service, objid, draws);
  return expectKind(await client.viewObject({ params: { objid } }), 'experiment');
}

export async function finishExperiment(
  service: TestService,
  objid: string,
  draws: number,
): Promise<void> {
  const { pool } = service.database;
  const object = await findObject(pool, objid);
  if (object === null) throw new Error(`no experiment ${objid}`);
  await execute(
    pool,
    sql`update experiment_chains set state = 'done' where experiment_id = ${object.id}`,
  );
  await updateExperiment(pool, object.id, {
    status: 'FIN',
    numChains: 2,
    numVariables: 1,
    numSamples: draws,
  });
}

export async function addShare(
  client: Client,
  share: Omit<CreateShare, 'object_type'>,
): Promise<Share> {
  const payload = { object_type: 'share', ...share } as const;
  return expectKind(await client.createObject({ body: { payload } }), 'share');
}

export async function addProject(
  client: Client,
  { name = 'A project', note = '', members = [] as string[] } = {},
): Promise<Project> {
  const payload = { object_type: 'project', name, note, members } as const;
  return expectKind(await client.createObject({ body: { payload } }), 'project');
}

export async function rename(
  client: Client,
  objid: string,
  kind: 'model' | 'experiment' | 'workflow' | 'data' | 'project',
  name: string,
): Promise<void> {
  await client.updateObject({ params: { objid }, body: { payload: { object_type: kind, name } } });
}

/** The error code with which a call fails; null if it succeeds. */
export async function codeOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}
