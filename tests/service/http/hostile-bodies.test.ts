import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeDraws } from '../../../src/contract/draws.ts';
import { limits } from '../../../src/contract/limits.ts';
import {
  createReadingThreads,
  type ReadingThreads,
} from '../../../src/service/reading/reading-threads.ts';
import { hostileBodies } from '../../support/hostile-bodies.ts';
import { createTestService, type TestService } from '../../support/service.ts';

let service: TestService;
/** What was read in a thread, task by task. */
const inThreads: string[] = [];
const threads = createReadingThreads();
const reading: ReadingThreads = {
  run(name, input, transfer) {
    inThreads.push(name);
    return threads.run(name, input, transfer);
  },
  close: () => threads.close(),
};

beforeAll(async () => {
  service = await createTestService({ reading });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => service.close());

interface Sent {
  readonly path: string;
  readonly body: Buffer | string;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly json: { data: never; code?: string; message?: string; details?: { limit?: string } };
}

/** One real connection each. An answer may arrive before the body is sent: later writes go nowhere. */
function post({ path, body, token = null, headers = {} }: Sent): Promise<Answer> {
  const { port } = service.app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const request = http.request({
      port,
      path,
      method: 'POST',
      agent: false,
      headers: {
        ...headers,
        'content-length': Buffer.byteLength(body),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    let isAnswered = false;
    request.on('response', (response) => {
      isAnswered = true;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          json: JSON.parse(text) as Answer['json'],
        }),
      );
    });
    request.on('error', (error) => {
      if (!isAnswered) reject(error);
    });
    request.end(body);
  });
}

describe('a hostile body', () => {
  it.each(hostileBodies)('of $name is refused with the limit that it exceeds', async (hostile) => {
    inThreads.length = 0;
    const { status, json } = await post({
      path: hostile.path,
      // enough to break every limit, and little work for the test
      body: hostile.make(12),
      token: hostile.isSignedIn ? service.owner.token : null,
      headers: hostile.headers,
    });
    expect({ status, code: json.code, limit: json.details?.limit }).toEqual({
      status: hostile.status,
      code: hostile.code,
      limit: hostile.limit,
    });
    if (hostile.limit !== undefined) expect(json.message).toContain(hostile.limit);
    // anonymous bodies, and those that unpack to too much, are not read at all; the rest off the event loop
    const isRead = hostile.isSignedIn && hostile.limit !== 'body_ratio';
    expect(inThreads).toEqual(isRead ? ['body'] : []);
  });

  it('is refused for its number of values, however small it is', async () => {
    const body = Buffer.from(`[${'1,'.repeat(limits.body_values)}1]`);
    const { json } = await post({ path: '/api/object', body, token: service.owner.token });
    expect(json).toMatchObject({ code: 'TOO_LARGE', details: { limit: 'body_values' } });
  });

  it('that unpacks to a large file is unpacked in a thread', async () => {
    const { client, token } = service.owner;
    const made = await client.createObject({ body: { payload: { object_type: 'workflow' } } });
    const id = (made as { short_id: string }).short_id;
    const result = gzipSync(Buffer.alloc(20 * 2 ** 20)).toString('base64');
    const payload = {
      object_type: 'workflow.analyzer_result',
      return_code: 0,
      errlines: [],
      result,
    };
    inThreads.length = 0;
    const { status } = await post({
      path: `/api/object/${id}`,
      body: JSON.stringify({ payload }),
      token,
    });
    expect(status).toBe(200);
    expect(inThreads).toEqual(['body']);
  });
});

describe('bodies that cannot be read', () => {
  it('are rate-limited per network, and signed-in users are not affected', async () => {
    const send = (token: string | null) => post({ path: '/base/login', body: '[', token });
    const codes: (string | undefined)[] = [];
    for (let i = 0; i < 80 && codes.at(-1) !== 'RATE_LIMITED'; i++)
      codes.push((await send(null)).json.code);
    expect(new Set(codes)).toEqual(new Set(['INVALID_PARAMETER', 'RATE_LIMITED']));
    const { status, headers } = await send(null);
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const { client } = service.owner;
    expect(await client.viewUser({})).toMatchObject({ id: service.owner.row.id });
    const payload = { object_type: 'event', name: 'still answered' } as const;
    expect(await client.createObject({ body: { payload } })).toMatchObject({ name: payload.name });
    service.clock.now += 60_000;
    expect((await send(null)).json.code).toBe('INVALID_PARAMETER');
    service.clock.now += 3_600_000;
  });
});

