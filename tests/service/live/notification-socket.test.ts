import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { execute, sql } from '../../../src/service/repositories/database.ts';
import { insertNotification } from '../../../src/service/repositories/notifications.ts';
import { addModel, addShare, addWorkflow } from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';
import { endSockets, listen, openAs, openSocket } from './sockets.ts';

let service: TestService;
let ada: Person;
let bob: Person;
let address: string;

beforeAll(async () => {
  service = await createTestService({ liveTimes: { roundMs: 1 } });
  ada = await service.addPerson('ada');
  bob = await service.addPerson('bob');
  address = `${await listen(service.app)}/api/notification`;
});
afterEach(() => endSockets());
afterAll(() => service.close());

const announce = (person: Person, title: string) =>
  insertNotification(service.database.pool, { userId: person.row.id, event: 'test', title });
const titled = (title: string) => (message: { action: string }) =>
  (message as unknown as { title?: string }).title === title;

describe('the notification socket', () => {
  it('pushes the notifications of its user, in the frames that clients expect', async () => {
    await announce(ada, 'before');
    const socket = await openAs(address, { token: ada.token });
    expect(socket.frames[0]).toEqual({ type: 'authorized', message: { action: 'authorized' } });
    await announce(bob, 'not hers');
    await announce(ada, 'hers');
    await socket.next(titled('hers'));
    expect(socket.frames.slice(1)).toEqual([
      {
        type: 'on.notification',
        message: {
          id: expect.any(Number) as number,
          event: 'test',
          title: 'hers',
          message: '',
          msg_object: '',
          msg_verb: '',
          share_id: '',
          created_at: expect.any(String) as string,
          read_at: null,
        },
      },
    ]);
  });

  it('notifies the user of shares and of failed runs', async () => {
    const toBob = await openAs(address, { token: bob.token });
    const toAda = await openAs(address, { token: ada.token });
    const { short_id: objid } = await addModel(ada.client, { name: 'Mine' });
    const { short_id: share_id } = await addShare(ada.client, {
      objid,
      target_user: bob.username,
    });
    expect(await toBob.next(titled('ada shared a model with you'))).toMatchObject({
      event: 'shared_with_you',
      message: 'Mine',
      msg_object: objid,
      share_id,
    });
    const { short_id: workflow, model_id: model } = await addWorkflow(ada.client, 'Broken');
    const tree = [{ name: 'model.stan', content: 'nonsense', encoding: 'text' as const }];
    await ada.client.updateObject({
      params: { objid: model as string },
      body: { payload: { object_type: 'model', content: { tree } } },
    });
    const started = await ada.client.invoke({
      body: { target: workflow, action: 'run_sample', get_response: false },
    });
    expect(await toAda.next(titled('Broken failed'))).toMatchObject({
      event: 'experiment_failed',
      msg_object: started.experiment_id,
      msg_verb: 'failed',
    });
  });

  it('neither loses nor repeats anything while the connection to the database is down', async () => {
    const socket = await openAs(address, { token: ada.token });
    await announce(ada, 'first');
    await socket.next(titled('first'));
    // nobody is notified of these
    const insert = (title: string) =>
      execute(
        service.database.pool,
        sql`insert into notifications (user_id, event, title) values (${ada.row.id}, 'test', ${title})`,
      );
    await insert('second');
    await insert('third');
    await execute(
      service.database.pool,
      sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query like 'listen%'`,
    );
    await socket.next(titled('third'));
    await announce(ada, 'fourth');
    await socket.next(titled('fourth'));
    const titles = socket.messages
      .slice(1)
      .map((message) => (message as unknown as { title: string }).title);
    expect(titles).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('is for signed-in users, and closes when they sign out', async () => {
    const anonymous = await openSocket(address);
    anonymous.send({ action: 'authorization' });
    expect(await anonymous.next('error')).toMatchObject({ data: { code: 'UNAUTHORIZED' } });
    expect(anonymous.frames[0]).toMatchObject({ type: 'error' });
    expect((await anonymous.closed).code).toBe(4401);
    const carol = await service.addPerson('carol');
    const socket = await openAs(address, { token: carol.token });
    await carol.client.logout();
    expect((await socket.closed).code).toBe(4401);
  });
});
