/**
 * `npm run bench -- import [--gb 2] [--columns 100]`: a generated Stan CSV through `ergodic import`: MB/s and the peak memory of
 * the service's processes; for comparison, the single 60 MB request of other ways to import. Linux; after `npm run build`.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from '../../src/client/create-client.ts';
import { expectKind } from '../../src/client/expect-kind.ts';
import { type BuiltService, serveBuilt } from './serve-built.ts';

const { values: options } = parseArgs({
  options: {
    gb: { type: 'string', default: '2' },
    columns: { type: 'string', default: '100' },
  },
});
const numColumns = Number(options.columns);
const cli = path.resolve(import.meta.dirname, '../../dist/server/cli.js');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-import-'));

/** One chain of draws that are identical for each call. */
function writeStanCsv(name: string, bytes: number): string {
  const file = path.join(folder, name);
  const handle = fs.openSync(file, 'w');
  const names = Array.from({ length: numColumns }, (_, i) => `theta.${i + 1}`);
  let written = fs.writeSync(
    handle,
    `# method = sample\n# id = 1\nlp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,${names.join(',')}\n`,
  );
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state / 2_147_483_647 - 0.5).toPrecision(6);
  };
  while (written < bytes) {
    let block = '';
    while (block.length < 2 ** 20)
      block += `${next()},0.9,0.5,3,7,0,1.2,${names.map(next).join(',')}\n`;
    written += fs.writeSync(handle, block);
  }
  fs.closeSync(handle);
  return file;
}

/** Memory of a process and all its descendants, by program name: MB. */
function memoryOf(pid: number, into = new Map<string, number>()): Map<string, number> {
  try {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000;
    const program = path.basename(command.find((word) => word.endsWith('.js')) ?? command[0]);
    into.set(program, Math.max(into.get(program) ?? 0, rss));
    const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    for (const child of children.split(' ').filter(Boolean)) memoryOf(Number(child), into);
  } catch {
    // it has exited in the meantime
  }
  return into;
}

/** The last step that `ergodic import` reported. */
let phase = '';

async function watchMemory<T>(
  pids: readonly number[],
  work: () => Promise<T>,
): Promise<{ result: T; peaks: Map<string, number> }> {
  const peaks = new Map<string, number>();
  phase = '';
  const timer = setInterval(() => {
    for (const pid of pids)
      for (const [program, rss] of memoryOf(pid))
        for (const key of [program, `${program} ${phase}`])
          peaks.set(key, Math.max(peaks.get(key) ?? 0, rss));
  }, 100);
  try {
    return { result: await work(), peaks };
  } finally {
    clearInterval(timer);
  }
}

const show = (peaks: Map<string, number>) =>
  [...peaks]
    .filter(([program]) => /\.js(?: \w+)?$/.test(program))
    .map(([program, rss]) => `${program} ${Math.round(rss)} MB`)
    .join(', ');

async function byCommand({ access, process: server }: BuiltService, file: string) {
  const child = spawn(process.execPath, [cli, 'import', file, '--server', access.origin], {
    env: { ...process.env, ERGODIC_TOKEN: access.token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const marks: [string, number][] = [];
  const began = performance.now();
  child.stderr.on('data', (chunk: Buffer) => {
    const line = chunk.toString('utf8');
    text += line;
    const what = /(?:^|\n)(Uploading|Reading|Storing|Computing)/.exec(line)?.[1];
    if (what === undefined || marks.at(-1)?.[0] === what) return;
    marks.push([what, performance.now()]);
    phase = what;
  });
  const pids = [server.pid as number, child.pid as number];
  const { result: code, peaks } = await watchMemory(
    pids,
    () => new Promise<number | null>((resolve) => child.once('close', resolve)),
  );
  const seconds = (performance.now() - began) / 1000;
  if (code !== 0) throw new Error(text);
  const megabytes = fs.statSync(file).size / 1e6;
  const steps = marks.map(([what, at]) => `${what} from ${((at - began) / 1000).toFixed(0)} s`);
  console.log(
    `ergodic import, ${megabytes.toFixed(0)} MB: ${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(1)} MB/s until the verdict (${steps.join(', ')})`,
  );
  console.log(`  peak memory: ${show(peaks)}`);
}

async function byRequest({ access, process: server }: BuiltService, file: string) {
  const client = createClient({
    baseUrl: access.origin,
    token: access.token,
    fetch,
    timeoutMs: 600_000,
  });
  const began = performance.now();
  const { peaks } = await watchMemory([server.pid as number], async () => {
    const payload = {
      object_type: 'experiment' as const,
      name: 'one request',
      data_files: [fs.readFileSync(file, 'utf8')],
    };
    let made = expectKind(await client.createObject({ body: { payload } }), 'experiment');
    while (made.status === 'RUN') {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const view = await client.viewObject({ params: { objid: made.short_id } });
      made = expectKind(view, 'experiment');
    }
    if (made.status !== 'FIN') throw new Error(JSON.stringify(made.meta?.error));
  });
  const seconds = (performance.now() - began) / 1000;
  const megabytes = fs.statSync(file).size / 1e6;
  console.log(
    `one request, ${megabytes.toFixed(0)} MB: ${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(1)} MB/s until the verdict`,
  );
  console.log(`  peak memory: ${show(peaks)}`);
}

const service = await serveBuilt();
try {
  await byCommand(service, writeStanCsv('large.csv', Number(options.gb) * 1e9));
  const small = writeStanCsv('small.csv', 60e6);
  await byCommand(service, small);
  await byRequest(service, small);
} finally {
  await service.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}
