/** Calls that report upload progress use XMLHttpRequest, and answer and fail like any other. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../src/client/create-client.ts';

/** A server at the other end of XMLHttpRequest: what it is sent, and what it does. */
class FakeRequest {
  static last: FakeRequest | null = null;
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null } = {
    onprogress: null,
  };
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  responseType = '';
  status = 0;
  statusText = '';
  response: ArrayBuffer | null = null;
  isAborted = false;
  body = '';
  address = '';
  readonly headers: Record<string, string> = {};
  constructor() {
    FakeRequest.last = this;
  }
  open(method: string, address: string) {
    this.address = `${method} ${address}`;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(body: string) {
    this.body = body;
  }
  abort() {
    this.isAborted = true;
  }
  getAllResponseHeaders() {
    return 'content-type: application/json\r\nretry-after: 7\r\n';
  }
  answer(status: number, body: unknown) {
    this.status = status;
    this.response = new TextEncoder().encode(JSON.stringify(body)).buffer;
    this.onload?.();
  }
}

afterEach(() => vi.unstubAllGlobals());

const payload = { object_type: 'experiment' as const, name: 'imported', data_files: ['lp__\n1\n'] };
async function call(extra: { signal?: AbortSignal } = {}) {
  FakeRequest.last = null;
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  const client = createClient({ baseUrl: 'https://server.test/', token: 'erg_x' });
  const steps: string[] = [];
  const answer = client.createObject({
    body: { payload },
    onUpload: (sent, total) => steps.push(`${sent} of ${total}`),
    ...extra,
  });
  answer.catch(() => {});
  // the module that sends it is loaded first; the request has started once it has a body
  const request = await vi.waitFor(() => {
    if (!FakeRequest.last?.body) throw new Error('not sent yet');
    return FakeRequest.last;
  });
  return { answer, steps, request };
}

describe('an upload', () => {
  it('reports the bytes sent and returns the typed answer', async () => {
    const { answer, steps, request } = await call();
    request.upload.onprogress?.({ loaded: 10, total: 40 });
    request.upload.onprogress?.({ loaded: 40, total: 40 });
    request.answer(200, {
      status: 'ok',
      data: { object_type: 'experiment', short_id: 'X0000001', model_name: '' },
    });
    expect(await answer).toMatchObject({ short_id: 'X0000001', status: '' });
    expect(steps).toEqual(['10 of 40', '40 of 40']);
    expect(request.address).toBe('POST https://server.test/api/object');
    expect(request.headers).toMatchObject({
      authorization: 'Bearer erg_x',
      'content-type': 'application/json',
    });
    expect(JSON.parse(request.body)).toMatchObject({ payload: { name: 'imported' } });
  });

  it('fails with the error that the server sent', async () => {
    const { answer, request } = await call();
    request.answer(429, { status: 'error', code: 'RATE_LIMITED', message: 'wait' });
    await expect(answer).rejects.toMatchObject({
      kind: 'http',
      code: 'RATE_LIMITED',
      retryAfterSeconds: 7,
    });
  });

  it('fails with a network error when the connection fails', async () => {
    const { answer, request } = await call();
    request.onerror?.();
    await expect(answer).rejects.toMatchObject({ kind: 'network' });
  });

  it('ends when its caller aborts it', async () => {
    const stop = new AbortController();
    const { answer, request } = await call({ signal: stop.signal });
    stop.abort();
    await expect(answer).rejects.toMatchObject({ kind: 'aborted' });
    expect(request.isAborted).toBe(true);
  });

  it('uses the fetch of its caller if there is one', async () => {
    vi.stubGlobal('XMLHttpRequest', FakeRequest);
    const fetch = vi.fn(async () =>
      Response.json({
        status: 'ok',
        data: { object_type: 'experiment', short_id: 'X0000002', model_name: '' },
      }),
    );
    const client = createClient({ fetch });
    const answer = await client.createObject({ body: { payload }, onUpload: () => {} });
    expect(answer).toMatchObject({ short_id: 'X0000002' });
    expect(fetch).toHaveBeenCalledOnce();
  });
});
