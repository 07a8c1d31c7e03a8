/**
 * Every function of the repositories sends its statements to a database that is full of other people's rows, and reads
 * few of them: no statement scans a table that grows. A new function has to be called here, and a new table has
 * to be filled by `populate` or listed as small. One long file, since only the complete file calls every function.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ObjectKind } from '../../../src/contract/common.ts';
import { kindSortKeys } from '../../../src/contract/objects.ts';
import { select, sql } from '../../../src/service/repositories/database.ts';
import type { ListFilter } from '../../../src/service/repositories/object-lists.ts';
import { WORKER_LOCK_CLASS } from '../../../src/service/repositories/workers.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { explainAll, type Read } from '../../support/explained.ts';
import { type Population, populate, smallTables } from '../../support/population.ts';

const folder = path.join(import.meta.dirname, '../../../src/service/repositories');

/** Modules whose functions read entire tables on purpose, or no table. */
const notAsked: Readonly<Record<string, string>> = {
  'commit-once': 'asks what became of a transaction, which is in no table',
  'copied-rows': 'sends what others ask',
  database: 'sends what others ask',
  pooling: 'asks for the session alone',
  'whole-tables': 'a backup and a restore read and write everything',
};

/** Statements that read an entire table, and why they may. */
const allowed: readonly { readonly has: string; readonly table: string; readonly why: string }[] = [
  {
    has: 'from users where not is_team order by id',
    table: 'users',
    why: '`ergodic user list` lists everybody',
  },
  {
    has: 'from teams t join users u on u.id = t.id order by u.name',
    table: '',
    why: 'an administrator lists all teams with their members',
  },
];

/** Rows of a table that one statement may look at: what one person here has, and what waits or runs of all. */
const mostRows = 300;
/** Pages that an index lookup may read in addition to one per row. */
const mostPages = 40;

/** Functions that were called, as noted by `load`. */
const called = new Set<string>();
async function load<T extends object>(name: string, module: Promise<T>): Promise<T> {
  return new Proxy(await module, {
    get(target, key: string) {
      const value = target[key as keyof T];
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        called.add(`${name}: ${key}`);
        return (value as (...args: unknown[]) => unknown)(...args);
      };
    },
  });
}

const r = {
  access: await load('access', import('../../../src/service/repositories/access.ts')),
  advisoryLocks: await load(
    'advisory-locks',
    import('../../../src/service/repositories/advisory-locks.ts'),
  ),
  analyses: await load('analyses', import('../../../src/service/repositories/analyses.ts')),
  attemptSlots: await load(
    'attempt-slots',
    import('../../../src/service/repositories/attempt-slots.ts'),
  ),
  blobs: await load('blobs', import('../../../src/service/repositories/blobs.ts')),
  chains: await load('chains', import('../../../src/service/repositories/chains.ts')),
  clusterCounts: await load(
    'cluster-counts',
    import('../../../src/service/repositories/cluster-counts.ts'),
  ),
  compactDraws: await load(
    'compact-draws',
    import('../../../src/service/repositories/compact-draws.ts'),
  ),
  countDraws: await load('count-draws', import('../../../src/service/repositories/count-draws.ts')),
  dataScripts: await load(
    'data-scripts',
    import('../../../src/service/repositories/data-scripts.ts'),
  ),
  data: await load('data', import('../../../src/service/repositories/data.ts')),
  draws: await load('draws', import('../../../src/service/repositories/draws.ts')),
  eventCalls: await load('event-calls', import('../../../src/service/repositories/event-calls.ts')),
  experiments: await load(
    'experiments',
    import('../../../src/service/repositories/experiments.ts'),
  ),
  exportFiles: await load(
    'export-files',
    import('../../../src/service/repositories/export-files.ts'),
  ),
  functionCalls: await load(
    'function-calls',
    import('../../../src/service/repositories/function-calls.ts'),
  ),
  identities: await load('identities', import('../../../src/service/repositories/identities.ts')),
  imports: await load('imports', import('../../../src/service/repositories/imports.ts')),
  liveDraws: await load('live-draws', import('../../../src/service/repositories/live-draws.ts')),
  logs: await load('logs', import('../../../src/service/repositories/logs.ts')),
  modelTrees: await load('model-trees', import('../../../src/service/repositories/model-trees.ts')),
  models: await load('models', import('../../../src/service/repositories/models.ts')),
  notifications: await load(
    'notifications',
    import('../../../src/service/repositories/notifications.ts'),
  ),
  objectLists: await load(
    'object-lists',
    import('../../../src/service/repositories/object-lists.ts'),
  ),
  objectTallies: await load(
    'object-tallies',
    import('../../../src/service/repositories/object-tallies.ts'),
  ),
  objects: await load('objects', import('../../../src/service/repositories/objects.ts')),
  owners: await load('owners', import('../../../src/service/repositories/owners.ts')),
  programRuns: await load(
    'program-runs',
    import('../../../src/service/repositories/program-runs.ts'),
  ),
  projects: await load('projects', import('../../../src/service/repositories/projects.ts')),
  relations: await load('relations', import('../../../src/service/repositories/relations.ts')),
  runOrigins: await load('run-origins', import('../../../src/service/repositories/run-origins.ts')),
  queuePlaces: await load(
    'queue-places',
    import('../../../src/service/repositories/queue-places.ts'),
  ),
  runQueue: await load('run-queue', import('../../../src/service/repositories/run-queue.ts')),
  runScope: await load('run-scope', import('../../../src/service/repositories/run-scope.ts')),
  runTargets: await load('run-targets', import('../../../src/service/repositories/run-targets.ts')),
  readBatches: await load(
    'read-batches',
    import('../../../src/service/repositories/read-batches.ts'),
  ),
  runnerDraws: await load(
    'runner-draws',
    import('../../../src/service/repositories/runner-draws.ts'),
  ),
  runnerPlaces: await load(
    'runner-places',
    import('../../../src/service/repositories/runner-places.ts'),
  ),
  runnerRuns: await load('runner-runs', import('../../../src/service/repositories/runner-runs.ts')),
  savedViews: await load('saved-views', import('../../../src/service/repositories/saved-views.ts')),
  services: await load('services', import('../../../src/service/repositories/services.ts')),
  settings: await load('settings', import('../../../src/service/repositories/settings.ts')),
  shares: await load('shares', import('../../../src/service/repositories/shares.ts')),
  signIns: await load('sign-ins', import('../../../src/service/repositories/sign-ins.ts')),
  space: await load('space', import('../../../src/service/repositories/space.ts')),
  stalledRuns: await load(
    'stalled-runs',
    import('../../../src/service/repositories/stalled-runs.ts'),
  ),
  tasks: await load('tasks', import('../../../src/service/repositories/tasks.ts')),
  teams: await load('teams', import('../../../src/service/repositories/teams.ts')),
  tokens: await load('tokens', import('../../../src/service/repositories/tokens.ts')),
  uploads: await load('uploads', import('../../../src/service/repositories/uploads.ts')),
  users: await load('users', import('../../../src/service/repositories/users.ts')),
  versions: await load('versions', import('../../../src/service/repositories/versions.ts')),
  workerDemand: await load(
    'worker-demand',
    import('../../../src/service/repositories/worker-demand.ts'),
  ),
  workers: await load('workers', import('../../../src/service/repositories/workers.ts')),
  workflows: await load('workflows', import('../../../src/service/repositories/workflows.ts')),
};

