import { beforeAll, describe, expect, it } from 'vitest';
import { objectIdPattern } from '../../../src/contract/common.ts';
import { findBlob } from '../../../src/service/repositories/blobs.ts';
import { findData, findDataBytes, updateData } from '../../../src/service/repositories/data.ts';
import { execute, sql } from '../../../src/service/repositories/database.ts';
import {
  findExperiment,
  insertExperiment,
  mergeMeta,
  updateExperiment,
} from '../../../src/service/repositories/experiments.ts';
import { findTreeFiles, findWireTree } from '../../../src/service/repositories/model-trees.ts';
import {
  findModel,
  findModelVersion,
  listModelVersions,
  updateModel,
} from '../../../src/service/repositories/models.ts';
import { type ListFilter, listObjects } from '../../../src/service/repositories/object-lists.ts';
import {
  findObject,
  purgeRemoved,
  removeObjects,
  undoRemoval,
} from '../../../src/service/repositories/objects.ts';
import {
  findLiveShare,
  insertShare,
  listLiveSharesOf,
  updateShare,
} from '../../../src/service/repositories/shares.ts';
import type { UserRow } from '../../../src/service/repositories/users.ts';
import { findWorkflow, updateWorkflow } from '../../../src/service/repositories/workflows.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeData, makeModel, makeUser, makeWorkflow } from '../../support/service-objects.ts';

let database: TestDatabase;
let user: UserRow;
beforeAll(async () => {
  database = await createTestDatabase();
  user = await makeUser(database.pool);
});

const page = { number: 1, size: 100 };
const text = (content: string) => ({
  tree: [
    {
      name: 'main.stan',
      type: 'file' as const,
      bytes: Buffer.from(content),
      encoding: 'text' as const,
    },
  ],
});

describe('objects', () => {
  it('get ids of their kind and consecutive row numbers', async () => {
    const models = [
      await makeModel(database.pool, user.id),
      await makeModel(database.pool, user.id),
    ];
    const data = await makeData(database.pool, user.id);
    expect(models[0].short_id).toMatch(objectIdPattern);
    expect(models[0].short_id[0]).toBe('M');
    expect(data.short_id[0]).toBe('D');
    expect(models[1].row_number).toBe(models[0].row_number + 1);
  });

  it('are removed and restored together by one key, which only their remover can use', async () => {
    const other = await makeUser(database.pool);
    const model = await makeModel(database.pool, user.id);
    const data = await makeData(database.pool, user.id);
    const key = await removeObjects(database.pool, user.id, [model.id, data.id]);
    expect(await findObject(database.pool, model.short_id)).toBeNull();
    expect(await undoRemoval(database.pool, other.id, key)).toBe(false);
    expect(await undoRemoval(database.pool, user.id, 'no key')).toBe(false);
    expect(await undoRemoval(database.pool, user.id, key)).toBe(true);
    expect(await undoRemoval(database.pool, user.id, key)).toBe(true);
    expect(await findObject(database.pool, data.short_id)).not.toBeNull();
  });

  it('are purged with their content, unless another object still needs it', async () => {
    const kept = await makeData(database.pool, user.id, 'bytes that two objects share');
    const gone = await makeData(database.pool, user.id, 'bytes that two objects share');
    const alone = await makeData(database.pool, user.id, 'bytes of one object');
    const hash = (
      await database.pool.query(
        `select encode(hash, 'hex') as h from data_versions where data_id = $1`,
        [alone.id],
      )
    ).rows[0].h as string;
    await removeObjects(database.pool, user.id, [gone.id, alone.id]);
    expect(await purgeRemoved(database.pool)).toMatchObject({ objects: 0 });
    await execute(database.pool, sql`update blobs set created_at = now() - interval '1 day'`);
    expect((await purgeRemoved(database.pool, { now: true })).objects).toBeGreaterThanOrEqual(2);
    expect(await findBlob(database.pool, hash)).toBeNull();
    expect((await findDataBytes(database.pool, kept.id))?.toString()).toBe(
      'bytes that two objects share',
    );
  });
});

