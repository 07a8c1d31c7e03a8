/**
 * How long users wait while runs are active: pollers like open dashboards, first alone, then alongside engine runs.
 *
 *   npm run bench -- load [--pollers 100] [--runs 4] [--seconds 30]
 *
 * Each poller fetches the newest experiments and one of the runs every second. The first of the two rows is the
 * baseline: the same pollers, the same objects, nothing running.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { percentile, table } from '../chaos/measures.ts';
import { Wire } from '../chaos/wire.ts';
import {
  commandRun,
  makeServedWorkflow,
  startServedRun,
  untilRun,
} from '../support/served-runs.ts';
import { type Pause, serveWatched } from './event-loop.ts';
import { seedExperiments } from './serve-built.ts';

const { values: options } = parseArgs({
  options: {
    pollers: { type: 'string', default: '100' },
    runs: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '30' },
  },
});
const pollers = Number(options.pollers);
const say = (message: string) => process.stderr.write(`${message}\n`);
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

const source = `parameters { vector[10] x; }
model { for (i in 1:10) for (j in 1:400) target += normal_lpdf(x[i] | 0, 1 + 0.001 * j); }
`;

interface Figures {
  readonly times: readonly number[];
  readonly failed: number;
  readonly pause: Pause;
}

async function poll(wire: Wire, token: string, ids: readonly string[]): Promise<Figures> {
  const person = { name: 'owner', token };
  const times: number[] = [];
  let failed = 0;
  await service.takePause();
  const end = performance.now() + Number(options.seconds) * 1000;
  const get = async (path: string) => {
    const since = performance.now();
    const answer = await wire.send(person, { method: 'GET', path });
    if (answer?.status === 200) times.push(performance.now() - since);
    else failed += 1;
  };
  await Promise.all(
    Array.from({ length: pollers }, async (_, i) => {
      await rest((i * 1000) / pollers);
      while (performance.now() < end) {
        const since = performance.now();
        await get('/api/object?object_type=experiment&page_size=50');
        await get(`/api/object/${ids[i % ids.length]}`);
        await rest(1000 - (performance.now() - since));
      }
    }),
  );
  return { times, failed, pause: await service.takePause() };
}

function row(what: string, { times, failed, pause }: Figures): string[] {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  return [
    what,
    String(times.length),
    String(failed),
    ms(percentile(times, 0.5)),
    ms(percentile(times, 0.99)),
    ms(Math.max(0, ...times)),
    ms(pause.wall),
    ms(pause.processor),
  ];
}

const service = await serveWatched();
try {
  const { access } = service;
  await service.withDatabase((pool) => seedExperiments(pool, 1000));
  const { port, host } = new URL(access.origin);
  const wire = new Wire(Number(port), host);
  wire.onLost = (reason) => say(`no answer: ${reason}`);
  const settings = 'sampling: {num_chains: 1, num_warmup: 100, num_samples: 1000000, seed: 1}';
  const workflow = await makeServedWorkflow(access, { source, settings });
  const runs: string[] = [];
  for (let i = 0; i < Number(options.runs); i++) runs.push(await startServedRun(access, workflow));
  for (const id of runs) await commandRun(access, id, 'pause');
  for (const id of runs) await untilRun(access, id, (run) => run.meta.action === 'paused');
  say(`${pollers} pollers, nothing running …`);
  await poll(wire, access.token, runs);
  const alone = await poll(wire, access.token, runs);
  for (const id of runs) await commandRun(access, id, 'resume');
  const before = (run: { meta: { progress?: { done: number } } }) => run.meta.progress?.done ?? 0;
  await untilRun(access, runs[0], (run) => before(run) > 0);
  say(`${pollers} pollers, ${runs.length} runs …`);
  const beside = await poll(wire, access.token, runs);
  for (const id of runs) await commandRun(access, id, 'stop');
  wire.close();
  process.stdout.write(`${cpus().length} cores, ${cpus()[0].model}\n`);
  process.stdout.write(
    table([
      ['', 'answers', 'failed', 'p50', 'p99', 'most', 'worst pause', 'of it work'],
      row(`${pollers} pollers`, alone),
      row(`${pollers} pollers, ${runs.length} runs`, beside),
    ]),
  );
} finally {
  await service.stop();
}
