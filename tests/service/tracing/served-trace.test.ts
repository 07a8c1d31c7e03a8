/** Traces of the built service and its worker, as a loopback collector receives them. Needs `npm run build` first. */
import { afterAll, expect, it } from 'vitest';
import {
  type CollectedSpan,
  type OtlpCollector,
  startOtlpCollector,
} from '../../support/otlp-collector.ts';
import { launch, makeReadyFolder, type Served } from '../../support/served.ts';
import { makeServedWorkflow, untilRun } from '../../support/served-runs.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const callerId = 'b7ad6b7169203331';
let collector: OtlpCollector;
let served: Served;
afterAll(() => collector.close());

const mine = (name: string) =>
  collector.spans.filter((span) => span.traceId === traceId && span.name === name);
const only = (name: string): CollectedSpan => {
  const found = mine(name);
  expect([name, found.length]).toEqual([name, 1]);
  return found[0] as CollectedSpan;
};
const isWithin = (inner: CollectedSpan, outer: CollectedSpan) => inner.parentId === outer.spanId;

async function invoke(body: object): Promise<{ experiment_id: string }> {
  const answer = await fetch(`${served.origin}/invoke`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${served.token}`,
      'content-type': 'application/json',
      'x-request-id': 'request-of-this-test',
      traceparent: `00-${traceId}-${callerId}-01`,
      tracestate: 'vendor=textOfTheCaller',
    },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { data: { experiment_id: string } }).data;
}

it('one trace connects a request with the chain in the worker, the verdict and the analysis', async () => {
  collector = await startOtlpCollector();
  served = await launch({
    dataDir: await makeReadyFolder(),
    options: ['--workers', '1'],
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=lab',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
    },
  }).ready;
  const workflow = await makeServedWorkflow(served, {
    source:
      'data { real secretDatum; } parameters { real secretName; } model { secretName ~ normal(secretDatum, 1); }',
    data: '{"secretDatum": 12345.678}',
  });
  const { experiment_id: run } = await invoke({ target: workflow, action: 'run_sample' });
  await untilRun(served, run);
  await invoke({ target: workflow, action: 'run_analyze', get_response: true });
  // Each process sends its spans in its own time: the chain's may arrive after those of what it triggered.
  const expected = {
    'POST /invoke': 2,
    'wait in queue': 1,
    chain: 1,
    'send finalise': 1,
    'job finalise': 1,
    'send analyse': 1,
    'job analyse': 1,
  };
  const counts = () =>
    Object.fromEntries(Object.keys(expected).map((name) => [name, mine(name).length]));
  await expect.poll(counts, { timeout: 60_000 }).toEqual(expected);

  const [started, analysed] = mine('POST /invoke').toSorted((a, b) => a.start - b.start) as [
    CollectedSpan,
    CollectedSpan,
  ];
  const [wait, chain] = [only('wait in queue'), only('chain')];
  const [finalise, analysis] = [only('job finalise'), only('job analyse')];
  expect(started).toMatchObject({
    parentId: callerId,
    kind: 2,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/invoke',
      'http.response.status_code': 200,
      'ergodic.request.id': 'request-of-this-test',
      'ergodic.run.id': run,
    },
    resource: { 'service.name': 'ergodic-service', 'deployment.environment.name': 'tests' },
  });
  for (const one of [wait, chain]) expect(isWithin(one, started)).toBe(true);
  expect(chain).toMatchObject({
    kind: 5,
    attributes: { 'ergodic.run.id': run, 'ergodic.chain': 1, 'ergodic.chain.outcome': 'complete' },
    resource: { 'service.name': 'ergodic-worker' },
  });
  expect(chain.resource['process.pid']).not.toBe(started.resource['process.pid']);
  expect(wait.end).toBeLessThanOrEqual(chain.end);
  expect(isWithin(only('send finalise'), chain)).toBe(true);
  expect(isWithin(finalise, only('send finalise'))).toBe(true);
  expect(finalise.attributes).toMatchObject({ 'ergodic.run.id': run });
  expect(isWithin(only('send analyse'), analysed)).toBe(true);
  expect(isWithin(analysis, only('send analyse'))).toBe(true);
  expect(analysis.attributes).toMatchObject({ 'ergodic.run.id': run });
  // statements by verb and table, within the span that sent them
  const statements = collector.spans.filter(
    ({ attributes }) => attributes['db.system.name'] === 'postgresql',
  );
  expect(statements.map(({ name }) => name)).toContain('INSERT experiment_chains');
  expect(statements.every(({ parentId, kind }) => parentId !== '' && kind === 3)).toBe(true);
  expect(collector.header('x-tenant')).toBe('lab');
  expect(collector.received()).not.toMatch(/secret|12345|erg_|select |textOfTheCaller/);
  // two characters alone could be bytes of an id
  expect(JSON.stringify(collector.spans)).not.toContain('$1');

  // a collector that hangs delays neither a request nor the shutdown
  collector.behave('hang');
  expect(await served.call('GET', '/base/user')).toMatchObject({ status: 'ok' });
  served.process.kill('SIGTERM');
  expect((await served.exited).code).toBe(0);
}, 120_000);
