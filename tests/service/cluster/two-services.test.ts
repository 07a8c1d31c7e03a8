/**
 * Two services on one database behind a balancer that sends each request to the other one: everything continues
 * as with one. Files are in a bucket, none in the folder of either machine. Imports are read by a built thread:
 * needs `npm run build` first.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../../src/client/create-client.ts';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { sampledataSchema } from '../../../src/contract/experiment.ts';
import { hashPassword } from '../../../src/service/auth/passwords.ts';
import { joinCluster } from '../../../src/service/cluster-member.ts';
import { importDraws } from '../../../src/service/imports/import-draws.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { leadVersions } from '../../../src/service/migrations/handshake.ts';
import type { FileStore } from '../../../src/service/storage/file-store.ts';
import { openFileStore } from '../../../src/service/storage/open-file-store.ts';
import { addDraws, addShare, codeOf, startExperiment } from '../../support/objects.ts';
import { type S3Server, s3Keys, startS3Server } from '../../support/s3-server.ts';
import {
  createTestService,
  fetchFrom,
  type Person,
  type TestService,
} from '../../support/service.ts';
import { endSockets, listen, openAs } from '../live/sockets.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-two-'));
const logger = createLogger({ level: 'silent' });
let s3: S3Server;
let one: TestService;
let two: TestService;
let ada: Person;
/** Ada's, through the balancer. */
let client: Client;

const storeOf = (machine: string, options = '') =>
  openFileStore({
    files: `s3://${s3.bucket}/all?endpoint=${s3.endpoint}&region=eu-1${options}`,
    dataDir: path.join(root, machine),
  });
let turn = 0;
const next = () => (turn++ % 2 === 0 ? one : two);
const balanced = (token: string | null) =>
  createClient({
    baseUrl: 'http://localhost',
    token,
    fetch: (input, init) => fetchFrom(next().app)(input, init),
  });

beforeAll(async () => {
  Object.assign(process.env, s3Keys);
  s3 = await startS3Server();
  one = await createTestService({ files: await storeOf('one'), liveTimes: { roundMs: 1 } });
  two = await createTestService({
    files: await storeOf('two'),
    database: one.database,
    liveTimes: { roundMs: 1 },
  });
  ada = await one.addPerson('ada', { passwordHash: await hashPassword('right password') });
  client = balanced(ada.token);
});
afterAll(async () => {
  endSockets();
  await two.app.close();
  await one.close();
  await s3.close();
  for (const name of Object.keys(s3Keys)) delete process.env[name];
  fs.rmSync(root, { recursive: true, force: true });
});

const fileOf = async (service: TestService, url: string) =>
  service.inject({ method: 'GET', url: new URL(url).pathname });

async function makeFile(by: Client, objid: string, shareId = ''): Promise<string> {
  for (;;) {
    const query = { sampledata: true, fmt: 'csv' as const, share_id: shareId, n_iteration: 0 };
    const answer = sampledataSchema.parse(await by.viewObject({ params: { objid }, query }));
    if (answer.progress === 'generating') continue;
    if (answer.url === null) throw new Error(answer.message);
    return answer.url;
  }
}

