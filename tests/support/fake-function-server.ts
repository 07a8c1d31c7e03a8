/** A fake server with events, callbacks, relations and cloud functions in front of the objects of `fake-server.ts`. */
import { type FakeObject, FakeServer, type FakeServerOptions } from './fake-server.ts';

export interface FakeFunctionServerOptions extends Omit<FakeServerOptions, 'objects'> {
  readonly objects?: readonly FakeObject[];
  /** What a cloud function returns; a text that begins with `!` makes it fail. */
  readonly answer?: (parameters: Record<string, unknown>) => unknown;
}

const letters: Readonly<Record<string, string>> = { event: 'E', callback: 'C', relation: 'R' };

export class FakeFunctionServer {
  readonly server: FakeServer;
  readonly token: string;
  /** Bodies of function calls and of fired events. */
  readonly calls: Record<string, unknown>[] = [];
  private readonly answer: NonNullable<FakeFunctionServerOptions['answer']>;
  private made = 0;

  constructor({ objects = [], answer = () => null, ...options }: FakeFunctionServerOptions = {}) {
    this.server = new FakeServer({ ...options, objects });
    this.token = this.server.token;
    this.answer = answer;
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : String(input), 'http://fake.test');
    const method = init?.method ?? 'GET';
    const body = (typeof init?.body === 'string' ? JSON.parse(init.body) : {}) as Record<
      string,
      unknown
    >;
    if (url.pathname === '/invoke') return this.invoke(body);
    const payload = body.payload as { object_type: string } | undefined;
    if (method === 'POST' && payload !== undefined && payload.object_type in letters) {
      if (url.pathname === '/api/object') return this.create(payload);
      this.calls.push(payload);
      return ok(this.server.objects.get(url.pathname.split('/')[3]));
    }
    return this.server.fetch(input, init);
  };

  private create(payload: { object_type: string }): Response {
    this.made += 1;
    const short_id = `${letters[payload.object_type]}new000${this.made}`;
    const created_at = '2026-11-20T07:41:32Z';
    const object = { user_id: 1, token: '', ...payload, short_id, created_at };
    this.server.objects.set(short_id, object as unknown as FakeObject);
    return ok(object);
  }

  private invoke(body: Record<string, unknown>): Response {
    this.calls.push(body);
    const answer = this.answer(body.parameters as Record<string, unknown>);
    if (typeof answer === 'string' && answer.startsWith('!')) {
      const error = { status: 'error', code: 'INVALID_PARAMETER', message: answer.slice(1) };
      return Response.json(error, { status: 400 });
    }
    return ok(body.get_response === true ? { cloudfunction_response: answer } : {});
  }
}

function ok(data: unknown): Response {
  return Response.json({ status: 'ok', data });
}
