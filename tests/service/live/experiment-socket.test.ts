import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EventItem } from '../../../src/contract/live.ts';
import { publishLive } from '../../../src/service/repositories/chains.ts';
import { compactDraws } from '../../../src/service/repositories/compact-draws.ts';
import { execute, sql } from '../../../src/service/repositories/database.ts';
import { updateExperiment } from '../../../src/service/repositories/experiments.ts';
import { appendLog } from '../../../src/service/repositories/logs.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import { insertToken } from '../../../src/service/repositories/tokens.ts';
import {
  addDraws,
  addFinishedExperiment,
  addShare,
  finishExperiment,
  startExperiment,
} from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';
import { endSockets, listen, openAs, openSocket, type TestSocket } from './sockets.ts';

let service: TestService;
let ada: Person;
let bob: Person;
let origin: string;

beforeAll(async () => {
  service = await createTestService({
    liveTimes: { roundMs: 1, progressMs: 0, authorizeMs: 300 },
  });
  ada = await service.addPerson('ada');
  bob = await service.addPerson('bob');
  origin = await listen(service.app);
});
afterEach(() => endSockets());
afterAll(() => service.close());

const pathOf = (id: string) => `${origin}/mcmc/ws/sub/object/${id}`;
const announce = (id: string, what: 'draws' | 'status' | 'log') =>
  publishLive(service.database.pool, id, what);
const rowOf = async (id: string) => (await findObject(service.database.pool, id))?.id as number;

async function add(id: string, firstIteration: number, draws: number): Promise<void> {
  await addDraws(service, id, { chains: 2, draws, firstIteration });
  await announce(id, 'draws');
}

/** Iterations of a variable as they were sent, in order. */
function iterationsOf({ messages }: TestSocket, chain: string, variable: string): number[] {
  return messages
    .filter(({ action }) => action === 'experiment:event')
    .flatMap(({ data }) => data as EventItem[])
    .filter((item) => item.chain_name === chain)
    .flatMap((item) =>
      item.data.flatMap((row, i) => (variable in row ? [item.iteration + i] : [])),
    );
}

/** Chains with their names as they were announced; each is announced once. */
const namesOf = ({ messages }: TestSocket) =>
  messages
    .filter(({ action }) => action === 'names')
    .flatMap(({ data }) => data as { chain: string; names: string[] }[]);

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
const has = (socket: TestSocket, chain: string, last: number) => () =>
  iterationsOf(socket, chain, 'mu').includes(last);

