/**
 * A fake server with runs: draws, summaries, logs, draws files, and shares with passwords, in front of the objects of
 * `fake-server.ts`. `documented` = only the endpoints of the documented API: no DELETE, no `/sys`, no `/base`.
 */
import { encodeDraws } from '../../src/contract/draws.ts';
import type { ServerConfig } from '../../src/contract/system.ts';
import type { FakeRun } from './fake-run.ts';
import { type FakeObject, FakeServer, type FakeServerOptions } from './fake-server.ts';

export interface FakeRunServerOptions extends FakeServerOptions {
  readonly runs?: readonly FakeRun[];
  readonly documented?: boolean;
  readonly config?: ServerConfig;
  /** Passwords of shares, by id; a share that is not named is public. */
  readonly sharePasswords?: Readonly<Record<string, string>>;
  /** Answers "generating" this many times before a file of draws is ready. */
  readonly filesTake?: number;
  readonly log?: string;
  /** Addresses of reports, by the id of their workflow; the others have none. */
  readonly reports?: Readonly<Record<string, string>>;
}

/** How many wrong passwords a share accepts before it answers RATE_LIMITED. */
export const triesAShare = 3;

type Trouble = 'offline' | 'broken' | 'unauthorized';

export class FakeRunServer {
  readonly objects: FakeServer;
  readonly runs: readonly FakeRun[];
  readonly token: string;
  /** Method, path and query of every request, oldest first. */
  readonly log: string[] = [];
  /** Requests to the documented server for endpoints that it does not have. */
  readonly missed: string[] = [];
  /** Every request fails this way until it is reset. */
  trouble: Trouble | null = null;
  /** Only requests that contain this text fail. */
  troubleIn = '';
  private readonly options: FakeRunServerOptions;
  private readonly wrong = new Map<string, number>();
  private filesAsked = 0;

  constructor(options: FakeRunServerOptions = {}) {
    this.options = options;
    this.runs = options.runs ?? [];
    this.objects = new FakeServer(options);
    this.token = this.objects.token;
    for (const run of this.runs) this.show(run);
  }

