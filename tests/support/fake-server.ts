/**
 * A server in the test's own process, built from the contract: a `fetch` over objects in memory.
 *
 * Requests are matched to the endpoint table and parsed by its schemas, answers pass the response schema, and a request
 * that no endpoint or handler knows throws, so no test passes with a call that nothing handles. Long because it has one
 * handler for each endpoint, over the same objects.
 */
import type { Token, User } from '../../src/contract/account.ts';
import { kindLetters, kindOfId, type ObjectKind } from '../../src/contract/common.ts';
import { type Endpoint, type EndpointName, endpoints } from '../../src/contract/endpoints.ts';
import { type ErrorCode, errorCodes } from '../../src/contract/errors.ts';
import type { Notification } from '../../src/contract/notification.ts';
import {
  type CreatePayload,
  type ListEntry,
  type ListQuery,
  plainUpdateAnswer,
  type UpdatePayload,
} from '../../src/contract/objects.ts';
import type { ProjectMember } from '../../src/contract/project.ts';
import type { Queue, WorkerState } from '../../src/contract/queue.ts';
import type { Space } from '../../src/contract/space.ts';
import type { GalleryEntry, ServerConfig } from '../../src/contract/system.ts';
import type { SavedViews } from '../../src/contract/views.ts';
import {
  createFakeConfig,
  createFakeData,
  createFakeExperiment,
  createFakeModel,
  createFakeQueue,
  createFakeShare,
  createFakeSpace,
  createFakeToken,
  createFakeUser,
  createFakeWorkflow,
  minutesAgo,
} from './fake-objects.ts';
import { changeProject, createFakeProject } from './fake-projects.ts';

export type FakeObject = ListEntry;

export interface FakeRequest {
  readonly name: EndpointName;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly token: string | null;
  /** It accepts more than the plain answers of the document. */
  readonly acceptsFullView: boolean;
}

export interface FakeServerOptions {
  readonly objects?: readonly FakeObject[];
  readonly config?: ServerConfig;
  readonly user?: User;
  readonly tokens?: readonly Token[];
  readonly notifications?: readonly Notification[];
  readonly queue?: Queue;
  readonly space?: Space;
  readonly gallery?: Readonly<Record<string, GalleryEntry[]>>;
  /** Bytes at the addresses of data objects, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Past versions of versioned objects, by id, oldest first, without the newest. */
  readonly versions?: Readonly<Record<string, readonly FakeObject[]>>;
  /** Answers updates like a server of the documented API, which has no fuller view. */
  readonly isDocumented?: boolean;
  /** The right user name and password. */
  readonly password?: string;
  /** The bearer token that is accepted; login also returns it. */
  readonly token?: string;
}

function needsLook(object: FakeObject): boolean {
  if (object.object_type !== 'experiment' || object.status !== 'FIN') return false;
  return ['warn', 'bad'].includes(object.meta?.verdict?.state ?? '');
}

class Failure extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export class FakeServer {
  readonly objects = new Map<string, FakeObject>();
  readonly requests: FakeRequest[] = [];
  private readonly removed = new Map<string, FakeObject[]>();
  private readonly failures: {
    name: EndpointName;
    code: ErrorCode | 'offline';
    message: string;
    details: Readonly<Record<string, unknown>>;
  }[] = [];
  private readonly config: ServerConfig;
  user: User;
  tokens: Token[];
  /** Newest first. */
  notifications: Notification[];
  queue: Queue;
  space: Space;
  /** Saved views by list. */
  readonly views = new Map<string, SavedViews['views']>();
  private readonly options: FakeServerOptions;
  readonly token: string;
  private made = 0;
  /** Past versions of versioned objects, oldest first. */
  private readonly past = new Map<string, FakeObject[]>();