let database: TestDatabase;
let others: Population;
/** Explains its statements; everything it does is rolled back at the end of a test. */
let db: pg.PoolClient;
let reads: Read[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  others = await populate(database.pool, {
    people: 1200,
    experiments: 4000,
    models: 1200,
    modelVersions: 2,
    data: 1200,
    dataVersions: 2,
    shares: 1200,
    others: 1200,
  });
}, 120_000);

/** Statements that read too much of a growing table. */
function problems(): string[] {
  const isAllowed = ({ statement, table }: Read) =>
    table.startsWith('pg_') ||
    allowed.some(
      (one) => statement.replace(/\s+/g, ' ').includes(one.has) && table.startsWith(one.table),
    );
  const bad = reads.filter(
    (read) =>
      !(read.table in smallTables) &&
      !isAllowed(read) &&
      (read.node === 'Seq Scan' ||
        read.isByLaterColumn ||
        read.rows > mostRows ||
        read.pages > mostPages + 4 * read.rows),
  );
  return [
    ...new Set(
      bad.map(
        ({ statement, node, table, index, rows, pages }) =>
          `${node} of ${table} ${index} looks at ${rows} rows, ${pages} pages: ${statement.replace(/\s+/g, ' ').slice(0, 300)}`,
      ),
    ),
  ];
}

/** Runs `work` in a transaction that is rolled back, and expects each of its statements to read little. */
async function expectIndexed(work: () => Promise<unknown>): Promise<void> {
  await database.pool.query('select 1');
  const client = await database.pool.connect();
  try {
    db = client;
    reads = [];
    await explainAll(client, (read) => reads.push(read));
    await client.query('begin');
    await work();
    expect(problems()).toEqual([]);
    expect(reads.length).toBeGreaterThan(0);
  } finally {
    await client.query('rollback');
    client.release(true);
  }
}

const page = { number: 1, size: 20 };
const columns = [{ name: 'lp__', sampler: true }, { name: 'mu' }];

/** A person with a few of everything. */
async function makePerson() {
  const me = await r.users.insertUser(db, { name: 'me', passwordHash: null });
  if (me === null) throw new Error('the name is taken');
  const mine = { ownerId: me.id, name: 'radon pooled' };
  const tree = [
    { name: 'main.stan', type: 'file', bytes: Buffer.from('model {}'), encoding: 'text' },
  ] as const;
  const model = await r.models.insertModel(db, { ...mine, tags: [], content: { tree } });
  const data = await r.data.insertData(db, {
    ...mine,
    content: { bytes: Buffer.from('{}'), fmt: 'json' },
  });
  const workflow = await r.workflows.insertWorkflow(db, {
    ...mine,
    modelId: model.id,
    dataId: data.id,
  });
  const experiment = await r.experiments.insertExperiment(db, {
    ...mine,
    modelId: model.id,
    workflowId: workflow.id,
    dataId: data.id,
    settings: { num_chains: 2 },
  });
  return { id: me.id, model, data, workflow, experiment };
}

/** A worker that other sessions consider alive. */
const workerEntry = { host: 'h', pid: 1, pools: [], slots: 2, version: '', engine: 1 };

async function makeWorker(): Promise<number> {
  const id = await r.workers.insertWorker(db, workerEntry);
  await db.query('select pg_advisory_xact_lock($1::int, $2::int)', [WORKER_LOCK_CLASS, id]);
  return id;
}

