/**
 * The longest pause of the service's event loop while it handles a hostile request, compared with pauses without any.
 *
 *   npm run bench -- pauses [--megabytes 60] [--limit 100]
 *
 * Exits with status 1 if the service works on a request for more than `--limit` milliseconds without a break, in
 * processor time: any further wait is due to the machine.
 */
import { parseArgs } from 'node:util';
import { hostileBodies } from '../support/hostile-bodies.ts';
import { makeServedWorkflow } from '../support/served-runs.ts';
import { type Pause, serveWatched } from './event-loop.ts';

const { values: options } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '60' },
    limit: { type: 'string', default: '100' },
  },
});
const megabytes = Number(options.megabytes);
const rows: { readonly name: string; readonly pause: Pause; readonly answer: string }[] = [];

const service = await serveWatched();

async function measure(name: string, work: () => Promise<string>): Promise<void> {
  await service.takePause();
  const answer = await work();
  // work started by the request continues for a moment
  await rest(300);
  const pause = await service.takePause();
  rows.push({ name, pause, answer });
  process.stderr.write(`${name}: ${pause.processor} ms (${answer})\n`);
}

const rest = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Sent {
  readonly path: string;
  readonly body: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isSignedIn?: boolean;
}

/** Status and code, and the time it took. */
async function send({ path: url, body, headers = {}, isSignedIn = true }: Sent): Promise<string> {
  const { origin, token } = service.access;
  const authorization: Record<string, string> = isSignedIn
    ? { authorization: `Bearer ${token}` }
    : {};
  const since = performance.now();
  try {
    const response = await fetch(origin + url, {
      method: 'POST',
      body,
      headers: { ...headers, ...authorization },
    });
    const text = await response.text();
    const { code = 'ok' } = JSON.parse(text) as { code?: string };
    return `${response.status} ${code}, ${(performance.now() - since).toFixed(0)} ms`;
  } catch (error) {
    // a body that is refused because of its header is cut off
    return `cut off: ${String((error as { cause?: { code?: string } }).cause?.code)}`;
  }
}

const fill = (unit: string) => unit.repeat(Math.floor((megabytes * 2 ** 20) / unit.length));
const object = '/api/object';
async function view(path: string): Promise<string> {
  const { origin, token } = service.access;
  const since = performance.now();
  const response = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
  const { length } = await response.text();
  return `${response.status} ${length} characters, ${(performance.now() - since).toFixed(0)} ms`;
}