describe('versions', () => {
  it('of a model are kept, and an edit of an old one is a conflict', async () => {
    const model = await makeModel(database.pool, user.id, 'parameters { real a; }');
    expect(
      await updateModel(database.pool, model.id, {
        content: text('parameters { real b; }'),
        baseVersion: 1,
      }),
    ).toEqual({ kind: 'done' });
    expect(
      await updateModel(database.pool, model.id, { content: text('x'), baseVersion: 1 }),
    ).toEqual({ kind: 'conflict', version: 2 });
    expect(await updateModel(database.pool, model.id, { content: text('last wins') })).toEqual({
      kind: 'done',
    });
    expect((await findModel(database.pool, model.short_id))?.version).toBe(3);
    expect((await listModelVersions(database.pool, model.id)).map((row) => row.version)).toEqual([
      3, 2, 1,
    ]);
    const first = await findModelVersion(database.pool, model.id, 1);
    expect(
      (await findTreeFiles(database.pool, first?.tree ?? [])).get('main.stan')?.toString(),
    ).toBe('parameters { real a; }');
    expect(await findWireTree(database.pool, first?.tree ?? [])).toEqual([
      {
        name: 'main.stan',
        type: 'file',
        content: 'parameters { real a; }',
        children: [],
        encoding: 'text',
      },
    ]);
    expect((await findModelVersion(database.pool, model.id))?.entrance_file).toBe('main.stan');
  });

  it('of data are kept, and a new name creates none', async () => {
    const data = await makeData(database.pool, user.id, '{"a": 1}');
    await updateData(database.pool, data.id, { name: 'renamed', description: null });
    await updateData(database.pool, data.id, {
      content: { bytes: Buffer.from('a,b\n1,2\n'), fmt: 'csv' },
    });
    expect(await findData(database.pool, data.short_id)).toMatchObject({
      name: 'renamed',
      version: 2,
      fmt: 'csv',
      size: 8,
    });
    expect((await findDataBytes(database.pool, data.id, 1))?.toString()).toBe('{"a": 1}');
  });
});