describe('with indices, a user', () => {
  const scopes = ['own', 'shared_by_me', 'shared_with_me', 'with_share_info'] as const;
  const kinds: (ObjectKind | null)[] = [
    null,
    'model',
    'experiment',
    'workflow',
    'data',
    'project',
    'event',
    'callback',
    'share',
  ];

  it.each(scopes)('reads the lists of scope %s in every order', (scope) =>
    expectIndexed(async () => {
      const viewerId = (await makePerson()).id;
      for (const kind of kinds) {
        const own = kind !== null && kind in kindSortKeys ? kindSortKeys[kind as 'model'] : [];
        for (const key of ['created', 'updated', 'name', 'status', ...own])
          for (const sort of [key, `-${key}`])
            await r.objectLists.listObjects(db, { kind, viewerId, scope, sort }, page);
      }
    }),
  );

  it('reads as little if one plan serves all values', () =>
    expectIndexed(async () => {
      const me = await makePerson();
      const token = await r.tokens.insertToken(db, { userId: me.id, kind: 'api' });
      await db.query('set local plan_cache_mode = force_generic_plan');
      await r.tokens.findToken(db, token.text);
      await r.objects.findObjectById(db, me.model.id);
      await r.models.findModel(db, me.model.short_id);
      await r.models.findModelVersion(db, me.model.id);
      await r.models.findModelVersion(db, me.model.id, 1);
      await r.data.findDataVersion(db, me.data.id);
      await r.experiments.findExperiment(db, me.experiment.short_id);
      await r.experiments.hasFrozenData(db, me.experiment.id);
      const lists = {
        model: r.models.listModels,
        data: r.data.listData,
        workflow: r.workflows.listWorkflows,
        experiment: r.experiments.listExperiments,
      };
      for (const kind of kinds) {
        const list = { kind, viewerId: me.id };
        const { rows } = await r.objectLists.listObjects(db, list, page);
        if (kind !== null && kind in lists) await lists[kind as 'model'](db, rows);
      }
    }));

  it.each(scopes)('filters and searches the lists of scope %s', (scope) =>
    expectIndexed(async () => {
      const me = await makePerson();
      const base = { viewerId: me.id, scope };
      const filters: Partial<ListFilter>[] = [
        { search: 'radon' },
        { search: 'radon po' },
        { search: 'X000' },
        { search: 'zebra' },
        { createdFrom: '2020-01-01T00:00:00Z', createdTo: '2100-01-01T00:00:00Z' },
        { tags: ['mine'] },
      ];
      for (const kind of kinds)
        for (const filter of filters)
          await r.objectLists.listObjects(db, { ...base, kind, ...filter }, page);
      const ofRuns: Partial<ListFilter>[] = [
        { status: 'RUN' },
        { status: 'FIN', sort: '-rhat' },
        { modelIds: [me.model.short_id] },
        { workflowIds: [me.workflow.short_id] },
        { dataIds: [me.data.short_id] },
        { runOn: 'local' },
        { hasModel: true },
        { hasModel: false },
        { tags: ['mine'] },
        { needsLook: true },
        { finishedFrom: '2020-01-01T00:00:00Z' },
        { finishedTo: '2100-01-01T00:00:00Z' },
      ];
      for (const filter of ofRuns) {
        const list = { ...base, kind: 'experiment' as const, ...filter };
        await r.objectLists.listObjects(db, list, page);
        await r.objectLists.countByStatus(db, list);
      }
      const ids = [me.model.short_id];
      await r.objectLists.listObjects(db, { ...base, kind: 'model', modelIds: ids }, page);
      await r.objectLists.listObjects(
        db,
        { ...base, kind: 'workflow', dataIds: [me.data.short_id] },
        page,
      );
      await r.objectLists.listObjects(db, { ...base, kind: 'project', memberIds: ids }, page);
      await r.objectLists.listObjects(db, { ...base, kind: 'model', tags: ['builtin'] }, page);
      await r.objectTallies.countObjects(db, { ownerId: me.id, kind: 'model', statuses: null });
      await r.objectTallies.countStatuses(db, me.id);
    }),
  );

  it('reads runs by R-hat, and shares, of a user who has very many', () =>
    expectIndexed(async () => {
      const { heaviest, busy } = others;
      const runs = { kind: 'experiment' as const, viewerId: heaviest };
      const { total } = await r.objectLists.listObjects(db, runs, page);
      expect(total).toBeGreaterThan(mostRows);
      // as when there are so many that sorting them takes longer than anything else
      await db.query('set local enable_sort = off');
      for (const sort of ['rhat', '-rhat']) {
        const list = await r.objectLists.listObjects(db, { ...runs, sort }, page);
        expect(list.rows).toHaveLength(page.size);
      }
      await db.query('set local enable_sort = on');
      // a hundred people own all the shares
      for (const scope of ['shared_by_me', 'with_share_info'] as const)
        await r.objectLists.listObjects(db, { ...runs, viewerId: busy, scope }, page);
    }));

  it('reads and changes models, data and workflows', () =>
    expectIndexed(async () => {
      const me = await makePerson();
      const { model, data, workflow } = me;
      const content = { tree: null };
      await r.models.updateModel(db, model.id, { name: 'b', lambdaImage: false, content });
      await r.models.findModel(db, model.short_id);
      await r.models.listModels(db, [model]);
      const version = await r.models.findModelVersion(db, model.id);
      await r.models.listModelVersions(db, model.id);
      await r.modelTrees.findTreeFiles(db, version?.tree ?? []);
      await r.modelTrees.findWireTree(db, version?.tree ?? []);
      await r.modelTrees.insertTree(db, model.id, []);
      await r.data.updateData(db, data.id, { content: { bytes: Buffer.from('[]'), fmt: 'json' } });
      await r.data.findData(db, data.short_id);
      await r.data.listData(db, [data]);
      await r.data.findDataVersion(db, data.id);
      await r.data.findDataBytes(db, data.id);
      await r.data.listDataVersions(db, data.id);
      await r.workflows.updateWorkflow(db, workflow.id, { settings: 'a: 1' });
      await r.workflows.findWorkflow(db, workflow.short_id);
      await r.workflows.listWorkflows(db, [workflow]);
      const hash = await r.blobs.insertBlob(db, data.id, Buffer.from('blob'));
      await r.blobs.insertBlobs(db, data.id, [Buffer.alloc(5 * 2 ** 20)]);
      await r.blobs.keepBlobs(db, model.id, [hash]);
      await r.blobs.findBlob(db, hash);
      await r.blobs.findBlobs(db, [hash]);
      await r.imports.releaseBlobs(db, model.id, [hash]);
      const object = await r.objects.insertObject(db, { kind: 'model', ownerId: me.id });
      await r.objects.findObject(db, object.short_id);
      await r.objects.findObjectById(db, object.id);
      await r.objects.updateObject(db, object.id, { name: 'c' });
      await r.objects.lockVersion(db, object.id);
      await r.objects.updateVersioned(db, object.id, {}, async (_, current) => current + 1);
      await r.objects.listVersions(db, sql`model_versions where model_id = ${model.id}`);
      await r.owners.lockWithMembers(db, { id: model.id, owner_id: me.id });
      await r.owners.haveRelations(db, [model.id]);
      await r.owners.changeOwner(db, { ids: [model.id], ownerId: others.person });
    }));

  it('shares objects and adds them to projects', () =>
    expectIndexed(async () => {
      const me = await makePerson();
      const project = await r.projects.insertProject(db, {
        ownerId: me.id,
        name: 'p',
        note: '',
        tags: [],
      });
      await r.projects.changeMembers(db, project.id, {
        add: [me.model.id],
        remove: [me.data.id],
        most: 9,
      });
      await r.projects.listMembers(db, project.id);
      await r.projects.insertEntry(db, project.id, { text: 'a', most: 9 });
      const [entry] = await r.projects.listEntries(db, project.id);
      await r.projects.updateEntry(db, project.id, {
        entryId: entry?.id ?? 0,
        text: 'b',
        isDeleted: true,
      });
      await r.projects.updateProject(db, project.id, { note: 'n' });
      await r.projects.findProject(db, project.short_id);
      await r.projects.listProjects(db, [project]);
      const member = {
        objectId: me.model.id,
        addedAt: new Date().toISOString(),
        isOpen: true,
        snapshot: {},
      };
      const share = await r.shares.insertShare(db, {
        ownerId: me.id,
        objectId: project.id,
        targetUserId: others.person,
        snapshot: {},
        members: [member],
      });
      await r.shares.findLiveShare(db, share.short_id);
      await r.shares.findLiveShare(db, 'S-none');
      await r.shares.listSharedMembers(db, share.id);
      await r.shares.findShare(db, share.short_id);
      await r.shares.listShares(db, [share]);
      await r.shares.listSharesThatOpen(db, me.model.id);
      await r.shares.listLiveSharesOf(db, [project.id]);
      await r.shares.updateShare(db, share.id, { passwordHash: 'x', expiresAt: null });
      await r.shares.countFailedAttempt(db, share.id);
    }));

  it('signs in, and manages an account', () =>
    expectIndexed(async () => {
      const { id } = await makePerson();
      await r.users.ensureOwner(db);
      await r.users.findUser(db, id);
      await r.users.findUserByName(db, 'me');
      await r.users.listUsers(db);
      await r.users.updatePassword(db, id, 'x');
      await r.users.renameUser(db, id, 'myself');
      await r.users.updateSuper(db, id, false);
      const { row, text } = await r.tokens.insertToken(db, { userId: id, kind: 'api' });
      await r.tokens.findToken(db, text);
      await r.tokens.findTokenEnd(db, row.id);
      await r.tokens.touchToken(db, row.id);
      await r.tokens.listTokens(db, id);
      await r.tokens.updateToken(db, id, row.id, { name: 'n' });
      const start = await r.tokens.insertToken(db, { userId: id, kind: 'start' });
      await r.tokens.spendStartToken(db, { userId: id, id: start.row.id });
      const key = await r.tokens.removeTokens(db, id, [row.id]);
      await r.objects.undoRemoval(db, id, key);
      await r.objects.insertDeletion(db, id);
      await r.access.publishAccess(db, id);
      await r.access.publishAccessTo(db, []);
      const limits = [{ key: 'k', capacity: 2, perHour: 60 }];
      await r.attemptSlots.takeSlots(db, limits, Date.now());
      await r.attemptSlots.giveBackSlots(db, limits);
      const notification = await r.notifications.insertNotification(db, {
        userId: id,
        event: 'e',
        title: 't',
      });
      await r.notifications.findNotification(db, notification.id);
      for (const status of ['all', 'read', 'unread'] as const)
        await r.notifications.listNotifications(db, { userId: id, status }, page);
      await r.notifications.markNotifications(db, { userId: id, ids: null, isRead: true });
      await r.savedViews.storeViews(db, { userId: id, list: 'models' }, [
        { name: 'v', search: {} },
      ]);
      await r.savedViews.findViews(db, id, 'models');
      await r.savedViews.storeViews(db, { userId: id, list: 'models' }, []);
      await r.space.measureSpace(db, id);
      await r.tokens.endTokens(db, { userId: id });
    }));

  it('signs in through a provider, and belongs to teams', () =>
    expectIndexed(async () => {
      const { id } = await makePerson();
      const who = { issuer: 'https://sso.example.org', subject: 'new' };
      await r.identities.lockIdentity(db, who);
      const identity = await r.identities.insertIdentity(db, {
        ...who,
        user_id: id,
        label: 'me',
        is_account_made: false,
      });
      await r.identities.noteSignIn(db, identity.id, 'me');
      await r.identities.listIdentities(db, id);
      const { row } = await r.tokens.insertToken(db, { userId: id, kind: 'login' });
      await r.identities.insertProviderSession(db, {
        tokenId: row.id,
        identityId: identity.id,
        idToken: 't',
      });
      await r.identities.findIdToken(db, row.id);
      await r.identities.endProviderSessions(db, identity);
      const begun = {
        state: 's',
        browserKey: 'b',
        nonce: 'n',
        verifier: 'v',
        redirectUri: 'r',
        userId: null,
      };
      await r.signIns.insertSignIn(db, begun);
      await r.signIns.takeSignIn(db, begun);
      const { issuer } = who;
      const team = await r.teams.insertTeam(db, { name: 'lab', group: { issuer, name: 'lab' } });
      const teamId = team?.id ?? 0;
      await r.teams.lockGroups(db, issuer);
      await r.teams.findTeamsOfGroups(db, { issuer, groups: ['lab'] });
      await r.teams.replaceGroupTeams(db, { issuer, userId: id, teamIds: [teamId] });
      await r.teams.replaceMembers(db, teamId, [id]);
      await r.teams.listTeams(db, id);
      await r.teams.findTeam(db, teamId);
      await r.teams.listPeopleOf(db, teamId);
      await r.teams.mayUse(db, id, teamId);
    }));
});