/** The answer as from `send`, and the id of the object. */
async function createAndName(payload: string): Promise<[answer: string, id: string]> {
  const { origin, token } = service.access;
  const since = performance.now();
  const response = await fetch(origin + object, {
    method: 'POST',
    body: `{"payload":{${payload}}}`,
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await response.json()) as { data: { short_id: string } };
  return [`${response.status}, ${(performance.now() - since).toFixed(0)} ms`, data.short_id];
}

const create = (payload: string) => send({ path: object, body: `{"payload":{${payload}}}` });

/** Large valid bodies. */
async function measureHonest(): Promise<void> {
  const data = '"object_type":"data","name":"d"';
  await measure('data, base64', () =>
    create(
      `${data},"base64_encoded":true,"data":"${Buffer.from(fill('x'))
        .toString('base64')
        .slice(0, 4 * Math.floor(megabytes * 2 ** 18))}"`,
    ),
  );
  await measure('data, a list of numbers', () => create(`${data},"data":"[${fill('1.25,')}1]"`));
  await measure('data, empty lists', () => create(`${data},"data":"[${fill('[],')}[]]"`));
  await measure('data, letters beyond Latin', () => create(`${data},"data":"${fill('日')}"`));
  await measure('data, long whole numbers', () =>
    create(`${data},"data":"[${fill('12345678901234567,')}1]"`),
  );
  const file = fill('x').slice(0, 15 * 2 ** 20);
  const files = [1, 2, 3].map((i) => `{"name":"f${i}.stan","content":"${file}","encoding":"text"}`);
  let model = '';
  await measure('model of three files', async () => {
    const [answer, id] = await createAndName(
      `"object_type":"model","name":"m","content":{"tree":[${files.join(',')}]}`,
    );
    model = id;
    return answer;
  });
  await measure('view of that model', () => view(`${object}/${model}`));
  const { data: made } = (await (
    await fetch(service.access.origin + object, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.access.token}` },
      body: '{"payload":{"object_type":"experiment","name":"e","meta":{}}}',
    })
  ).json()) as { data: { short_id: string } };
  const draws = (columns: number, values: number, from: number) => {
    const column = `[${Array.from({ length: values }, (_, i) => Math.sin(i)).join(',')}]`;
    const vars = Array.from({ length: columns }, (_, i) => `"v${i}":${column}`).join(',');
    return `{"payload":{"object_type":"experiment.protobuf_message","batch_id":"b","run_id":"r","logs":{
      "vars":{"c":{${vars}}},"iteration":{"c":[${from},${from + values - 1}]}}}}`;
  };
  const at = `${object}/${made.short_id}`;
  await measure('draws, 100 variables × 30 000', () =>
    send({ path: at, body: draws(100, 30_000, 1) }),
  );
  await measure('draws, 20 000 variables × 100', () =>
    send({ path: at, body: draws(19_000, 100, 40_000) }),
  );
}

/** A function's answer of the maximum size. */
async function measureFunction(): Promise<void> {
  const code =
    'export default () => Array.from({ length: 2_000_000 }, (_, i) => ({ i })).slice(0, 1_200_000);';
  const [, id] = await createAndName(
    `"object_type":"model","name":"f","tags":["code"],"content":{"tree":[{"name":"main.js","encoding":"text","content":${JSON.stringify(code)}}]}`,
  );
  const body = JSON.stringify({ target: id, action: 'run', parameters: {}, get_response: true });
  await measure('answer of a function, 15 MB', () => send({ path: '/invoke', body }));
}

/** Programs that take long to compile. */
const programs: Record<string, string> = {
  'program of 5 000 lines': `parameters { real mu; } model {\n${Array.from({ length: 5000 }, (_, i) => `  target += normal_lpdf(mu * ${i} | ${i}, 1.5) + log1p_exp(mu + ${i}.5);`).join('\n')}\n}`,
  'program of 2 000 misspelt names': `parameters {\n${Array.from({ length: 2000 }, (_, i) => `real alpha_beta_${i};`).join('\n')}\n}\nmodel {\n${Array.from({ length: 2000 }, (_, i) => `alpha_bta_${i} ~ normal(0, 1);`).join('\n')}\n}`,
  'program of one unknown long name': `model { real ${'a'.repeat(20_000)}; ${'a'.repeat(20_000)}b = 1; }`,
  'program of errors on one line': `model { ${'real ;;) = ( '.repeat(20_000)} }`,
};

/** Starts of runs whose settings or data take long to read. */
async function measureStarts(): Promise<void> {
  const keys = Array.from({ length: 4900 }, (_, i) => `k${i}: 1`).join('\n');
  const settings: Record<string, string> = {
    'settings of 4 900 keys': keys,
    'settings of lists': `a: [${'[],'.repeat(4900)}]`,
    'settings with merges': `%YAML 1.1\n---\nb: &b {${keys.replaceAll(': 1\n', ', ')}}\n${Array.from({ length: 20 }, (_, i) => `m${i}: {<<: *b}`).join('\n')}`,
  };
  for (const [name, text] of Object.entries(settings)) {
    const workflow = await makeServedWorkflow(service.access, {
      source: 'parameters { real x; } model { x ~ std_normal(); }',
      settings: text,
    });
    const body = JSON.stringify({ target: workflow, action: 'run_sample' });
    await measure(name, () => send({ path: '/invoke', body }));
  }
  for (const [name, source] of Object.entries(programs)) {
    const workflow = await makeServedWorkflow(service.access, { source, settings: '' });
    const body = JSON.stringify({ target: workflow, action: 'run_sample' });
    await measure(name, () => send({ path: '/invoke', body }));
  }
}

try {
  await measure('nothing', async () => 'baseline');
  await measure('a small request', () => create('"object_type":"event","name":"e"'));
  for (const hostile of hostileBodies)
    await measure(hostile.name, () =>
      send({ ...hostile, body: new Uint8Array(hostile.make(megabytes)) }),
    );
  await measureHonest();
  await measureFunction();
  await measureStarts();
} finally {
  await service.stop();
}
const width = Math.max(...rows.map(({ name }) => name.length));
for (const { name, pause, answer } of rows)
  process.stdout.write(
    `${name.padEnd(width)}  ${pause.processor.toFixed(1).padStart(8)} ms of work, ${pause.wall.toFixed(1).padStart(8)} ms pause  ${answer}\n`,
  );
const slow = rows.filter(({ pause }) => pause.processor > Number(options.limit));
if (slow.length > 0) {
  process.stdout.write(
    `longer than ${options.limit} ms: ${slow.map(({ name }) => name).join('; ')}\n`,
  );
  process.exitCode = 1;
}