  /** Requests whose method, path and query contain `text`. */
  asked(text: string): string[] {
    return this.log.filter((line) => line.includes(text));
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : String(input), 'http://fake.test');
    const line = `${init?.method ?? 'GET'} ${url.pathname}${url.search}`;
    init?.signal?.throwIfAborted();
    this.log.push(line);
    if (this.trouble !== null && line.includes(this.troubleIn)) return this.answerTrouble();
    this.renew();
    if (url.pathname.startsWith('/draws/')) return this.file(url.pathname);
    // Signed addresses need no header.
    if (this.options.files?.[url.pathname] !== undefined) return this.objects.fetch(input);
    if (this.options.documented && isOurs(init?.method ?? 'GET', url.pathname)) {
      this.missed.push(line);
      return new Response('<h1>Not here</h1>', { status: 404 });
    }
    const headers = new Headers(init?.headers);
    const refusal = this.refusalOf(url, headers);
    if (refusal !== null) return refusal;
    const answer =
      this.answerRun(url) ?? (await this.objects.fetch(input, this.withViewer(url, init)));
    if (answer.ok && init?.method === 'POST' && typeof init.body === 'string')
      this.extend(url.pathname, init.body);
    return answer;
  };

  /** Runs advance by themselves: lists and views always show the newest state. */
  private renew(): void {
    for (const run of this.runs) if (this.objects.objects.has(run.id)) this.show(run);
  }

  private show(run: FakeRun): void {
    const experiment = run.experiment({ plain: this.options.documented });
    this.objects.objects.set(run.id, experiment as FakeObject);
  }

  /** Carries out the commands that runs support: more draws, and excluded chains. */
  private extend(path: string, body: string): void {
    const run = this.runs.find(({ id }) => path === `/api/object/${id}`);
    if (run === undefined) return;
    const { payload } = JSON.parse(body) as {
      payload: { action?: string; meta?: { extend_by?: number; chains_left_out?: string[] } };
    };
    if (payload.action === 'extend') run.extend(payload.meta?.extend_by ?? 0);
    run.leftOut = payload.meta?.chains_left_out ?? run.leftOut;
  }

  private answerTrouble(): Response {
    if (this.trouble === 'offline') throw new TypeError('fetch failed');
    return this.trouble === 'broken'
      ? failure('INTERNAL', 500, 'asked to fail')
      : failure('UNAUTHORIZED', 401, 'The token has ended.');
  }

  /** A share's answer before its password is given; null: it is open. */
  private refusalOf(url: URL, headers: Headers): Response | null {
    const shareId = url.searchParams.get('share_id');
    const hasToken = headers.has('authorization');
    if (hasToken && headers.get('authorization') !== `Bearer ${this.token}`)
      return failure('UNAUTHORIZED', 401, 'The token is unknown or has ended.');
    if (shareId === null) {
      const isShare = url.pathname.startsWith('/api/object/S');
      const isPublic = isShare || /^\/(sys|base\/login)/.test(url.pathname);
      return hasToken || isPublic ? null : failure('UNAUTHORIZED', 401, 'Sign in.');
    }
    if (!this.objects.objects.has(shareId)) return failure('NOT_FOUND', 400, 'No such share.');
    const password = this.options.sharePasswords?.[shareId];
    if (password === undefined) return null;
    const sent = Buffer.from(headers.get('x-share-password') ?? '', 'latin1').toString('utf8');
    if (sent === password) return null;
    const wrong = this.wrong.get(shareId) ?? 0;
    if (wrong >= triesAShare)
      return failure('RATE_LIMITED', 429, 'Too many tries.', { 'retry-after': '120' });
    if (sent !== '') this.wrong.set(shareId, wrong + 1);
    return failure('PERMISSION_DENIED', 400, 'Wrong password.');
  }

  /** A viewer without a token may see what the share shows. */
  private withViewer(url: URL, init: RequestInit | undefined): RequestInit | undefined {
    if (!url.searchParams.has('share_id')) return init;
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${this.token}`);
    return { ...init, headers };
  }

  private answerRun(url: URL): Response | null {
    const [, , kind, id] = url.pathname.split('/');
    if (url.pathname.startsWith('/api/object/S')) {
      if (!this.objects.objects.has(id)) return failure('NOT_FOUND', 400, 'No such share.');
      const require_password = this.options.sharePasswords?.[id] !== undefined;
      return ok({ object_type: 'share', require_password });
    }
    const query = url.searchParams;
    if (kind === 'object' && query.get('view-analyzer') === 'true')
      return ok({ object_type: 'workflow.analyzer', url: this.options.reports?.[id] ?? '' });
    const run = this.runs.find((candidate) => candidate.id === id);
    if (run === undefined) return null;
    if (!this.objects.objects.has(id)) return failure('NOT_FOUND', 400, 'There is no such object.');
    if (kind === 'summary') return ok(run.summary());
    if (kind === 'draws') return this.draws(run, query);
    if (kind === 'log') {
      const text = this.options.log ?? '';
      const lines = text.split('\n').length - 1;
      return ok({ from: 0, to: text.length, size: text.length, lines, text });
    }
    if (kind === 'object' && query.get('sampledata') === 'true') return this.sampledata(run);
    if (kind === 'object' && query.get('stdlog') === 'true')
      return ok({ object_type: 'experiment.stdlog', logs: this.options.log ?? '' });
    return null;
  }

  private draws(run: FakeRun, query: URLSearchParams): Response {
    const { header, values } = run.drawsAnswer({
      variables: query.getAll('variable'),
      chains: query.getAll('chain'),
      phase: query.get('phase') === 'warmup' ? 'warmup' : 'sampling',
      from: Number(query.get('from') ?? 0),
    });
    return new Response(encodeDraws(header, values).slice().buffer);
  }

  private sampledata(run: FakeRun): Response {
    const object_type = 'experiment.sampledata';
    this.filesAsked += 1;
    if (this.filesAsked <= (this.options.filesTake ?? 0))
      return ok({ object_type, url: null, progress: 'generating', message: '' });
    const url = `http://files.test/draws/${run.id}`;
    return ok({ object_type, url, progress: 'done', message: '' });
  }

  private file(path: string): Response {
    const run = this.runs.find((candidate) => path === `/draws/${candidate.id}`);
    return run === undefined ? new Response('gone', { status: 404 }) : new Response(run.csv());
  }
}

/** Endpoints that no other server of the documented API has. */
function isOurs(method: string, path: string): boolean {
  return method === 'DELETE' || /^\/(sys|base|api\/(draws|summary|log|versions))(\/|$)/.test(path);
}

function ok(data: unknown): Response {
  return Response.json({ status: 'ok', data });
}

function failure(
  code: string,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ status: 'error', code, message }, { status, headers });
}
