/** Objects for tests of the service: a user, a model, data, a workflow. */

import { type DataRow, insertData } from '../../src/service/repositories/data.ts';
import type { Executor } from '../../src/service/repositories/database.ts';
import { insertModel, type ModelRow } from '../../src/service/repositories/models.ts';
import { insertUser, type UserRow } from '../../src/service/repositories/users.ts';
import { insertWorkflow, type WorkflowRow } from '../../src/service/repositories/workflows.ts';

export const eightSchools = {
  source: `
data { int<lower=0> J; array[J] real y; array[J] real<lower=0> sigma; }
parameters { real mu; real<lower=0> tau; vector[J] theta_tilde; }
transformed parameters { vector[J] theta = mu + tau * theta_tilde; }
model {
  mu ~ normal(0, 5);
  tau ~ normal(0, 5);
  theta_tilde ~ normal(0, 1);
  y ~ normal(theta, sigma);
}
`,
  data: '{"J": 8, "y": [28, 8, -3, 7, -1, 1, 18, 12], "sigma": [15, 10, 16, 11, 9, 11, 10, 18]}',
};

let users = 0;

export async function makeUser(db: Executor, name = `user-${++users}`): Promise<UserRow> {
  return (await insertUser(db, { name, passwordHash: null })) as UserRow;
}

export async function makeModel(
  db: Executor,
  ownerId: number,
  source = eightSchools.source,
): Promise<ModelRow> {
  return insertModel(db, {
    ownerId,
    name: 'a model',
    tags: ['model'],
    env: 'stan',
    lang: 'stan',
    content: {
      tree: [{ name: 'main.stan', type: 'file', bytes: Buffer.from(source), encoding: 'text' }],
      entranceFile: 'main.stan',
    },
  });
}

export async function makeData(
  db: Executor,
  ownerId: number,
  text = eightSchools.data,
): Promise<DataRow> {
  return insertData(db, {
    ownerId,
    name: 'some data',
    content: { bytes: Buffer.from(text), fmt: 'json' },
  });
}

export interface WorkflowParts {
  readonly source?: string;
  readonly data?: string | null;
  readonly settings?: string;
}

/** A workflow for the eight schools, or for the given model and data. */
export async function makeWorkflow(
  db: Executor,
  ownerId: number,
  parts: WorkflowParts = {},
): Promise<WorkflowRow> {
  const { source, data, settings = null } = parts;
  const model = await makeModel(db, ownerId, source);
  const dataRow = data === null ? null : await makeData(db, ownerId, data);
  return insertWorkflow(db, {
    ownerId,
    name: 'a run',
    modelId: model.id,
    dataId: dataRow?.id,
    settings,
  });
}
