/** Spans of a service in this process, as a collector on loopback gets them; and collectors that are slow, rude or away. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/service/logging.ts';
import { nameStatement } from '../../../src/service/repositories/statement-name.ts';
import {
  currentTraceParent,
  faultOf,
  inChildSpan,
  inSpan,
  isTracing,
  outsideTrace,
} from '../../../src/service/spans.ts';
import { openS3Store } from '../../../src/service/storage/s3-store.ts';
import { startTracing, wantsTraces } from '../../../src/service/tracing/start-tracing.ts';
import { addModel } from '../../support/objects.ts';
import {
  type OidcServer,
  oidcConfigOf,
  passProvider,
  startOidcServer,
} from '../../support/oidc-server.ts';
import { type OtlpCollector, startOtlpCollector } from '../../support/otlp-collector.ts';
import { s3Keys, startS3Server } from '../../support/s3-server.ts';
import { createTestService, type TestService } from '../../support/service.ts';

let collector: OtlpCollector;
let stop = async () => {};
const lines: string[] = [];
const logger = createLogger({ level: 'info', destination: { write: (line) => lines.push(line) } });

beforeAll(async () => {
  collector = await startOtlpCollector();
});
afterEach(async () => {
  await stop();
  stop = async () => {};
  for (const name of Object.keys(process.env))
    if (name.startsWith('OTEL_')) delete process.env[name];
  collector.behave('take');
  collector.spans.length = 0;
  lines.length = 0;
});
afterAll(() => collector.close());

/** Spans are sent by `stop`, and after five seconds. */
async function start(variables: Record<string, string> = {}): Promise<void> {
  const endpoint = collector.endpoint;
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...variables });
  stop = await startTracing({ name: 'ergodic-service', version: '1.2.3', logger });
}

const named = (name: string) => collector.spans.filter((span) => span.name === name);

describe('a service with tracing', () => {
  let provider: OidcServer;
  let service: TestService;
  beforeAll(async () => {
    provider = await startOidcServer();
    provider.allow('http://localhost');
  });
  afterAll(async () => {
    await service.close();
    await provider.close();
  });

  it('has a span for each request, which contains those of statements and sign-in requests', async () => {
    await start();
    service = await createTestService({ config: { oidc: oidcConfigOf(provider) } });
    await addModel(service.owner.client, { name: 'a name that nobody else may read' });
    await service.inject({ method: 'GET', url: '/no/such/page?token=secret' });
    const { url, browser_key } = await service.anonymous.beginSignIn();
    provider.accounts.set('sub-x', { preferred_username: 'xenia', groups: ['modellers'] });
    const query = await passProvider(url, 'sub-x');
    await service.anonymous.finishSignIn({ body: { browser_key, query } });
    await stop();
    const [made] = named('POST /api/object');
    const inserts = named('INSERT objects').filter(({ parentId }) => parentId === made?.spanId);
    expect(inserts).toMatchObject([
      { kind: 3, attributes: { 'db.system.name': 'postgresql' }, traceId: made?.traceId },
    ]);
    expect(named('COMMIT').some(({ parentId }) => parentId === made?.spanId)).toBe(true);
    expect(named('GET')[0]?.attributes).toMatchObject({ 'http.response.status_code': 404 });
    const [finish] = named('POST /base/single-sign-on/finish');
    const asked = collector.spans.filter(({ name }) => name.startsWith('identity provider'));
    expect(asked.map(({ attributes }) => attributes['url.path'])).toEqual(
      expect.arrayContaining(['/.well-known/openid-configuration', '/token', '/jwks', '/me']),
    );
    expect(asked.some(({ parentId }) => parentId === finish?.spanId)).toBe(true);
    expect(collector.received()).not.toMatch(/nobody else|secret|xenia|erg_|code=|browser_key/);
  });

  it('continues the trace of a caller, and names it in its log lines', async () => {
    await start();
    const { owner } = service;
    const traceId = '1'.repeat(32);
    const answer = await service.inject(
      {
        method: 'POST',
        url: '/api/queue/user',
        headers: { traceparent: `00-${traceId}-${'2'.repeat(16)}-01`, tracestate: 'a=text' },
        payload: { name: owner.username, weight: 1, chain_limit: null },
      },
      owner.token,
    );
    expect(answer.statusCode).toBe(200);
    await stop();
    const [request] = named('POST /api/queue/user');
    expect(request).toMatchObject({ traceId, parentId: '2'.repeat(16), kind: 2 });
    const line = JSON.parse(service.log.find((one) => one.includes('changed a share')) ?? '{}');
    expect(line).toMatchObject({ trace_id: traceId, span_id: request?.spanId });
    expect(collector.received()).not.toContain('a=text');
  });
});