describe('a large body', () => {
  const create = async (payload: object, headers?: Record<string, string>) => {
    const text = JSON.stringify({ payload });
    const body = headers === undefined ? text : gzipSync(text);
    const answer = await post({ path: '/api/object', body, token: service.owner.token, headers });
    expect(answer.json, answer.json.message).toMatchObject({ status: 'ok' });
    return answer.json.data as { short_id: string; fmt?: string };
  };
  const view = (id: string) =>
    service.owner.client.viewObject({ params: { objid: id }, query: {} });
  const storedData = async (id: string) => {
    const { path } = (await view(id)) as { path: string };
    return (await service.app.inject({ method: 'GET', url: path })).body;
  };
  const numbers = Array.from({ length: 100_000 }, (_, i) => Math.sin(i));

  it.each([
    ['json', JSON.stringify({ x: numbers })],
    ['csv', `a,b\n${'1,2\n'.repeat(50_000)}`],
    ['raw', `{${'é'.repeat(100_000)}`],
  ])('of data is stored as %s, byte for byte', async (fmt, data) => {
    const plain = await create({ object_type: 'data', name: 'plain', data });
    expect(plain.fmt).toBe(fmt);
    expect(await storedData(plain.short_id)).toBe(data);
    const base64 = Buffer.from(data).toString('base64');
    const coded = await create({
      object_type: 'data',
      name: 'coded',
      data: base64,
      base64_encoded: true,
    });
    expect(await storedData(coded.short_id)).toBe(data);
  });

  it('may be sent compressed by a signed-in user', async () => {
    const data = JSON.stringify(numbers);
    const { short_id: id } = await create(
      { object_type: 'data', name: 'x', data },
      {
        'content-encoding': 'gzip',
      },
    );
    expect(await storedData(id)).toBe(data);
  });

  it('that is declared as gzip but is not is refused with a message about gzip', async () => {
    const { status, json } = await post({
      path: '/api/object',
      body: '{}',
      token: service.owner.token,
      headers: { 'content-encoding': 'gzip' },
    });
    expect([status, json.code]).toEqual([400, 'INVALID_PARAMETER']);
    expect(json.message).toMatch(/gzip/);
  });

  it.each(['rot13', 'constructor', 'toString'])(
    'with the unknown content encoding %s is refused with that name',
    async (encoding) => {
      const { status, json } = await post({
        path: '/api/object',
        body: '{}',
        token: service.owner.token,
        headers: { 'content-encoding': encoding },
      });
      expect([status, json.code]).toEqual([400, 'INVALID_PARAMETER']);
      expect(json.message).toMatch(`sent as ${encoding.toLowerCase()};`);
    },
  );

  it('of a model keeps its files, even if it is sent without object_type', async () => {
    const content = `// ${'x'.repeat(100_000)}\nparameters { real x; } model { x ~ normal(0, 1); }`;
    const tree = [
      { name: 'lib', type: 'folder', children: [{ name: 'a.stan', content, encoding: 'text' }] },
      { name: 'main.stan', content, encoding: 'text' },
    ];
    const { short_id: id } = await create({
      object_type: 'model',
      name: 'm',
      entrance_file: 'main.stan',
      content: { tree },
    });
    const shown = (await view(id)) as { content: { tree: unknown }; env: string };
    expect(shown.env).toBe('stan');
    expect(shown.content.tree).toMatchObject(tree);
    const changed = [{ name: 'main.stan', content: `${content}\n`, encoding: 'text' }];
    const body = JSON.stringify({ payload: { content: { tree: changed } } });
    const { token } = service.owner;
    expect((await post({ path: `/api/object/${id}`, body, token })).status).toBe(200);
    expect(((await view(id)) as { content: { tree: unknown } }).content.tree).toMatchObject(
      changed,
    );
  });

  it('that is invalid is refused with the same message as a small one', async () => {
    const { token } = service.owner;
    const padding = 'x'.repeat(100_000);
    const refusals = [
      { object_type: 'model', name: 'm', content: { tree: [{ name: '../a', content: padding }] } },
      { object_type: 'model', name: 'm', content: { tree: [{ name: 7, content: padding }] } },
      { object_type: 'data', name: 'd', data: `${padding}!`, base64_encoded: true },
    ];
    for (const payload of refusals) {
      const large = await post({ path: '/api/object', body: JSON.stringify({ payload }), token });
      const small = JSON.stringify({ payload }).replace(padding, '');
      const { json } = await post({ path: '/api/object', body: small, token });
      expect(large.json).toEqual(json);
      expect(json.code).toBe('INVALID_PARAMETER');
    }
  });

  it('of draws is stored like the same draws in small bodies', async () => {
    const texts = numbers.slice(0, 4000).map(String);
    // not finite, as Python writes it
    texts[3] = 'NaN';
    texts[4] = '-Infinity';
    const post4000 = async (iterations: number) => {
      const { short_id: id } = await create({ object_type: 'experiment', name: 'e', meta: {} });
      for (let from = 0; from < 4000; from += iterations) {
        const values = texts.slice(from, from + iterations).join(',');
        const body = `{"payload":{"object_type":"experiment.protobuf_message","batch_id":"b","run_id":"r",
          "logs":{"vars":{"c":{"x":[${values}]}},"iteration":{"c":[${from + 1},${from + iterations}]}}}}`;
        const { token } = service.owner;
        expect((await post({ path: `/api/object/${id}`, body, token })).status).toBe(200);
      }
      const { client } = service.owner;
      const bytes = await client.viewDraws({ params: { objid: id }, query: {} });
      return [...decodeDraws(bytes).values];
    };
    inThreads.length = 0;
    const large = await post4000(4000);
    expect(inThreads).toEqual(['body']);
    inThreads.length = 0;
    expect(large).toEqual(await post4000(1000));
    expect(inThreads).toEqual([]);
    expect(large).toEqual(texts.map(Number));
  });
});

