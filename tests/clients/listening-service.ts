/** The in-process service as programs in other languages see it: an address, a token, a network that may lose calls. */
import { execFile } from 'node:child_process';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '../../src/client/create-client.ts';
import { expectKind } from '../../src/client/expect-kind.ts';
import type { Experiment } from '../../src/contract/experiment.ts';
import { drawsOf, finalise, valuesOnly } from '../support/runner-service.ts';
import { createTestService, type Person, type TestService } from '../support/service.ts';

export interface Listening {
  readonly service: TestService;
  readonly person: Person;
  readonly origin: string;
  /** Loses the request or the response of a call, as `isLost` decides by its number. */
  losing(isLost: (call: number) => 'question' | 'answer' | null): Promise<string>;
  run(program: string, args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  /** Name of the run → what the service stores. Finished as a worker would do it. */
  find(name: string): Promise<{ experiment: Experiment; draws: Draws }>;
  close(): Promise<void>;
}

type Draws = ReturnType<typeof valuesOnly>;

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly messages: string;
}

export async function listen(): Promise<Listening> {
  const service = await createTestService({
    makeClient: (port, token) =>
      createClient({ baseUrl: `http://127.0.0.1:${port()}`, token, fetch }),
  });
  const person = await service.addPerson('ada');
  const { port } = service.app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const proxies: http.Server[] = [];
  return {
    service,
    person,
    origin,
    async losing(isLost) {
      let calls = 0;
      const proxy = http.createServer((request, response) => {
        const fate = isLost(++calls);
        if (fate === 'question') {
          request.socket.destroy();
          return;
        }
        void pass(origin, request).then(async (answer) => {
          if (fate === 'answer') request.socket.destroy();
          else response.writeHead(answer.status).end(await answer.text());
        });
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      proxies.push(proxy);
      return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    },
    run(program, args, env = {}) {
      const all = { ...process.env, ERGODIC_SERVER: origin, ERGODIC_TOKEN: person.token, ...env };
      return new Promise((resolve) => {
        execFile(program, args, { env: all }, (error, out, messages) => {
          const code = error === null ? 0 : Number((error as { code?: unknown }).code ?? -1);
          resolve({ code, out, messages });
        });
      });
    },
    async find(name) {
      const query = { object_type: 'experiment' as const, q: name };
      const { objects } = await person.client.listObjects({ query });
      if (objects.length !== 1) throw new Error(`${objects.length} experiments are named ${name}`);
      const objid = objects[0]?.short_id ?? '';
      const read = async () =>
        expectKind(await person.client.viewObject({ params: { objid } }), 'experiment');
      if ((await read()).meta?.run_info !== undefined) await finalise(service, objid);
      return { experiment: await read(), draws: valuesOnly(await drawsOf(service, person, objid)) };
    },
    async close() {
      for (const proxy of proxies) proxy.close();
      await service.close();
    },
  };
}

async function pass(origin: string, request: IncomingMessage): Promise<Response> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { authorization = '' } = request.headers;
  const body = request.method === 'POST' ? { body: Buffer.concat(parts) } : {};
  return fetch(origin + (request.url ?? ''), {
    method: request.method ?? 'GET',
    headers: { authorization, 'content-type': 'application/json' },
    ...body,
  });
}
