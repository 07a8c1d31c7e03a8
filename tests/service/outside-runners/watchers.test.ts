/** A watcher of an experiment's socket sees a runner's run while its messages arrive. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { finalise, makeOutside, sendAs } from '../../support/runner-service.ts';
import {
  deliver,
  play,
  type RunScript,
  type Send,
  scriptOf,
  textMessage,
} from '../../support/scripted-runner.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';
import { endSockets, listen, openAs } from '../live/sockets.ts';

let service: TestService;
let ada: Person;
let send: Send;
let origin: string;
beforeAll(async () => {
  service = await createTestService({ liveTimes: { roundMs: 1, progressMs: 0 } });
  ada = await service.addPerson('ada');
  send = sendAs(service, ada.token);
  origin = await listen(service.app);
});
afterEach(() => endSockets());
afterAll(() => service.close());

it('a watcher receives lines, messages, names, draws and one end', async () => {
  const { short_id: experiment } = await makeOutside(send);
  const script: RunScript = {
    experiment,
    batch: 'b',
    run: 'r',
    chains: ['chain#1'],
    variables: ['x/val'],
    batches: [2, 3],
    client: 'newest',
    lines: ['Sampling'],
  };
  const socket = await openAs(`${origin}/mcmc/ws/sub/object/${experiment}`, { token: ada.token });
  const messages = scriptOf(script);
  await play(send, messages.slice(0, 4));
  expect(await socket.next('names')).toEqual({
    action: 'names',
    data: [{ chain: 'chain#1', names: ['x/val'] }],
  });
  socket.send({ action: 'subscribe', data: [{ chain: 'chain#1', variables: ['x/val'] }] });
  await socket.next('experiment:event');
  await play(send, messages.slice(4));
  await deliver(send, textMessage(script, { action: 'my:own', data: { any: ['thing'] } }));
  expect(await socket.next('my:own')).toEqual({ action: 'my:own', data: { any: ['thing'] } });
  await finalise(service, experiment);
  await socket.next('experiment:finish');
  const count = (action: string) => socket.messages.filter((one) => one.action === action).length;
  expect(count('experiment:finish')).toBe(1);
  expect(socket.messages).toContainEqual({ action: 'experiment:output', data: 'Sampling\n' });
  expect(socket.messages).toContainEqual({ action: 'start' });
});
