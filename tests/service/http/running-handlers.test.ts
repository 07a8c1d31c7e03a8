import http from 'node:http';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { waitForHandlers } from '../../../src/service/http/running-handlers.ts';

it('stopping waits for a handler whose client has disconnected', async () => {
  const app = Fastify();
  waitForHandlers(app);
  let finish = () => {};
  const steps: string[] = [];
  const begun = new Promise<void>((resolve) => {
    app.get('/slow', async () => {
      resolve();
      await new Promise<void>((end) => {
        finish = end;
      });
      steps.push('answered');
      return 'ok';
    });
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const request = http.get(`${address}/slow`);
  request.on('error', () => {});
  await begun;
  request.destroy();
  const closed = app.close().then(() => steps.push('closed'));
  setImmediate(finish);
  await closed;
  expect(steps).toEqual(['answered', 'closed']);
});