describe('a program', () => {
  const run = async (source: string) => {
    const { client } = service.owner;
    const tree = [
      { name: 'main.stan', type: 'file' as const, content: source, encoding: 'text' as const },
    ];
    const model = await client.createObject({
      body: { payload: { object_type: 'model', name: 'm', content: { tree } } },
    });
    const workflow = await client.createObject({
      body: {
        payload: { object_type: 'workflow', model_id: (model as { short_id: string }).short_id },
      },
    });
    inThreads.length = 0;
    await client.invoke({
      body: { target: (workflow as { short_id: string }).short_id, action: 'run_sample' },
    });
    const { objects } = await client.listObjects({ query: { object_type: 'experiment' } });
    const [newest] = objects as { short_id: string; status: string }[];
    const { logs } = (await client.viewObject({
      params: { objid: newest?.short_id ?? '' },
      query: { stdlog: true },
    })) as unknown as { logs: string };
    return { threads: [...inThreads], status: newest?.status, log: logs };
  };

  it('of thousands of lines is checked in a thread when its run starts', async () => {
    const lines = Array.from({ length: 1000 }, (_, i) => `  target += normal_lpdf(x | ${i}, 1);`);
    const source = `parameters { real x; }\nmodel {\n${lines.join('\n')}\n}`;
    expect(await run(source)).toMatchObject({ threads: ['checkProgram'], status: 'NEW', log: '' });
  });

  it('of a few lines is checked without a thread', async () => {
    expect((await run('parameters { real x; } model { x ~ std_normal(); }')).threads).toEqual([]);
  });

  it('of thousands of errors shows the first of them and counts the others', async () => {
    const lines = Array.from({ length: 2000 }, (_, i) => `y${i} = 1;`);
    const { threads, status, log } = await run(`model { ${lines.join(' ')} }`);
    expect([threads, status]).toEqual([['checkProgram'], 'ERR']);
    expect(log.match(/error: /g)).toHaveLength(50);
    expect(log).toContain('1950 more errors are not shown.');
    expect(log.length).toBeLessThan(50_000);
  });
});

describe('the result of a function', () => {
  const answerOf = async (code: string) => {
    const { client } = service.owner;
    const tree = [
      { name: 'main.js', type: 'file' as const, content: code, encoding: 'text' as const },
    ];
    const made = await client.createObject({
      body: { payload: { object_type: 'model', name: 'f', tags: ['code'], content: { tree } } },
    });
    inThreads.length = 0;
    const { cloudfunction_response: answer } = (await client.invoke({
      body: { target: (made as { short_id: string }).short_id, action: 'run', get_response: true },
    })) as { cloudfunction_response?: unknown };
    return { answer, threads: [...inThreads] };
  };

  it('is parsed in a thread if it is long, and is unchanged', async () => {
    const code =
      'export default () => Array.from({ length: 20000 }, (_, i) => ({ i, text: "é😀" }))';
    const { answer, threads } = await answerOf(code);
    expect(threads).toEqual(['isJson']);
    expect(answer).toEqual(Array.from({ length: 20_000 }, (_, i) => ({ i, text: 'é😀' })));
    expect(await answerOf('export default () => [1]')).toEqual({ answer: [1], threads: [] });
  });
});