  constructor(options: FakeServerOptions = {}) {
    this.options = options;
    this.config = options.config ?? createFakeConfig();
    this.user = options.user ?? createFakeUser();
    this.tokens = [...(options.tokens ?? [])];
    this.notifications = [...(options.notifications ?? [])];
    this.queue = options.queue ?? createFakeQueue();
    this.space = options.space ?? createFakeSpace();
    this.token = options.token ?? 'erg_good';
    for (const object of options.objects ?? []) this.objects.set(object.short_id, object);
    for (const [id, past] of Object.entries(options.versions ?? {})) this.past.set(id, [...past]);
  }

  /** The next call of `name` fails this way; `offline` = no answer at all. */
  failNext(
    name: EndpointName,
    code: ErrorCode | 'offline',
    message = 'asked to fail',
    details: Readonly<Record<string, unknown>> = {},
  ): void {
    this.failures.push({ name, code, message, details });
  }

  /** Clears pending failures. */
  recover(): void {
    this.failures.length = 0;
  }

  /** Requests of one endpoint, oldest first. */
  callsOf(name: EndpointName): FakeRequest[] {
    return this.requests.filter((request) => request.name === name);
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : String(input), 'http://fake.test');
    const file = this.options.files?.[url.pathname];
    if (file !== undefined) return new Response(file);
    const request = parseRequest(init?.method ?? 'GET', url, init);
    this.requests.push(request);
    const failure = this.failures.findIndex(({ name }) => name === request.name);
    if (failure !== -1) {
      const [{ code, message, details }] = this.failures.splice(failure, 1);
      if (code === 'offline') throw new TypeError('fetch failed');
      return errorResponse(code, message, details);
    }
    if (endpoints[request.name].policy === 'bearer' && request.token !== this.token) {
      return errorResponse('UNAUTHORIZED', 'The token is unknown or has ended.');
    }
    try {
      const endpoint: Endpoint = endpoints[request.name];
      const data = this.answer(request);
      if (endpoint.response === 'binary')
        throw new Error(`The fake server has no bytes for ${request.name}`);
      return Response.json({ status: 'ok', data: endpoint.response.parse(data) });
    } catch (error) {
      if (error instanceof Failure) return errorResponse(error.code, error.message);
      throw error;
    }
  };

  private answer(request: FakeRequest): unknown {
    const { name, params, query, body } = request;
    switch (name) {
      case 'viewConfig':
        return this.config;
      case 'viewGallery':
        return { models: this.options.gallery ?? {}, MCMC: {} };
      case 'login': {
        const { password } = body as { username: string; password: string };
        if (password !== this.options.password)
          throw new Failure('PERMISSION_DENIED', 'Wrong user name or password.');
        return { tokens: [this.token] };
      }
      case 'beginSignIn':
        return { url: 'https://sso.example/authorize', browser_key: 'of this tab' };
      case 'finishSignIn': {
        const { browser_key: key } = body as { browser_key: string };
        if (key !== 'of this tab')
          throw new Failure('PERMISSION_DENIED', 'This sign-in was begun in another tab.');
        return { tokens: [this.token], linked: false };
      }
      case 'listLinkedAccounts':
        return { linked_accounts: [] };
      case 'listTeams':
        return { teams: [] };
      case 'moveObject':
        return null;
      case 'openLink':
        return { tokens: [] };
      case 'logout':
        return null;
      case 'listNotifications':
        return this.listNotifications(query);
      case 'markNotifications': {
        const { notification_ids: ids, status } = body as {
          notification_ids?: number[];
          status: string;
        };
        this.notifications = this.notifications.map((one) => {
          if (ids !== undefined && !ids.includes(one.id)) return one;
          return { ...one, read_at: status === 'read' ? minutesAgo(0) : null };
        });
        return null;
      }
      case 'viewSavedViews':
        return { views: this.views.get(params.list) ?? [] };
      case 'updateSavedViews':
        this.views.set(params.list, (body as SavedViews).views);
        return body;
      case 'viewSpace':
        return this.space;
      case 'viewQueue':
        return this.queue;
      case 'updateWorker': {
        const { desired_state } = body as { desired_state: WorkerState };
        const change = (worker: Queue['workers'][number]) =>
          String(worker.id) === params.worker_id ? { ...worker, desired_state } : worker;
        this.queue = { ...this.queue, workers: this.queue.workers.map(change) };
        return this.queue;
      }
      case 'freeSpace':
        this.space = { ...this.space, deleted: { bytes: 0, objects: 0 } };
        return this.space;
      case 'viewUser':
        return this.user;
      case 'updateUser':
        this.user = { ...this.user, has_password: true };
        return this.user;
      case 'listObjects':
        return this.list(query as ListQuery);
      case 'createObject':
        return this.create((body as { payload: CreatePayload }).payload);
      case 'viewObject':
        return this.findVersion(params.objid, Number(query.version ?? 0));
      case 'updateObject': {
        const answer = this.update(params.objid, (body as { payload: UpdatePayload }).payload);
        const isFull = request.acceptsFullView && !this.options.isDocumented;
        return isFull ? answer : plainUpdateAnswer(answer);
      }
      case 'deleteObject':
        return this.remove(params.objid.split(','), query.deleted_key);
      case 'deleteObjects':
        return this.remove((query.objids as string[] | undefined) ?? [], query.deleted_key);
      case 'invoke':
        return this.invoke(body as { target: string; action: string });
      case 'listVersions':
        return { versions: this.listVersions(params.objid) };
      case 'listTokens':
        return this.tokens;
      case 'createToken': {
        const { name: tokenName } = body as { name: string };
        const token = createFakeToken({
          id: this.tokens.length + 1,
          token_name: tokenName,
          token: 'erg_whole_secret',
        });
        this.tokens.push({ ...token, token: 'erg_whole_…' });
        return token;
      }
      case 'updateToken': {
        const token = this.tokens.find(({ id }) => String(id) === params.token_id);
        if (token === undefined) throw new Failure('NOT_FOUND', 'No such token.');
        token.token_name = (body as { name: string }).name;
        return token;
      }
      case 'deleteTokens':
        this.tokens = this.tokens.filter(
          ({ id }) => !((query.tokens as string[] | undefined) ?? []).includes(String(id)),
        );
        return { deleted_key: 'tokens-1' };
      default:
        throw new Error(`The fake server has no answer for ${name}`);
    }
  }

  private list(query: ListQuery) {
    const {
      object_type: kind,
      q = '',
      status = '',
      page_no = 1,
      page_size = 100,
      model_ids,
      workflow_id,
      data_id,
      member_id,
      tags,
    } = query;
    const includes = (wanted: unknown, value: string | null | undefined) =>
      !Array.isArray(wanted) || wanted.length === 0 || wanted.includes(value ?? '');
    const found = [...this.objects.values()].filter((object) => {
      if (object.object_type !== kind) return false;
      if (object.object_type === 'model' && !includes(tags, object.tags[0])) return false;
      if (object.object_type === 'experiment') {
        if (status !== '' && object.status !== status) return false;
        if (query.verdict === 'look' && !needsLook(object)) return false;
        if (!includes(model_ids, object.model_id) || !includes(workflow_id, object.workflow_id))
          return false;
      }
      if (object.object_type === 'experiment' && !includes(data_id, object.input)) return false;
      if (object.object_type === 'workflow' && !includes(data_id, object.data_id)) return false;
      if (object.object_type === 'project' && Array.isArray(member_id) && member_id.length > 0)
        return object.members?.some((one) => member_id.includes(one.object.short_id)) ?? false;
      return (
        nameOf(object).toLowerCase().includes(String(q).toLowerCase()) ||
        object.short_id.startsWith(String(q))
      );
    });
    const first = (Number(page_no) - 1) * Number(page_size);
    const count = (wanted: string) =>
      found.filter((object) => 'status' in object && object.status === wanted).length;
    return {
      total: found.length,
      page: Number(page_no),
      count_per_page: Number(page_size),
      objects: found.slice(first, first + Number(page_size)),
      ...(query.with_counts && {
        status_counts: {
          NEW: count('NEW'),
          RUN: count('RUN'),
          FIN: count('FIN'),
          ERR: count('ERR'),
          look: found.filter(needsLook).length,
        },
      }),
    };
  }

  private listNotifications({ status, page_no, page_size }: FakeRequest['query']): unknown {
    const found = this.notifications.filter(
      ({ read_at }) => status === 'all' || (read_at === null) === (status === 'unread'),
    );
    const first = (Number(page_no) - 1) * Number(page_size);
    return {
      total: found.length,
      page: Number(page_no),
      count_per_page: Number(page_size),
      objects: found.slice(first, first + Number(page_size)),
    };
  }

  private find(id: string): FakeObject {
    const object = this.objects.get(id);
    if (object === undefined) throw new Failure('NOT_FOUND', `${id} is not here.`);
    return object;
  }

  private findVersion(id: string, version: number): FakeObject {
    const object = this.find(id);
    if (version === 0 || versionOf(object) === version) return object;
    const past = this.past.get(id)?.find((one) => versionOf(one) === version);
    if (past === undefined) throw new Failure('NOT_FOUND', 'There is no such version.');
    return past;
  }

  private listVersions(id: string) {
    const past = this.past.get(id);
    if (past === undefined) return [{ version: 1, created_at: minutesAgo(90) }];
    return [...past, this.find(id)]
      .map((one) => ({ version: versionOf(one), created_at: minutesAgo(0) }))
      .toReversed();
  }

  private newId(kind: ObjectKind): string {
    this.made += 1;
    return `${kindLetters[kind]}new${String(this.made).padStart(4, '0')}`;
  }

  private create(payload: CreatePayload): FakeObject {
    const short_id = this.newId(payload.object_type);
    const object = createObject(payload, short_id);
    // newest first, as in lists
    const before = [...this.objects];
    this.objects.clear();
    this.objects.set(short_id, object);
    for (const [id, other] of before) this.objects.set(id, other);
    return object;
  }

  private update(id: string, payload: UpdatePayload): FakeObject {
    const before = this.find(id);
    if (before.object_type === 'project') return this.updateProject(before, payload);
    const changes = Object.fromEntries(
      Object.entries(payload).filter(
        ([key, value]) => value !== null && value !== undefined && value !== 0 && key in before,
      ),
    );
    const past = this.past.get(id);
    const wanted = 'base_version' in payload ? payload.base_version : null;
    if (past !== undefined && typeof wanted === 'number' && wanted !== versionOf(before))
      throw new Failure(
        'CONFLICT',
        `It has changed since: version ${versionOf(before)} is newest.`,
      );
    const isNext = past !== undefined && ('content' in changes || 'data' in payload);
    if (isNext) past.push(before);
    // the payload passed the contract's schema for its kind
    const after = {
      ...before,
      ...changes,
      ...(isNext ? { version: versionOf(before) + 1 } : {}),
    } as FakeObject;
    this.objects.set(id, after);
    return after;
  }

  private updateProject(before: FakeObject, payload: UpdatePayload): FakeObject {
    if (before.object_type !== 'project') return before;
    if (payload.object_type !== 'project' && payload.object_type !== 'project.entry') return before;
    const after = changeProject(before, payload, (id) => {
      const object = this.find(id);
      if (!['model', 'data', 'experiment'].includes(object.object_type))
        throw new Failure('INVALID_PARAMETER', `${id} is not a member of projects.`);
      return object as ProjectMember['object'];
    });
    if (after === null) throw new Failure('CONFLICT', 'It has changed since.');
    this.objects.set(before.short_id, after);
    return after;
  }

  private remove(ids: readonly string[], key: unknown): { deleted_key: string | null } {
    if (typeof key === 'string' && key !== '') {
      for (const object of this.removed.get(key) ?? []) this.objects.set(object.short_id, object);
      return { deleted_key: null };
    }
    const objects = ids.map((id) => this.find(id));
    for (const object of objects) this.objects.delete(object.short_id);
    const deleted_key = `key-${this.removed.size + 1}`;
    this.removed.set(deleted_key, objects);
    return { deleted_key };
  }

  private invoke({ target, action }: { target: string; action: string }) {
    const workflow = this.find(target);
    if (workflow.object_type === 'workflow' && action === 'run_analyze') {
      const analyzer_result = JSON.stringify({ status: 'running' });
      this.objects.set(target, { ...workflow, analyzer_result });
      return {};
    }
    if (workflow.object_type !== 'workflow' || action !== 'run_sample') {
      throw new Failure('INVALID_PARAMETER', `${target} cannot ${action}.`);
    }
    const short_id = this.newId('experiment');
    const experiment = createFakeExperiment({
      short_id,
      name: workflow.name,
      model_id: workflow.model_id ?? '',
      model_name: workflow.model_name ?? '',
      workflow_id: target,
      status: 'NEW',
      n_samples: 0,
    });
    this.objects.set(short_id, experiment);
    return { experiment_id: short_id, experiment_name: experiment.name };
  }
}