describe('two services', () => {
  it('count wrong passwords together', async () => {
    const nobody = balanced(null);
    const signIn = (password: string) =>
      codeOf(nobody.login({ body: { username: 'ada', password } } as never));
    const codes: (string | null)[] = [];
    for (let i = 0; i < 6; i++) codes.push(await signIn('wrong'));
    expect(codes).toEqual([...Array(5).fill('PERMISSION_DENIED'), 'RATE_LIMITED']);
  });

  it('receive one upload in turns, and a worker elsewhere reads it', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i + 1},${Math.sin(i)}`);
    const bytes = Buffer.from(`iteration,x\n${rows.join('\n')}\n`);
    const body = { name: 'draws.csv', size: bytes.length };
    const { upload_id: id } = await client.createUpload({ body });
    for (let at = 0; at < bytes.length; at += 700)
      await client.appendUpload({
        params: { upload_id: id },
        query: { offset: at },
        body: new Blob([new Uint8Array(bytes.subarray(at, at + 700))]),
      });
    const payload = { object_type: 'experiment', name: 'imported', data_uploads: [id] };
    const made = expectKind(
      await client.createObject({ body: { payload } } as never),
      'experiment',
    );
    const files = await storeOf('worker');
    const deps = { pool: one.database.pool, files, logger };
    for (const { queue } of [one, two]) {
      await queue.work('import', (job) => importDraws(deps, job));
      await queue.drain();
    }
    const params = { objid: made.short_id };
    const view = expectKind(await client.viewObject({ params }), 'experiment');
    expect([view.status, view.n_samples]).toEqual(['FIN', 200]);
    // nothing is left, here or there
    expect([...s3.objects.keys()].filter((key) => key.includes('uploads/'))).toEqual([]);
    expect(fs.readdirSync(files.scratch)).toEqual([]);
  });

  it('serve files that the other made, until the share is revoked', async () => {
    const { short_id: objid } = await startExperiment(one.clientOf(ada.token), 'run');
    await addDraws(one, objid, { chains: 2, draws: 20 });
    const url = await makeFile(one.clientOf(ada.token), objid);
    const file = await fileOf(two, url);
    expect(file.statusCode).toBe(200);
    expect(file.payload.split('\n').length).toBeGreaterThan(40);
    expect(new URL(await makeFile(two.clientOf(ada.token), objid)).pathname).toContain('.csv');
    const { short_id: shareId } = await addShare(one.clientOf(ada.token), { objid });
    const shared = await makeFile(two.clientOf(null), objid, shareId);
    expect((await fileOf(one, shared)).payload).toBe(file.payload);
    await one.clientOf(ada.token).deleteObject({ params: { objid: shareId } });
    expect((await fileOf(two, shared)).statusCode).toBe(400);
    for (const machine of ['one', 'two'])
      expect(fs.readdirSync(path.join(root, machine), { recursive: true })).toEqual([
        'files',
        'files/tmp',
      ]);
  });

  it('push to a socket of one what is done at the other', async () => {
    const address = `${await listen(two.app)}/api/notification`;
    const bob = await one.addPerson('bob');
    const socket = await openAs(address, { token: bob.token });
    const { short_id: objid } = await startExperiment(one.clientOf(ada.token), 'watched');
    await addShare(one.clientOf(ada.token), { objid, target_user: bob.username });
    const isHers = (message: { action: string }) =>
      (message as { msg_object?: string }).msg_object === objid;
    expect(await socket.next(isHers)).toMatchObject({ event: 'shared_with_you' });
  });
});

describe('a bucket that browsers can reach', () => {
  it('serves draws itself, after the service has checked the permission', async () => {
    const files = await storeOf('three', '&signed=true');
    const three = await createTestService({ files, database: one.database });
    const { short_id: objid } = await startExperiment(three.clientOf(ada.token), 'signed');
    await addDraws(three, objid, { chains: 1, draws: 5 });
    const { short_id: shareId } = await addShare(three.clientOf(ada.token), { objid });
    const url = await makeFile(three.clientOf(null), objid, shareId);
    const { statusCode, headers } = await fileOf(three, url);
    expect(statusCode).toBe(302);
    const answer = await fetch(String(headers.location));
    expect((await answer.text()).split('\n').length).toBeGreaterThan(5);
    await three.clientOf(ada.token).deleteObject({ params: { objid: shareId } });
    expect((await fileOf(three, url)).statusCode).toBe(400);
    await three.app.close();
  });
});

it('a service with another file store is refused while other services run', async () => {
  const { pool } = one.database;
  await leadVersions(pool);
  const member = (files: FileStore) => joinCluster({ pool, files, version: '1', logger });
  const first = await member(await storeOf('one'));
  const beside = await member(await storeOf('two'));
  expect(await beside.notReady()).toBeNull();
  const alone = await openFileStore({ dataDir: path.join(root, 'alone') });
  await expect(member(alone)).rejects.toThrow(/stores its files elsewhere.*\n.*--files/);
  await beside.leave();
  expect(await beside.notReady()).toContain('stopping');
  await first.leave();
  await (await member(alone)).leave();
});