describe('calls to S3', () => {
  it('are spans within those of their callers, including retries, without file names', async () => {
    const bucket = await startS3Server();
    Object.assign(process.env, s3Keys);
    const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-traced-'));
    await start();
    const place = `s3://${bucket.bucket}/p?endpoint=${bucket.endpoint}&region=eu&path-style=true`;
    const store = await openS3Store(place, scratch);
    await inSpan('outer', {}, async () => {
      const file = await store.put('exports/7', Buffer.from('bytes of a user'));
      await store.has(`${file.path}x`);
    });
    await store.has('exports/7/outside');
    await stop();
    const [outer] = named('outer');
    expect(named('S3 PutObject')).toMatchObject([
      { parentId: outer?.spanId, kind: 3, isError: false, attributes: { 'rpc.service': 'S3' } },
    ]);
    expect(named('S3 HeadObject')).toMatchObject([{ parentId: outer?.spanId, isError: true }]);
    expect(collector.received()).not.toMatch(/exports|bytes of a user/);
    await bucket.close();
    fs.rmSync(scratch, { recursive: true });
  });
});

describe('without a collector', () => {
  it.each<[boolean, Record<string, string>]>([
    [false, {}],
    [true, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }],
    [true, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/v1/traces' }],
    [false, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'True' }],
    [false, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_TRACES_EXPORTER: 'none' }],
    [true, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_TRACES_EXPORTER: 'console,otlp' }],
    [false, { OTEL_EXPORTER_OTLP_ENDPOINT: ' ', OTEL_TRACES_EXPORTER: 'otlp' }],
  ])('whether traces are wanted is %s for %o', (wanted, environment) => {
    expect(wantsTraces(environment)).toBe(wanted);
  });

  it('only one file loads the library, and it is not imported statically', () => {
    const folder = path.resolve(import.meta.dirname, '../../../src/service');
    const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const using = (pattern: RegExp) =>
      files
        .filter((file) => file.endsWith('.ts'))
        .filter((file) => pattern.test(fs.readFileSync(path.join(folder, file), 'utf8')));
    const library = /^import (?!type )[^;]*from '@opentelemetry|import\('@opentelemetry/m;
    expect(using(library)).toEqual([path.join('tracing', 'open-telemetry.ts')]);
    expect(using(/from '[^']*open-telemetry\.ts'/)).toEqual([]);
  });

  it('no spans are started, and the work is still done', async () => {
    stop = await startTracing({ name: 'x', version: '1', logger, environment: {} });
    expect(isTracing()).toBe(false);
    expect(await inSpan('a', {}, async (span) => span.run(() => 3))).toBe(3);
    expect(currentTraceParent()).toBeNull();
    await expect(inSpan('a', {}, () => Promise.reject(new Error('b')))).rejects.toThrow('b');
  });
});