function nameOf(object: FakeObject): string {
  if (object.object_type === 'share') return object.experiment_name;
  return 'name' in object ? object.name : '';
}

function versionOf(object: FakeObject): number {
  return 'version' in object ? (object.version ?? 0) : 0;
}

function createObject(payload: CreatePayload, short_id: string): FakeObject {
  switch (payload.object_type) {
    case 'model':
      return createFakeModel({ short_id, name: payload.name ?? '', tags: payload.tags ?? [] });
    case 'data':
      return createFakeData({ short_id, name: payload.name });
    case 'workflow':
      return createFakeWorkflow({
        short_id,
        name: payload.name ?? '',
        model_id: payload.model_id ?? '',
        data_id: payload.data_id ?? '',
        settings: '',
      });
    case 'share':
      return createFakeShare({
        short_id,
        experiment_id: payload.objid,
        password: payload.password ?? '',
      });
    case 'experiment':
      return createFakeExperiment({ short_id, name: payload.name ?? '' });
    case 'project':
      return createFakeProject({ short_id, name: payload.name });
    default:
      throw new Error(`The fake server makes no ${payload.object_type}`);
  }
}

function parseRequest(method: string, url: URL, init: RequestInit | undefined): FakeRequest {
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint: Endpoint = endpoints[name];
    const params = endpoint.method === method ? matchPath(endpoint.path, url.pathname) : null;
    if (
      params === null ||
      (params.objid !== undefined && kindOfId(params.objid.split(',')[0]) === null)
    )
      continue;
    const query: Record<string, unknown> = {};
    for (const key of new Set(url.searchParams.keys())) {
      const values = url.searchParams.getAll(key);
      query[key] = values.length === 1 ? values[0] : values;
    }
    const headers = new Headers(init?.headers);
    const header = headers.get('authorization');
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    return {
      name,
      params,
      query: (endpoint.query?.parse(query) as Record<string, unknown> | undefined) ?? {},
      body: endpoint.body === 'binary' ? init?.body : endpoint.body?.parse(body),
      token: header === null ? null : header.replace(/^Bearer /, ''),
      acceptsFullView: headers.get('accept')?.includes('view=full') ?? false,
    };
  }
  throw new Error(`No endpoint of the contract takes ${method} ${url.pathname}`);
}

function matchPath(path: string, actual: string): Record<string, string> | null {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`);
  const values = pattern.exec(actual);
  if (values === null) return null;
  return Object.fromEntries(
    names.map((name, index) => [name, decodeURIComponent(values[index + 1])]),
  );
}

function errorResponse(
  code: ErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): Response {
  const headers: Record<string, string> = code === 'RATE_LIMITED' ? { 'retry-after': '30' } : {};
  return Response.json(
    { status: 'error', code, message, details },
    { status: errorCodes[code].status, headers },
  );
}
