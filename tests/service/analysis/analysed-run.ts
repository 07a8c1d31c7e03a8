/** A finished run with everything a sampler records, stored in the database, and the workflow that made it. */
import { insertBlob } from '../../../src/service/repositories/blobs.ts';
import { execute, inTransaction, sql } from '../../../src/service/repositories/database.ts';
import { ensureLayout, insertDraws } from '../../../src/service/repositories/draws.ts';
import { touchDraws } from '../../../src/service/repositories/experiments.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import { drawnRun, logPriorOf } from '../../figures/every-figure.ts';
import { addWorkflow, finishExperiment } from '../../support/objects.ts';
import type { Person, TestService } from '../../support/service.ts';

export interface AnalysedRun {
  readonly workflow: string;
  readonly experiment: string;
  readonly variables: readonly string[];
}

const hostile = '<img src=x onerror=alert(1)>["&\']';

interface Column {
  readonly name: string;
  readonly sampler?: true;
  readonly chains: readonly { readonly sampling: Float64Array }[];
}

/** Data that `y_rep` replicates in a run with replicated data. */
export const observedData = {
  N: 12,
  y: Array.from({ length: 12 }, (_, i) => -1.6 - 0.05 * i),
  county: Array.from({ length: 12 }, (_, i) => (i < 7 ? 1 : 2)),
};

/**
 * Two chains of 300 draws; names come from other people, so one is hostile. `replicated`: with `y_rep` and its data;
 * `marks`: further columns of the sampler, by which its method is recognised.
 */
export async function addAnalysedRun(
  service: TestService,
  { client }: Person,
  name = 'Eight <b>schools</b>',
  priorName = 'lprior',
  replicated = false,
  marks: readonly string[] = [],
): Promise<AnalysedRun> {
  const workflow = (await addWorkflow(client, name)).short_id;
  const { experiment_id: experiment } = await client.invoke({
    body: { target: workflow, action: 'run_sample', get_response: false },
  });
  const objid = experiment as string;
  const { pool } = service.database;
  const object = await findObject(pool, objid);
  if (object === null) throw new Error(`no experiment ${objid}`);
  const numDraws = 300;
  const variables = ['mu', 'theta[1]', 'tau', 'theta[2]', hostile];
  const run = drawnRun({ numDraws, numChains: 2, names: variables });
  const series: Column[] = [
    ...run.variables.map(({ variable, chains }) => ({ name: variable, chains })),
    { name: 'energy__', sampler: true, chains: run.energy },
    { name: 'treedepth__', sampler: true, chains: run.treedepth },
    { name: 'accept_stat__', sampler: true, chains: run.acceptance },
    { name: 'stepsize__', sampler: true, chains: run.stepSize },
    { name: priorName, chains: logPriorOf(run).chains },
    ...marks.map((mark) => ({ name: mark, sampler: true as const, chains: run.energy })),
    ...run.logLik.map((chains, i) => ({
      name: `log_lik[${i + 1}]`,
      chains: chains.map((sampling) => ({ sampling })),
    })),
    ...(replicated ? run.logLik : []).map((chains, i) => ({
      name: `y_rep[${i + 1}]`,
      chains: chains.map((sampling) => ({ sampling })),
    })),
  ];
  if (replicated) await setData(service, object.id, JSON.stringify(observedData));
  const flags = run.variables[0].chains.map((chain) => chain.divergent ?? new Float64Array(0));
  const columns = [...series, { name: 'divergent__', sampler: true as const }];
  const layoutId = await ensureLayout(
    pool,
    object.id,
    columns.map(({ name: column, sampler }) => ({ name: column, ...(sampler ? { sampler } : {}) })),
  );
  for (let chain = 1; chain <= 2; chain++) {
    const parts = [...series.map(({ chains }) => chains[chain - 1].sampling), flags[chain - 1]];
    const values = new Float64Array(parts.length * numDraws);
    parts.forEach((part, i) => values.set(part, i * numDraws));
    await insertDraws(pool, {
      experimentId: object.id,
      chain,
      phase: 'sampling',
      layoutId,
      firstIteration: 1,
      count: numDraws,
      values,
    });
    await execute(
      pool,
      sql`update experiment_chains set saved_samples = ${numDraws} where experiment_id = ${object.id} and chain = ${chain}`,
    );
  }
  await touchDraws(pool, object.id);
  await finishExperiment(service, objid, numDraws);
  return { workflow, experiment: objid, variables };
}

async function setData({ database: { pool } }: TestService, id: number, text: string) {
  await inTransaction(pool, async (tx) => {
    const hash = await insertBlob(tx, id, Buffer.from(text));
    await execute(
      tx,
      sql`update experiments set data_hash = decode(${hash}, 'hex'), data_fmt = 'json' where id = ${id}`,
    );
  });
}