describe('with indices, a run', () => {
  it('starts, follows and ends chains of the service', () =>
    expectIndexed(async () => {
      const me = await makePerson();
      const { id } = me.experiment;
      const workerId = await makeWorker();
      await r.runTargets.findPlainWorkflow(db, {
        ownerId: me.id,
        modelId: me.model.id,
        dataId: me.data.id,
      });
      await r.runTargets.isUntouched(db, id);
      await r.runTargets.fillExperiment(db, id, {
        ownerId: me.id,
        name: 'x',
        settings: { num_chains: 2, priority: 10 },
      });
      await r.dataScripts.keepDataScript(db, id, 's');
      await r.dataScripts.findDataScript(db, id);
      await r.dataScripts.countScriptsAhead(db, id);
      await r.runOrigins.noteOrigin(db, id, me.id);
      await r.dataScripts.lockAwaitingScript(db, id);
      await r.dataScripts.replaceRunData(db, id, Buffer.from('{}'));
      await r.chains.insertChains(db, id, { count: 2, iterations: 10 });
      await r.chains.wakeWorkers(db);
      await r.queuePlaces.listQueuePlaces(db, [id]);
      const claim = await r.chains.claimChain(db, { workerId, pools: [], userChains: 1 });
      if (claim === null) throw new Error('nothing was claimed');
      await r.chains.lockHeldChain(db, claim);
      await r.chains.updateChain(db, claim, {
        phase: 'sampling',
        iteration: 1,
        savedWarmup: 0,
        savedSamples: 1,
        divergences: 0,
        treedepthHits: 0,
        drawsPerSecond: null,
        warmupSeconds: 0,
        samplingSeconds: 0,
        stepSize: null,
        checkpoint: new Uint8Array(8),
      });
      await r.chains.insertFollowers(db, claim, [{ chain: 9, checkpoint: Buffer.from('{}') }]);
      await r.chains.listDesiredStates(db, workerId);
      await r.chains.releaseChain(db, claim, { state: 'done' });
      await r.chains.requeueOrphan(db, claim);
      await r.chains.listChains(db, id);
      await r.chains.lockChains(db, id);
      await r.chains.updateDesiredState(db, id, 'pause');
      await r.chains.requeueEnded(db, id, ['done']);
      await r.chains.extendChains(db, id, 5);
      await r.chains.publishLive(db, me.experiment.short_id, 'draws');
      const turn = { owner_id: me.id, person_id: me.id, experiment_id: id, parallel_chains: 1 };
      await r.runQueue.takeTurn(db, turn, 2);
      await r.runQueue.countTakeable(db, { pools: [], userChains: 1 });
      await r.workerDemand.readWorkerDemand(db, { pools: [], userChains: 1 });
      await r.programRuns.countWaitingPrograms(db, []);
      await r.tasks.countTasksOfWorkers(db);
      await r.chains.listProfiles(db, id);
      await r.runQueue.updateQueueShare(db, me.id, { weight: 2, chain_limit: null });
      await r.runScope.listRunSources(db, me.experiment.short_id);
    }));

  it('writes and reads experiments, draws, logs and files', () =>
    expectIndexed(async () => {
      const me = await makePerson();
      const { id, short_id: shortId } = me.experiment;
      await r.imports.insertImportedChain(db, id, {
        chain: 1,
        name: 'chain#1',
        savedWarmup: 0,
        savedSamples: 2,
        divergences: 0,
        treedepthHits: 0,
        stepSize: null,
        warmupSeconds: null,
        samplingSeconds: null,
      });
      const layoutId = await r.draws.ensureLayout(db, id, columns);
      const batch = { experimentId: id, chain: 1, phase: 'sampling' as const, layoutId, count: 2 };
      const values = new Float64Array(4);
      await r.draws.insertDraws(db, { ...batch, firstIteration: 1, values });
      await r.draws.mergeDraws(db, { ...batch, firstIteration: 2, values });
      await r.draws.listColumns(db, id);
      const layouts = await r.draws.listLayouts(db, id);
      await r.draws.listBounds(db, id);
      await r.draws.readDraws(db, { experimentId: id, layouts });
      await r.draws.readDraws(db, { experimentId: id });
      await r.draws.readDraws(db, {
        experimentId: id,
        variables: ['mu'],
        chains: ['chain#1'],
        from: 1,
        to: 2,
      });
      const range = { experimentId: id, phase: 'sampling' as const, from: 1, to: 2 };
      await r.readBatches.readBatches(db, { ...range, layoutId, chains: [1], indices: [0] });
      await r.countDraws.countIterations(db, id);
      await r.countDraws.countIterations(db, id, new Map([['chain#1', 1]]));
      await r.liveDraws.listChainLayouts(db, id);
      const search = { chain: 'chain#1', phase: 'sampling' as const, layoutId, low: 1 };
      const [place] = await r.liveDraws.listNewBatches(db, id, [search], 10);
      if (place !== undefined)
        await r.liveDraws.readBatchBlock(db, id, place, { columns: [0], from: 1, count: 1 });
      await r.compactDraws.compactDraws(db, id);
      await r.draws.removeWarmupDraws(db, id);
      await r.experiments.findExperiment(db, shortId);
      await r.experiments.findExperimentById(db, id);
      await r.experiments.listExperiments(db, [me.experiment]);
      await r.experiments.findFrozen(db, id);
      await r.experiments.hasFrozenData(db, id);
      await r.experiments.updateExperiment(db, id, { status: 'FIN', meta: { note: 'n' } });
      await r.experiments.countIdleSeconds(db, id);
      await r.experiments.findSummary(db, id);
      await r.experiments.updateSummary(db, id, {});
      await r.experiments.touchDraws(db, id);
      await r.experiments.bumpRevision(db, id);
      await r.experiments.growDraws(db, id);
      await r.experiments.updateVariableCount(db, id, 3);
      const line = { experimentId: id, stream: 'stdlog' as const, text: 'a line\n' };
      await r.logs.appendLog(db, line);
      await r.logs.findRepeatedLog(db, line);
      await r.logs.findLogSize(db, id, 'stdlog');
      await r.logs.readLog(db, { ...line, from: 0, to: 5 });
      await r.logs.searchLog(db, { ...line, query: 'line', limit: 5 });
      await r.logs.listLogLines(db, { ...line, batchId: 'b', runId: 'r' });
      const key = { experimentId: id, fmt: 'csv', numIterations: 0 };
      const lease = await r.exportFiles.beginExportFile(db, key, 1);
      if (lease !== null)
        await r.exportFiles.finishExportFile(db, key, { lease, end: { path: 'p', size: 1 } });
      await r.exportFiles.findExportFile(db, key);
      await r.exportFiles.loseExportFile(db, key);
      await r.exportFiles.loseExportFiles(db, id);
      await r.exportFiles.knownExportFiles(db, ['p']);
      const uploadOf = { ownerId: me.id, name: 'u', size: 9, fingerprint: '' };
      await r.uploads.tallyUploads(db, me.id);
      await r.uploads.measureUploads(db);
      const upload = await r.uploads.insertUpload(db, uploadOf);
      await r.uploads.listUploads(db, me.id);
      await r.uploads.lockUpload(db, { id: upload.id, ownerId: me.id });
      await r.uploads.updateUpload(db, upload.id, 9);
      await r.uploads.knownUploads(db, [upload.id]);
      await r.uploads.useUploads(db, [upload.id], id);
      await r.uploads.deleteUploadsOf(db, id);
      await r.uploads.deleteUploads(db, [upload.id]);
    }));

  it('receives messages of outside runners', () =>
    expectIndexed(async () => {
      const me = await makePerson();
      const { id } = me.experiment;
      const key = { batchId: 'b', runId: 'r' };
      await r.runnerRuns.lockExperiment(db, id);
      await r.runnerRuns.insertRunnerRun(db, id, key);
      await r.runnerRuns.touchRunnerRun(db, id, key);
      await r.runnerRuns.findRunnerRun(db, id, key);
      await r.runnerRuns.listRunnerRuns(db, id);
      await r.runnerRuns.countRunnerRuns(db, id);
      await r.runnerRuns.updateRunnerRun(db, id, key, { status: 'RUN', stats: {} });
      await r.runnerRuns.endRunnerRuns(db, id, 'SAMPLE_FIN');
      const { chain } = await r.chains.ensureOutsideChain(db, id, 'one');
      await r.runnerDraws.findChains(db, id, ['one']);
      const layout = await r.runnerDraws.ensureRunnerLayout(db, id, columns);
      await r.runnerDraws.ensureRunnerLayout(db, id, columns);
      await r.runnerDraws.clearBooleans(db, layout.id, [0]);
      const range = { experimentId: id, chain, layoutId: layout.id, source: 'b/r', from: 1, to: 2 };
      await r.runnerDraws.readOthersDraws(db, range);
      await r.runnerDraws.listLayoutEnds(db, id, [{ chain, layoutId: layout.id }]);
      const stretches = (await r.runnerPlaces.listStretches(db, id, [chain])).get(chain) ?? [];
      const request = { experimentId: id, chain, stretches, source: 'b/r', first: 1, last: 2 };
      await r.runnerPlaces.recogniseSource(db, request, async () => ({
        both: 0,
        differsFrom: null,
      }));
      await r.runnerPlaces.placeIterations(db, request);
      const batch = {
        experimentId: id,
        chain,
        phase: 'sampling' as const,
        layoutId: layout.id,
        count: 1,
      };
      await r.runnerDraws.insertNewDraws(db, [
        { ...batch, firstIteration: 1, values: new Float64Array(2) },
      ]);
      await r.runnerDraws.countPlaces(db, id, chain);
      await r.runnerDraws.addSaved(db, id, new Map([[chain, 1]]));
      await r.runnerDraws.updateCounts(db, id, 1);
      await r.runnerDraws.countChains(db, id);
    }));

  it('calls functions, fires events, analyses, and runs programs', () =>
    expectIndexed(async () => {
      const me = await makePerson();
      const event = await r.relations.insertEvent(db, me.id, 'e');
      const callback = await r.relations.insertCallback(db, {
        ownerId: me.id,
        lang: 'js',
        code: '',
        singleInstance: true,
        token: '',
      });
      await r.relations.updateCallback(db, callback.id, { code: 'x' });
      await r.relations.listCallbacks(db, [callback]);
      const relation = await r.relations.insertRelation(db, me.id, event, callback);
      await r.relations.listRelations(db, [relation]);
      await r.eventCalls.ensureBuiltinEvents(db, me.id);
      await r.eventCalls.insertEventCalls(db, { eventId: event.id, parameters: '{}', key: '' });
      await r.eventCalls.fireBuiltin(db, {
        builtin: 'experiment.finished',
        userId: me.id,
        object: me.experiment.short_id,
        message: '',
      });
      await r.functionCalls.listEventCalls(db, event.id, 9);
      const order = {
        functionId: callback.short_id,
        userId: me.id,
        background: true,
        parameters: '{}',
        lockKey: 'k',
      };
      const call = await r.functionCalls.insertCall(db, order);
      const other = await r.functionCalls.insertCall(db, { ...order, lockKey: null });
      if (call === null || other === null) throw new Error('too many calls');
      await r.functionCalls.findCall(db, call.id);
      const claimed = await r.functionCalls.claimCall(db, call);
      if (claimed !== null) await r.functionCalls.endCall(db, claimed, {});
      await r.functionCalls.cancelCall(db, other, {});
      await r.functionCalls.listNextCalls(db, call);
      await r.functionCalls.listReadyCalls(db);
      await r.functionCalls.listCalls(db, callback.short_id, 9);
      const answer = { functionId: callback.short_id, version: 1, userId: me.id, parameters: '{}' };
      await r.functionCalls.insertAnswer(db, answer, '1');
      await r.functionCalls.findAnswer(db, answer);
      const { id: workflowId } = me.workflow;
      const wanted = { workflowId, experimentId: me.experiment.id, analyzerId: 'a', userId: me.id };
      const { row } = await r.analyses.insertAnalysis(db, wanted);
      const analysis = await r.analyses.claimAnalysis(db, row.id);
      const end = { returnCode: 0, errlines: '', file: { bytes: Buffer.from('f'), name: 'f' } };
      if (analysis !== null) await r.analyses.endAnalysis(db, analysis, end);
      await r.analyses.findAnalysis(db, row.id);
      for (const kind of ['workflow', 'experiment'] as const)
        await r.analyses.findAnalysisFile(db, { kind, id: me[kind].id });
      await r.analyses.insertResult(db, wanted, end);
      const run = {
        experimentId: me.experiment.id,
        runtime: 'python',
        batchId: 'b',
        runId: 'r',
        settings: {},
      };
      await r.programRuns.insertProgramRun(db, run);
      await r.programRuns.dropQueuedProgram(db, others.base);
      const program = await r.programRuns.claimProgramRun(db, {
        workerId: 1,
        pools: [],
        userChains: 0,
      });
      await r.programRuns.findProgramRun(db, me.experiment.id);
      await r.programRuns.noteProgramToken(db, me.experiment.id, 1);
      await r.programRuns.listUnwanted(db, [me.experiment.id]);
      if (program !== null) await r.programRuns.endProgramRun(db, program.lease);
    }));
});