describe('the owner of a run', () => {
  it('receives names, subscribed draws as they arrive, and the end', async () => {
    const { short_id: id } = await startExperiment(ada.client);
    const socket = await openAs(pathOf(id), { token: ada.token });
    expect(socket.frames[0]).toEqual({
      group: `object_${id}`,
      type: 'object_broadcast',
      message: { action: 'authorized' },
    });
    await add(id, 1, 5);
    // the chains come one after another, so their names may come together or apart
    await socket.next(() => namesOf(socket).length === 2);
    socket.send({ action: 'subscribe', data: [{ chain: 'chain#2', variables: ['mu'] }] });
    const first = await socket.next('experiment:event');
    expect(first.data).toEqual([
      {
        chain_name: 'chain#2',
        iteration: 1,
        data: [1, 2, 3, 4, 5].map((i) => ({ mu: 2 + i / 1000 })),
      },
    ]);
    await add(id, 6, 3);
    await socket.next(has(socket, 'chain#2', 8));
    await add(id, 9, 2);
    await finishExperiment(service, id, 10);
    await announce(id, 'status');
    await socket.next('experiment:finish');
    expect(iterationsOf(socket, 'chain#2', 'mu')).toEqual(upTo(10));
    expect(iterationsOf(socket, 'chain#1', 'mu')).toEqual([]);
    expect(namesOf(socket)).toEqual([
      { chain: 'chain#1', names: ['lp__', 'mu', 'divergent__'] },
      { chain: 'chain#2', names: ['lp__', 'mu', 'divergent__'] },
    ]);
  });

  it('receives each iteration once, even if batches are joined and read out of order', async () => {
    const { short_id: id } = await startExperiment(ada.client);
    const socket = await openAs(pathOf(id), { token: ada.token });
    await add(id, 1, 2);
    await socket.next('names');
    socket.send({
      action: 'subscribe',
      data: ['chain#1', 'chain#2'].map((chain) => ({ chain, variables: ['mu', 'lp__'] })),
    });
    await add(id, 21, 10);
    await socket.next(has(socket, 'chain#2', 30));
    await add(id, 3, 18);
    await socket.next(has(socket, 'chain#2', 20));
    await compactDraws(service.database.pool, await rowOf(id));
    await add(id, 31, 4);
    await socket.next(has(socket, 'chain#2', 34));
    for (const chain of ['chain#1', 'chain#2']) {
      const sent = iterationsOf(socket, chain, 'mu');
      expect(sent.toSorted((a, b) => a - b)).toEqual(upTo(34));
    }
  });

  it('chooses where a subscription starts, resumes after a break, and gets warmup separately', async () => {
    const { short_id: id } = await startExperiment(ada.client);
    await addDraws(service, id, { chains: 1, draws: 3, phase: 'warmup' });
    await add(id, 1, 6);
    const socket = await openAs(pathOf(id), { token: ada.token });
    await socket.next('names');
    const chain = 'chain#1';
    socket.send({ action: 'subscribe', data: [{ chain, variables: ['mu'], from: 5 }] });
    await socket.next(has(socket, chain, 6));
    socket.send({ action: 'unsubscribe', data: [{ chain, variables: ['mu'] }] });
    socket.send({ action: 'subscribe', data: [{ chain, variables: ['lp__'], phase: 'warmup' }] });
    const warmup = await socket.next('experiment:event');
    expect(warmup.data).toMatchObject([{ iteration: 1, phase: 'warmup', data: [{}, {}, {}] }]);
    await add(id, 7, 2);
    socket.send({ action: 'subscribe', data: [{ chain, variables: ['mu'] }] });
    await socket.next(has(socket, chain, 8));
    expect(iterationsOf(socket, chain, 'mu')).toEqual([5, 6, 7, 8]);
  });

  it('receives non-finite numbers as text', async () => {
    const { short_id: id } = await startExperiment(ada.client);
    const values = [Number.NaN, Number.NEGATIVE_INFINITY, 1];
    await addDraws(service, id, { chains: 1, draws: 3, value: (_, __, i) => values[i - 1] });
    const socket = await openAs(pathOf(id), { token: ada.token });
    await socket.next('names');
    socket.send({ action: 'subscribe', data: [{ chain: 'chain#1', variables: ['mu'] }] });
    const { data } = await socket.next('experiment:event');
    expect((data as EventItem[])[0].data.map((row) => row.mu)).toEqual(['NaN', '-Infinity', 1]);
  });

  it('receives log lines, progress, the start, the reason for an error, and a resumption', async () => {
    const { pool } = service.database;
    const { short_id: id } = await startExperiment(ada.client);
    const experimentId = await rowOf(id);
    await appendLog(pool, { experimentId, stream: 'stdlog', text: 'before\n' });
    const socket = await openAs(pathOf(id), { token: ada.token });
    expect(await socket.next('experiment:status')).toMatchObject({
      data: { status: 'NEW', n_samples: 0, action: '', progress: { done: 0, total: 30 } },
    });
    await updateExperiment(pool, experimentId, { status: 'RUN' });
    await appendLog(pool, { experimentId, stream: 'stdlog', text: 'chain#1: ä\nchain#1: half' });
    await announce(id, 'log');
    expect((await socket.next('experiment:output')).data).toBe('chain#1: ä\n');
    await appendLog(pool, { experimentId, stream: 'stdlog', text: ' line\n' });
    await announce(id, 'log');
    expect((await socket.next('experiment:output')).data).toBe('chain#1: half line\n');
    await announce(id, 'status');
    await socket.next('start');
    expect((await socket.next('experiment:status')).data).toMatchObject({ status: 'RUN' });
    const error = { code: 'CHAIN_FAILED', message: 'It broke.' };
    await updateExperiment(pool, experimentId, { status: 'ERR', meta: { error } });
    await announce(id, 'status');
    expect((await socket.next('experiment:error')).data).toBe('It broke.');
    await socket.next('experiment:finish');
    await updateExperiment(pool, experimentId, { status: 'RUN', meta: { error: null } });
    await announce(id, 'status');
    expect((await socket.next('experiment:status')).data).toMatchObject({ status: 'RUN' });
    await updateExperiment(pool, experimentId, { status: 'FIN' });
    await announce(id, 'status');
    await socket.next('experiment:finish');
  });

  it('receives the names and the end of an ended run, and its draws on request', async () => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client);
    const socket = await openAs(pathOf(id), { token: ada.token });
    await socket.next('names');
    await socket.next('experiment:finish');
    socket.send({ action: 'subscribe', data: [{ chain: 'chain#1', variables: ['mu'] }] });
    await socket.next(has(socket, 'chain#1', 20));
    expect(iterationsOf(socket, 'chain#1', 'mu')).toEqual(upTo(20));
  });

  it('misses nothing while the connection to the database is down', async () => {
    const { short_id: id } = await startExperiment(ada.client);
    const socket = await openAs(pathOf(id), { token: ada.token });
    await add(id, 1, 2);
    await socket.next('names');
    socket.send({ action: 'subscribe', data: [{ chain: 'chain#1', variables: ['mu'] }] });
    await socket.next(has(socket, 'chain#1', 2));
    const ended = await execute(
      service.database.pool,
      sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query like 'listen%'`,
    );
    expect(ended).toBe(1);
    // nobody is notified of these
    await addDraws(service, id, { chains: 2, draws: 3, firstIteration: 3 });
    await socket.next(has(socket, 'chain#1', 5));
    expect(iterationsOf(socket, 'chain#1', 'mu')).toEqual(upTo(5));
  });

  it('receives large columns in frames of limited size', async () => {
    const { short_id: id } = await startExperiment(ada.client);
    await addDraws(service, id, { chains: 1, draws: 30_000 });
    const socket = await openAs(pathOf(id), { token: ada.token });
    await socket.next('names');
    socket.send({ action: 'subscribe', data: [{ chain: 'chain#1', variables: ['mu', 'lp__'] }] });
    await socket.next(has(socket, 'chain#1', 30_000));
    expect(iterationsOf(socket, 'chain#1', 'mu')).toEqual(upTo(30_000));
    const largest = Math.max(...socket.frames.map((frame) => JSON.stringify(frame).length));
    expect(largest).toBeLessThan(400_000);
  });
});

describe('socket messages', () => {
  it('that are unknown are ignored; too many subscriptions or messages are refused', async () => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client);
    const socket = await openAs(pathOf(id), { token: ada.token });
    socket.send({ action: 'dance' });
    socket.send({ action: 'subscribe', data: 'all' });
    socket.send('no JSON');
    expect(await socket.next('error')).toMatchObject({ data: { code: 'INVALID_PARAMETER' } });
    const variables = Array.from({ length: 10_001 }, (_, i) => `v${i}`);
    for (const chain of ['a', 'b'])
      socket.send({ action: 'subscribe', data: [{ chain, variables }] });
    expect(await socket.next('error')).toMatchObject({
      data: { code: 'LIMIT_EXCEEDED', details: { limit: 'socket_subscriptions' } },
    });
    for (let i = 0; i < 60; i++) socket.send({ action: 'dance' });
    expect(await socket.next('error')).toMatchObject({ data: { code: 'RATE_LIMITED' } });
  });

  it('that are too large close the socket', async () => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client);
    const socket = await openAs(pathOf(id), { token: ada.token });
    socket.send({ action: 'subscribe', data: 'x'.repeat(300_000) });
    expect((await socket.closed).code).toBe(1009);
  });
});

describe('access to a socket', () => {
  const refused = async (id: string, message: unknown) => {
    const socket = await openSocket(pathOf(id));
    socket.send(message);
    const error = await socket.next('error');
    const { code } = await socket.closed;
    return [(error.data as { code: string }).code, code];
  };

  it('is decided by the first message', async () => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client);
    const action = 'authorization';
    expect(await refused(id, { action })).toEqual(['PERMISSION_DENIED', 4401]);
    expect(await refused(id, { action, token: 'erg_no' })).toEqual(['UNAUTHORIZED', 4401]);
    expect(await refused(id, { action, token: bob.token })).toEqual(['PERMISSION_DENIED', 4401]);
    expect(await refused('X0000000', { action, token: ada.token })).toEqual(['NOT_FOUND', 4401]);
    expect(await refused(id, { action: 'subscribe', data: [] })).toEqual(['UNAUTHORIZED', 4401]);
    expect(await refused(id, '{')).toEqual(['INVALID_PARAMETER', 4401]);
    // as the document's clients write it
    const bearer = `bearer ${ada.token}`;
    await (await openAs(pathOf(id), { token: bearer })).close();
    const later = await openSocket(pathOf(id));
    expect(await later.next('error')).toMatchObject({ data: { code: 'UNAUTHORIZED' } });
    expect((await later.closed).code).toBe(4401);
  });

  it('through a share gives the names of the snapshot and the end, no logs or errors', async () => {
    const { short_id: id } = await startExperiment(ada.client);
    await addDraws(service, id, { chains: 1, draws: 4 });
    const { short_id: share_id } = await addShare(ada.client, { objid: id, password: 'p4ss' });
    await add(id, 5, 4);
    const experimentId = await rowOf(id);
    const { pool } = service.database;
    await appendLog(pool, { experimentId, stream: 'stdlog', text: 'secret\n' });
    const error = { code: 'CHAIN_FAILED', message: 'secret' };
    await updateExperiment(pool, experimentId, { status: 'ERR', meta: { error } });
    const socket = await openAs(pathOf(id), { share_id, password: 'p4ss' });
    await socket.next('experiment:finish');
    socket.send({ action: 'subscribe', data: [{ chain: 'chain#1', variables: ['mu'] }] });
    await announce(id, 'status');
    await announce(id, 'draws');
    expect(socket.messages).toEqual([
      { action: 'authorized' },
      { action: 'names', data: [{ chain: 'chain#1', names: ['lp__', 'mu', 'divergent__'] }] },
      { action: 'experiment:finish' },
    ]);
    await ada.client.deleteObject({ params: { objid: share_id } });
    expect((await socket.closed).code).toBe(4401);
    expect(socket.messages).toHaveLength(3);
  });

  it('counts wrong passwords of a share like every other endpoint', async () => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client);
    const { short_id: share_id } = await addShare(ada.client, { objid: id, password: 'right' });
    const wrong = { action: 'authorization', share_id, password: 'wrong' };
    for (let i = 0; i < 5; i++)
      expect(await refused(id, wrong)).toEqual(['PERMISSION_DENIED', 4401]);
    expect(await refused(id, wrong)).toEqual(['RATE_LIMITED', 4429]);
    const error = await service.anonymous
      .viewObject({ params: { objid: id }, query: { share_id }, sharePassword: 'right' })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('with the token of a run is limited to its experiment', async () => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client);
    const { short_id: other } = await addFinishedExperiment(service, ada.client);
    const { text } = await insertToken(service.database.pool, {
      userId: ada.row.id,
      kind: 'run',
      scope: id,
    });
    const action = 'authorization';
    expect(await refused(other, { action, token: text })).toEqual(['PERMISSION_DENIED', 4401]);
    await (await openAs(pathOf(id), { token: text })).close();
    const notifications = await openSocket(`${origin}/api/notification`);
    notifications.send({ action, token: text });
    expect((await notifications.closed).code).toBe(4401);
  });

  it('ends with the token, the password of the share, or the experiment', async () => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client);
    const { id: tokenId, token } = await ada.client.createToken({ body: {} });
    const byToken = await openAs(pathOf(id), { token });
    const { short_id: share_id } = await addShare(ada.client, { objid: id, password: 'old' });
    const byShare = await openAs(pathOf(id), { share_id, password: 'old' });
    const bySession = await openAs(pathOf(id), { token: ada.token });
    await ada.client.deleteTokens({ query: { tokens: [String(tokenId)] } });
    expect((await byToken.closed).code).toBe(4401);
    await ada.client.updateObject({
      params: { objid: share_id },
      body: { payload: { object_type: 'share', password: 'new' } },
    });
    expect((await byShare.closed).code).toBe(4401);
    expect(bySession.raw.readyState).toBe(bySession.raw.OPEN);
    await ada.client.deleteObject({ params: { objid: id } });
    expect((await bySession.closed).code).toBe(4401);
  });

  it('ends when the token expires', async () => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client);
    const { text } = await insertToken(service.database.pool, {
      userId: ada.row.id,
      kind: 'api',
      expiresAt: new Date(Date.now() + 400).toISOString(),
    });
    const socket = await openAs(pathOf(id), { token: text });
    expect((await socket.closed).code).toBe(4401);
  });
});
