import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/client/api-error.ts';
import { createClient } from '../../src/client/create-client.ts';
import { expectKind } from '../../src/client/expect-kind.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit & { headers: Record<string, string> };
}

/** A client whose server always gives the same answer and records what was sent. */
function clientOf(answer: () => Response | Promise<Response>, token: string | null = 't') {
  const sent: Sent[] = [];
  const fetch = async (url: unknown, init: unknown) => {
    sent.push({ url: url as string, init: init as Sent['init'] });
    return answer();
  };
  return {
    client: createClient({
      baseUrl: 'http://server/',
      token,
      fetch: fetch as typeof globalThis.fetch,
    }),
    sent,
  };
}
const json = (body: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);
const user = { id: 1, username: 'ada(@1)', super: false, roles: [] };
const failure = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error as ApiError,
  );

describe('the client sends', () => {
  it('path, repeated keys, body and token, and omits empty values', async () => {
    const { client, sent } = clientOf(() => json({ status: 'ok', data: { deleted_key: null } }));
    await client.deleteObjects({ query: { objids: ['M1', 'M 2'], deleted_key: '' } });
    await client.deleteObject({ params: { objid: 'a/b?c' } });
    expect(sent.map(({ url }) => url)).toEqual([
      'http://server/api/object?objids=M1&objids=M+2',
      'http://server/api/object/a%2Fb%3Fc',
    ]);
    expect(sent[0].init).toMatchObject({
      method: 'DELETE',
      credentials: 'omit',
      headers: { authorization: 'Bearer t' },
    });
  });

  it('a share password as UTF-8 bytes, in its header only', async () => {
    const { client, sent } = clientOf(
      () => json({ status: 'ok', data: { object_type: 'share', require_password: false } }),
      null,
    );
    await client.viewObject({ params: { objid: 'S1234567' }, sharePassword: 'ü鍵' });
    expect(Buffer.from(sent[0].init.headers['x-share-password'], 'latin1').toString('utf8')).toBe(
      'ü鍵',
    );
    expect(sent[0].init.headers.authorization).toBeUndefined();
    expect(sent[0].url).not.toContain('%C3');
  });
});

describe('the client', () => {
  it('returns data in the shape that the contract defines', async () => {
    const { client } = clientOf(() => json({ status: 'ok', data: { ...user, extra: 1 } }));
    expect(await client.viewUser()).toEqual({ ...user, is_github_user: false });
  });

  it.each([
    [
      'http',
      () =>
        json(
          { status: 'error', code: 'CONFLICT', message: 'm', details: { version: 3 } },
          { status: 400 },
        ),
      { code: 'CONFLICT', status: 400, details: { version: 3 }, message: 'm' },
    ],
    [
      'http',
      () => json({ status: 'error', code: 'ODD', message: 'm' }),
      { code: 'ODD', status: 200 },
    ],
    [
      'http',
      () =>
        json(
          { status: 'error', code: 'RATE_LIMITED', message: 'm' },
          { status: 429, headers: { 'retry-after': '7' } },
        ),
      { retryAfterSeconds: 7 },
    ],
    [
      'http',
      () => new Response('<html>', { status: 502 }),
      { status: 502, code: '', retryAfterSeconds: null },
    ],
    [
      'schema',
      () => json({ status: 'ok', data: { ...user, id: 'one' } }),
      { message: expect.stringContaining('"id"') },
    ],
    ['schema', () => json([1]), {}],
    ['schema', () => new Response('not json'), {}],
    ['network', () => Promise.reject(new TypeError('fetch failed')), { status: 0 }],
    ['aborted', () => Promise.reject(new DOMException('stop', 'AbortError')), {}],
    ['timeout', () => Promise.reject(new DOMException('late', 'TimeoutError')), {}],
  ] as const)('throws an ApiError of kind %s (case %#)', async (kind, answer, members) => {
    const error = await failure(clientOf(answer).client.viewUser());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ kind, ...members });
  });

  it('returns bytes, or throws the error sent instead', async () => {
    const { client } = clientOf(() => new Response(new Uint8Array([1, 2])));
    expect(new Uint8Array(await client.viewDraws({ params: { objid: 'X1234567' } }))).toEqual(
      new Uint8Array([1, 2]),
    );
    const refused = clientOf(() =>
      json({ status: 'error', code: 'NOT_FOUND', message: 'm' }, { status: 400 }),
    );
    expect(
      await failure(refused.client.viewDraws({ params: { objid: 'X1234567' } })),
    ).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('gives up after its time limit, also when only the body is slow', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const fetch = async (_url: unknown, { signal }: { signal: AbortSignal }) =>
      new Response(
        new ReadableStream({
          start(body) {
            signal.addEventListener('abort', () => body.error(signal.reason));
          },
        }),
      );
    const client = createClient({
      baseUrl: 'http://server/',
      token: 't',
      fetch: fetch as typeof globalThis.fetch,
      timeoutMs: 100,
    });
    const request = failure(client.viewUser({ signal: new AbortController().signal }));
    collect();
    // the timer of a signal keeps no process running
    const waiting = setInterval(collect, 20);
    expect(await request).toMatchObject({ kind: 'timeout' });
    clearInterval(waiting);
  }, 10_000);

  it('throws when an object is not of the expected kind', () => {
    expect(() => expectKind({ object_type: 'data' }, 'model')).toThrow(
      /Expected model, the server sent data/,
    );
    expect(() => expectKind(null, 'model')).toThrow(ApiError);
  });
});