describe('with indices, a service or worker', () => {
  it('keeps heartbeats, versions and counts', () =>
    expectIndexed(async () => {
      const id = await makeWorker();
      await r.workers.touchWorker(db, id, workerEntry);
      await r.workers.removeDeadWorkers(db);
      await r.workers.findWorkerState(db, id);
      await r.workers.takeSharedRound(db, 1000);
      await r.workers.countWorkers(db);
      await r.workers.updateWorkerState(db, id, 'drain');
      await r.workers.listWorkers(db);
      await r.workers.listWorkerRuns(db);
      await r.workers.removeWorker(db, id);
      const entry = { host: 'h', pid: 1, version: '', files: 'f' };
      const service = await r.services.insertService(db, entry);
      await r.services.touchService(db, service, entry);
      await r.services.listServicesElsewhere(db, 'f');
      await r.services.removeService(db, service);
      await r.settings.ensureServerKey(db);
      await r.versions.findVersions(db);
      await r.versions.raiseEngine(db, 1);
      await r.versions.describeServer(db);
      await r.clusterCounts.countCluster(db);
      await r.clusterCounts.countTasks(db);
      await r.queuePlaces.keepQueuePlaces(db);
      await r.queuePlaces.listQueuedRuns(db, 50);
      await r.runQueue.listQueueUsers(db);
      await r.teams.listTeams(db, null);
      await r.advisoryLocks.workLocked(database.pool, { lockClass: 1, id: 1 }, async () => {});
      await r.advisoryLocks.workInTurn(database.pool, { lockClass: 1, id: 1 }, async () => {});
    }));

  it('takes the next chain and the next program without reading the whole queue', async () => {
    await expectIndexed(async () => {
      const me = await makePerson();
      const many = 20 * mostRows;
      await r.chains.insertChains(db, me.experiment.id, { count: many, iterations: 10 });
      await db.query(
        `insert into tasks (kind, subject_id, part, max_attempts)
         select 'program', $1, n, 1 from generate_series(1, $2) n`,
        [me.experiment.id, many],
      );
      // as the server does by itself sooner or later, after enough rows
      await db.query('analyze experiment_chains');
      reads = [];
      const request = { workerId: 1, pools: [], userChains: 0 };
      expect(await r.chains.claimChain(db, request)).not.toBeNull();
      await r.programRuns.claimProgramRun(db, request);
    });
    // rolled-back rows stay in the index until then, and are counted for other statements
    await database.pool.query('vacuum experiment_chains');
  });

  it('finds lost and due work', () =>
    expectIndexed(async () => {
      const me = await makePerson();
      await r.eventCalls.fireSampleEvents(db);
      await r.objectTallies.foldTallies(db);
      await r.chains.requeueLostChains(db, WORKER_LOCK_CLASS);
      await r.chains.listAwaitingFinalise(db, 1);
      await r.dataScripts.listAwaitingScript(db);
      await r.stalledRuns.listStalledRuns(db);
      await r.stalledRuns.listOverdueRuns(db);
      await r.stalledRuns.stopStranded(db, me.experiment.id);
      const key = { kind: 'import', subjectId: me.experiment.id } as const;
      await r.tasks.insertTask(db, key);
      const lease = await r.tasks.claimTask(db, key);
      if (lease !== null) {
        await r.tasks.renewLease(db, lease);
        await r.tasks.releaseLease(db, lease);
        await r.tasks.endLease(db, lease);
      }
      await r.tasks.takeTask(db, { ...key, part: 'p' });
      await r.tasks.renewAwaited(db, key);
      await r.tasks.dropTask(db, key);
      await r.tasks.recoverTasks(db);
      await r.tasks.listWaitingTasks(db, 'import');
      await r.tasks.bringTasksBack(db);
      const lost = {
        kind: 'call',
        subject_id: 0,
        part: '',
        attempts: 1,
        lease: 1,
        payload: {},
      } as const;
      await r.functionCalls.giveUpCall(db, lost);
      await r.analyses.giveUpAnalysis(db, { ...lost, kind: 'analysis' });
    }));

  it('purges deleted objects with everything that belongs to them', () =>
    expectIndexed(async () => {
      const me = await makePerson();
      const { id } = me.experiment;
      await r.chains.ensureOutsideChain(db, id, 'one');
      const layoutId = await r.draws.ensureLayout(db, id, columns);
      const batch = { experimentId: id, chain: 1, phase: 'sampling' as const, layoutId, count: 1 };
      await r.draws.insertDraws(db, { ...batch, firstIteration: 1, values: new Float64Array(2) });
      const event = await r.relations.insertEvent(db, me.id, 'e');
      const callback = await r.relations.insertCallback(db, {
        ownerId: me.id,
        lang: 'js',
        code: '',
        singleInstance: true,
        token: '',
      });
      const relation = await r.relations.insertRelation(db, me.id, event, callback);
      const project = await r.projects.insertProject(db, {
        ownerId: me.id,
        name: 'p',
        note: '',
        tags: [],
      });
      const share = await r.shares.insertShare(db, { ownerId: me.id, objectId: id, snapshot: {} });
      const all = [
        me.model,
        me.data,
        me.workflow,
        me.experiment,
        event,
        callback,
        relation,
        project,
        share,
      ];
      await r.objects.removeObjects(
        db,
        me.id,
        all.map((object) => object.id),
      );
      const purged = await r.objects.purgeRemoved(db, { now: true, userId: me.id });
      expect(purged.objects).toBe(all.length);
      await r.objects.purgeRemoved(db);
      await r.tasks.purgeTasks(db);
      await r.notifications.purgeNotifications(db);
      await r.uploads.expireUploads(db);
    }));
});

describe('this test', () => {
  it('fills every table with many rows, or lists it as small', async () => {
    const rows = await select<{ table: string }>(
      database.pool,
      sql`select relname as "table" from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
          and not relispartition`,
    );
    const few: string[] = [];
    for (const { table } of rows) {
      const { rows: counted } = await database.pool.query<{ n: number }>(
        `select count(*) as n from "${table}"`,
      );
      if ((counted[0]?.n ?? 0) < 3 * mostRows && !(table in smallTables)) few.push(table);
    }
    expect(few).toEqual([]);
  });

  it('calls every function of the repositories', () => {
    const missing = readdirSync(folder).flatMap((file) => {
      const name = path.basename(file, '.ts');
      if (name in notAsked) return [];
      const source = readFileSync(path.join(folder, file), 'utf8');
      // functions that are given a pool or a transaction
      const functions = source.matchAll(
        /^export (?:async )?function\*? ?(\w+)(?:<.*>)?\(\s*(?:db|tx|pool): /gm,
      );
      return [...functions].map(([, one]) => `${name}: ${one}`);
    });
    expect(missing.filter((one) => !called.has(one) && one !== 'space: vacuumContent')).toEqual([]);
  });
});