describe('lists', () => {
  const names = ['Alpha one', 'beta one', 'Gamma', 'alpha two', '100% sure'];
  let owner: UserRow;
  const list = async (filter: Partial<ListFilter> = {}) => {
    const found = await listObjects(
      database.pool,
      { kind: 'experiment', viewerId: owner.id, ...filter },
      page,
    );
    expect(found.total).toBe(found.rows.length);
    return found.rows.map((row) => row.name);
  };

  beforeAll(async () => {
    owner = await makeUser(database.pool);
    const workflow = await makeWorkflow(database.pool, owner.id);
    const model = await findModel(database.pool, workflow.model_id);
    const statuses = ['NEW', 'RUN', 'SAMPLE_FIN', 'FIN', 'ERR'] as const;
    for (const [i, name] of names.entries()) {
      await insertExperiment(database.pool, {
        ownerId: owner.id,
        name,
        status: statuses[i],
        runOn: i === 0 ? 'Lambda' : 'local',
        modelId: i < 2 ? model?.id : null,
        workflowId: i === 3 ? workflow.id : null,
      });
    }
  });

  it('start with the newest, and sort otherwise on request', async () => {
    expect(await list()).toEqual([...names].reverse());
    expect(await list({ sort: 'created' })).toEqual(names);
    expect(await list({ sort: 'name' })).toEqual([
      '100% sure',
      'Alpha one',
      'alpha two',
      'beta one',
      'Gamma',
    ]);
    expect((await list({ sort: '-status' }))[0]).toBe('Gamma');
  });

  it('filter by status, place, model, workflow and text', async () => {
    expect(await list({ status: 'run' })).toEqual(['Gamma', 'beta one']);
    expect(await list({ runOn: 'LAMBDA' })).toEqual(['Alpha one']);
    expect(await list({ hasModel: true })).toEqual(['beta one', 'Alpha one']);
    expect(await list({ hasModel: false })).toHaveLength(3);
    expect(await list({ tags: ['none of them'] })).toEqual([]);
    expect(await list({ search: 'ALPHA' })).toEqual(['alpha two', 'Alpha one']);
    expect(await list({ search: 'one alpha' })).toEqual(['Alpha one']);
    expect(await list({ search: '0%' })).toEqual(['100% sure']);
    const { rows } = await listObjects(
      database.pool,
      { kind: 'workflow', viewerId: owner.id },
      page,
    );
    const workflow = await findWorkflow(database.pool, rows[0].short_id);
    expect(await list({ workflowIds: [rows[0].short_id] })).toEqual(['alpha two']);
    expect(await list({ modelIds: [workflow?.model_id ?? ''] })).toEqual(['beta one', 'Alpha one']);
    expect(await list({ search: rows[0].short_id.slice(0, 5) })).toEqual([]);
  });

  it('are paged, with the exact total on every page', async () => {
    const filter = { kind: 'experiment', viewerId: owner.id } as const;
    const pages = await Promise.all(
      [1, 2, 3, 4].map((number) => listObjects(database.pool, filter, { number, size: 2 })),
    );
    expect(pages.map(({ total, rows }) => [total, rows.length])).toEqual([
      [5, 2],
      [5, 2],
      [5, 1],
      [5, 0],
    ]);
  });

  it('show what is shared, by whom and with whom, while the share is valid', async () => {
    const friend = await makeUser(database.pool);
    const data = await makeData(database.pool, owner.id);
    const share = await insertShare(database.pool, {
      ownerId: owner.id,
      objectId: data.id,
      targetUserId: friend.id,
      snapshot: {},
    });
    const seen = async (viewerId: number, scope: ListFilter['scope']) =>
      (await listObjects(database.pool, { kind: 'data', viewerId, scope }, page)).rows.map(
        (row) => row.short_id,
      );
    expect(await seen(friend.id, 'own')).toEqual([]);
    expect(await seen(friend.id, 'shared_with_me')).toEqual([data.short_id]);
    expect(await seen(owner.id, 'shared_by_me')).toEqual([data.short_id]);
    expect(await seen(owner.id, 'with_share_info')).toEqual([data.short_id]);
    expect(await listLiveSharesOf(database.pool, [data.id])).toHaveLength(1);
    await updateShare(database.pool, share.id, { expiresAt: '2020-01-01T00:00:00Z' });
    expect(await seen(friend.id, 'shared_with_me')).toEqual([]);
    expect(await findLiveShare(database.pool, share.short_id)).toBeNull();
    await updateShare(database.pool, share.id, { expiresAt: null });
    const key = await removeObjects(database.pool, owner.id, [data.id]);
    expect(await findLiveShare(database.pool, share.short_id)).toBeNull();
    await undoRemoval(database.pool, owner.id, key);
    expect((await findLiveShare(database.pool, share.short_id))?.target_user).toBe(friend.name);
  });
});

describe('experiments and workflows', () => {
  it('merge meta deeply and remove keys that are null', async () => {
    expect(mergeMeta({ a: { b: 1, c: 2 }, d: [1] }, { a: { b: null, e: 3 }, d: [2] })).toEqual({
      a: { c: 2, e: 3 },
      d: [2],
    });
    const { id, short_id: shortId } = await insertExperiment(database.pool, {
      ownerId: user.id,
      name: 'x',
      meta: { run_info: { run_id: '1' } },
    });
    await updateExperiment(database.pool, id, {
      meta: { run_info: { status: 'RUN' }, text: 'nul \0 here' },
      numSamples: null,
      name: null,
    });
    const row = await findExperiment(database.pool, shortId);
    expect(row).toMatchObject({ name: 'x', status: 'NEW' });
    expect(row?.meta).toMatchObject({
      run_info: { run_id: '1', status: 'RUN' },
      text: 'nul \ufffd here',
      action: '',
    });
  });

  it('attach and detach data', async () => {
    const workflow = await makeWorkflow(database.pool, user.id, { settings: 'sampling: {}' });
    const data = await makeData(database.pool, user.id);
    await updateWorkflow(database.pool, workflow.id, {
      dataId: data.id,
      settings: 'sampling: {seed: 1}',
      startupScript: null,
    });
    expect(await findWorkflow(database.pool, workflow.short_id)).toMatchObject({
      data_id: data.short_id,
      settings: 'sampling: {seed: 1}',
    });
    await updateWorkflow(database.pool, workflow.id, { dataId: 0 });
    expect(await findWorkflow(database.pool, workflow.short_id)).toMatchObject({
      data_id: '',
      model_id: workflow.model_id,
    });
  });
});