describe('the variables of OpenTelemetry', () => {
  it('set the name and attributes of the process and the sampling of traces', async () => {
    await start({
      OTEL_SERVICE_NAME: 'mine',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,team=stats',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    await inSpan('dropped', {}, async () => {});
    const parent = `00-${'2'.repeat(32)}-${'3'.repeat(16)}-01`;
    await inSpan('kept', { parent }, async () => {});
    await stop();
    expect(collector.spans.map(({ name }) => name)).toEqual(['kept']);
    expect(collector.spans[0]?.resource).toMatchObject({
      'service.name': 'mine',
      'service.version': '1.2.3',
      team: 'stats',
    });
  });

  it('that request another protocol cause a message in the log', async () => {
    await start({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
    expect(lines.join()).toContain('http/protobuf only');
  });
});

describe('spans', () => {
  it('nest, record the kind of an error but not its text, and are named in the log', async () => {
    await start();
    const failing = Object.assign(new Error('a secret value'), { code: '23505' });
    const outer = inSpan('outer', {}, async () => {
      logger.info('within');
      await inChildSpan('inner', { kind: 'client' }, () => Promise.reject(failing));
    });
    await expect(outer).rejects.toBe(failing);
    logger.info('outside');
    await stop();
    const [inner, around] = [named('inner')[0], named('outer')[0]];
    expect(inner).toMatchObject({ isError: true, attributes: { 'error.type': '23505' } });
    expect(inner?.parentId).toBe(around?.spanId);
    const [within, outside] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(within).toMatchObject({ trace_id: around?.traceId, span_id: around?.spanId });
    expect(outside).not.toHaveProperty('trace_id');
    expect(collector.received()).not.toContain('a secret value');
  });

  it('are not started by background work or after the end of their request', async () => {
    await start();
    let later = async () => {};
    await inChildSpan('alone', {}, async () => {});
    await inSpan('request', {}, async () => {
      later = async () => inChildSpan('after its end', {}, async () => {});
      await outsideTrace(() => inChildSpan('background', {}, async () => {}));
    });
    await later();
    await stop();
    expect(collector.spans.map(({ name }) => name)).toEqual(['request']);
  });

  it.each([
    ['select a from objects where id = $1', 'SELECT objects'],
    ['insert into users (name) values ($1)', 'INSERT users'],
    [
      'with next as materialized (select 1 from x) update experiment_chains c set a = 1',
      'UPDATE experiment_chains',
    ],
    ['  WITH a AS (SELECT (1)), b as (delete from t) select 1 from u', 'SELECT u'],
    ['commit', 'COMMIT'],
    ["select pg_notify($1, '')", 'SELECT'],
  ])('of the statement %s have the name %s', (text, name) => {
    expect(nameStatement(text)).toBe(name);
  });

  it.each([
    [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new TypeError('x'), 'TypeError'],
    [Object.assign(new Error('x'), { code: 'a text of a user' }), 'Error'],
    [null, 'error'],
  ])('record %o as %s', (error, fault) => {
    expect(faultOf(error)).toBe(fault);
  });
});

describe('a collector', () => {
  const work = async (count: number) => {
    let done = 0;
    for (let i = 0; i < count; i++) await inSpan(`work ${i}`, {}, async () => void done++);
    return done;
  };

  it('that never answers blocks nothing: excess spans are dropped, and stopping works', async () => {
    collector.behave('hang');
    await start({ OTEL_BSP_MAX_QUEUE_SIZE: '64', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '16' });
    const before = collector.requests();
    expect(await work(2000)).toBe(2000);
    await expect.poll(() => collector.requests()).toBeGreaterThan(before);
    // within its own limit; the library would wait for half a minute
    await stop();
    expect(isTracing()).toBe(false);
  });

  it('that refuses or is unreachable is logged once', async () => {
    collector.behave('refuse');
    await start({ OTEL_BSP_SCHEDULE_DELAY: '5' });
    for (let i = 0; i < 3; i++) {
      const before = collector.requests();
      await work(3);
      await expect.poll(() => collector.requests()).toBeGreaterThan(before);
    }
    await stop();
    expect(lines.filter((line) => line.includes('traces are not sent'))).toHaveLength(1);
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    expect(await work(3)).toBe(3);
    await stop();
  });

  it('with an invalid address leaves the service without traces', async () => {
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'not an address' });
    expect(await work(3)).toBe(3);
    await stop();
  });
});
