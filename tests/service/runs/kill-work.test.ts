/**
 * SIGKILL of service and worker while everything but our own chains is in progress: messages of an outside runner, an analysis,
 * a function call, an import, a Python program. Nothing acknowledged is lost, and everything ends with a message.
 */
import fs from 'node:fs';
import { expect } from 'vitest';
import { itWith } from '../../support/needs.ts';
import { createPauses } from '../../support/pauses.ts';
import { launch, makeReadyFolder, type Served } from '../../support/served.ts';
import {
  ask,
  killWorker,
  makeServedWorkflow,
  type RunView,
  readRunDraws,
  readRunLog,
  startServedRun,
} from '../../support/served-runs.ts';

/** What has not ended this long after the service is back never will; on a quiet machine it takes 15 s. */
const MAX_WAIT_MS = 120_000;
/** Names the Python program among the processes of this machine. */
const PROGRAM = `kill_work_${process.pid}.py`;

/** About a second of work, so that it is cut off in its middle. */
const slow = (answer: string) =>
  `export default () => { let s = 0; for (let i = 0; i < 2e7; i++) s += i % 7; return ${answer}; };`;
const python =
  'import time\nimport ergodic\nergodic.output("here")\nprint("on", flush=True)\ntime.sleep(600)\n';
/** Larger than what is read while the caller waits. */
const largeFile = `lp__,mu\n${Array.from({ length: 700_000 }, (_, i) => `-${i % 97},0.${i + 1e6}`).join('\n')}\n`;
const largeRows = 700_000;

const create = async (served: Served, payload: Record<string, unknown>): Promise<string> =>
  (await ask<{ short_id: string }>(served, 'POST', '/api/object', { payload })).short_id;
const view = <T>(served: Served, id: string) => ask<T>(served, 'GET', `/api/object/${id}`);

async function until(isReached: () => Promise<boolean>, what: string, deadline = Infinity) {
  const pause = createPauses(100);
  while (!(await isReached())) {
    if (performance.now() > deadline) throw new Error(`not within its time: ${what}`);
    await pause();
  }
}

const addFunction = (served: Served, source: string) =>
  create(served, {
    object_type: 'model',
    name: 'a function',
    tags: ['code'],
    content: { tree: [{ name: 'main.js', content: source, encoding: 'text' }] },
  });

/** What was acknowledged to one outside runner: how many iterations, and which lines. */
interface Acknowledged {
  iterations: number;
  lines: number;
}

/** Posts one message after another until the service is gone. */
async function postUntilGone(served: Served, id: string, acknowledged: Acknowledged) {
  const group = { group: `object_${id}`, type: 'object_broadcast' };
  const post = async (payload: Record<string, unknown>) => {
    const ids = { batch_id: 'b', run_id: 'r' };
    const answer = await served
      .call('POST', `/api/object/${id}`, { payload: { ...payload, ...ids } })
      .catch(() => null);
    return answer !== null && answer.status === 'ok';
  };
  for (;;) {
    const first = acknowledged.iterations + 1;
    const values = [0, 1, 2, 3, 4].map((i) => first + i + 0.5);
    const logs = {
      vars: { 'chain#1': { 'mu/val': values } },
      iteration: { 'chain#1': [first, first + 4, first] },
    };
    if (!(await post({ object_type: 'experiment.protobuf_message', logs }))) return;
    acknowledged.iterations += 5;
    const data = `line ${acknowledged.lines + 1}`;
    const message = { action: 'experiment:output', data };
    const datas = [{ ...group, message }];
    if (!(await post({ object_type: 'experiment.text_message', datas }))) return;
    acknowledged.lines += 1;
  }
}

/** Processes whose command line names the program. */
function programProcesses(): string[] {
  return fs.readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(PROGRAM);
    } catch {
      return false;
    }
  });
}

interface CallsView {
  readonly runs: readonly { readonly state: string; readonly error: string }[];
}

async function killAndCompare(): Promise<void> {
  const dataDir = await makeReadyFolder();
  const options = ['--workers', '2'];
  let served: Served = await launch({ dataDir, options }).ready;

  const outside = await create(served, {
    object_type: 'experiment',
    name: 'outside',
    meta: { status: 'RUN' },
  });
  const acknowledged: Acknowledged = { iterations: 0, lines: 0 };
  const analyzer = await addFunction(served, slow('"<p>analysed</p>"'));
  const analysed = await makeServedWorkflow(served, {
    source: 'parameters { real x; } model { x ~ std_normal(); }',
  });
  const payload = { object_type: 'workflow', analyzer_id: analyzer };
  await ask(served, 'POST', `/api/object/${analysed}`, { payload });
  const run = await startServedRun(served, analysed);
  await until(async () => (await view<RunView>(served, run)).status === 'FIN', 'a short run');
  const called = await addFunction(served, slow('[1, 2]'));
  const programs = await makeServedWorkflow(served, {
    tree: [{ name: PROGRAM, content: python, encoding: 'text' }],
    entrance: PROGRAM,
    env: 'python',
  });

  // everything simultaneously, then both processes are killed midway
  const program = await startServedRun(served, programs);
  await until(async () => (await readRunLog(served, program)).includes('on'), 'the program begins');
  expect(programProcesses()).not.toEqual([]);
  const posting = postUntilGone(served, outside, acknowledged);
  await ask(served, 'POST', '/invoke', { target: analysed, action: 'run_analyze' });
  for (let i = 0; i < 3; i++)
    await ask(served, 'POST', '/invoke', { target: called, action: 'run', parameters: { i } });
  const imported = await create(served, {
    object_type: 'experiment',
    name: 'imported',
    data_files: [largeFile],
    data_file_type: 'stan csv',
  });
  await until(async () => acknowledged.iterations > 20, 'some messages');
  await killWorker(dataDir);
  served.process.kill('SIGKILL');
  await served.exited;
  await posting;

  const restart = async () => {
    served = await launch({ dataDir, options }).ready;
    return performance.now() + MAX_WAIT_MS;
  };
  let deadline = await restart();
  await until(async () => programProcesses().length === 0, 'no program is left', deadline);
  // once more, with the worker alone, as soon as it has resumed the work
  const calls = async () => (await view<CallsView>(served, called)).runs;
  await until(
    async () => (await calls()).some(({ state }) => state === 'done'),
    'calls go on',
    deadline,
  );
  await killWorker(dataDir);
  deadline = performance.now() + MAX_WAIT_MS;

  expect(acknowledged.lines).toBeGreaterThan(0);
  const { columns, values } = await readRunDraws(served, outside);
  expect(columns.map(({ chain, variable }) => [chain, variable])).toEqual([['chain#1', 'mu/val']]);
  const stored = [...values];
  // the last message may be stored though its answer was lost
  expect([acknowledged.iterations, acknowledged.iterations + 5]).toContain(stored.length);
  expect(stored).toEqual(stored.map((_, i) => i + 1.5));
  const log = await readRunLog(served, outside);
  const lines = log.trimEnd().split('\n');
  expect([acknowledged.lines, acknowledged.lines + 1]).toContain(lines.length);
  expect(lines).toEqual(lines.map((_, i) => expect.stringMatching(`line ${i + 1}$`)));
  const fin = { object_type: 'experiment', status: 'SAMPLE_FIN' };
  await ask(served, 'POST', `/api/object/${outside}`, { payload: fin });

  await until(
    async () => (await view<RunView>(served, outside)).status === 'FIN',
    'outside',
    deadline,
  );
  const isOver = async (id: string) =>
    ['FIN', 'ERR'].includes((await view<RunView>(served, id)).status);
  await until(() => isOver(program), 'the program’s run', deadline);
  expect(await view<RunView>(served, program)).toMatchObject({
    status: 'ERR',
    meta: { error: { code: 'WORKER_LOST', message: expect.stringContaining('Run it again') } },
  });
  await until(
    async () => (await calls()).every(({ state }) => state === 'done' || state === 'failed'),
    'calls',
    deadline,
  );
  expect((await calls()).map(({ state, error }) => [state, error])).toEqual(
    Array.from({ length: 3 }, () => ['done', '']),
  );
  const analysis = async () =>
    JSON.parse((await view<{ analyzer_result: string }>(served, analysed)).analyzer_result) as {
      status: string;
    };
  await until(async () => (await analysis()).status !== 'running', 'the analysis', deadline);
  expect(await analysis()).toMatchObject({ status: 'done', return_code: 0 });
  await until(() => isOver(imported), 'the import', deadline);
  expect(await view<RunView>(served, imported)).toMatchObject({
    status: 'FIN',
    n_samples: largeRows,
  });
  served.process.kill('SIGTERM');
  expect((await served.exited).code).toBe(0);
  expect(programProcesses()).toEqual([]);
}

itWith('bubblewrap', 'killing service and worker loses no work of any kind', killAndCompare, {
  timeout: 360_000,
});
