/** The built `ergodic watch` with a built service, and files of our own engine written piece by piece. */
import { execFile, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Experiment } from '../../src/contract/experiment.ts';
import {
  builtCli,
  launch,
  makeDataFolder,
  makeReadyFolder,
  type Served,
} from '../support/served.ts';
import { ask } from '../support/served-runs.ts';

const run = promisify(execFile);
const folder = makeDataFolder();
const at = (...names: string[]) => join(folder, ...names);
const program =
  'data { int N; vector[N] y; }\nparameters { real mu; real<lower=0> sigma; }\nmodel { y ~ normal(mu, sigma); sigma ~ exponential(1); }\n';
let served: Served;
let chains: string[] = [];
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  served = await launch({ dataDir: await makeReadyFolder() }).ready;
  env = { ...process.env, ERGODIC_SERVER: served.origin, ERGODIC_TOKEN: served.token };
  writeFileSync(at('normal.stan'), program);
  writeFileSync(at('y.json'), '{"N": 4, "y": [1, 2, 3, 4.5]}');
  const args = '--data y.json --samples 300 --warmup 200 --save-warmup --seed 3 --max-treedepth 4';
  const cli = [builtCli, 'run', 'normal.stan', ...args.split(' '), '--out', 'out'];
  await run(process.execPath, cli, { cwd: folder });
  chains = [1, 2, 3, 4].map((chain) => readFileSync(at('out', `chain_${chain}.csv`), 'utf8'));
});

interface Watching {
  /** Resolves when this text has appeared on stderr. */
  said(text: string): Promise<void>;
  readonly ended: Promise<{ code: number | null; out: string; messages: string }>;
  interrupt(): void;
}

function watch(...args: string[]): Watching {
  const child = spawn(process.execPath, [builtCli, 'watch', ...args, '--every', '0.02'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let messages = '';
  const listeners = new Set<() => void>();
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => {
    messages += data.toString();
    for (const listener of listeners) listener();
  });
  const ended = new Promise<{ code: number | null; out: string; messages: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, out, messages })),
  );
  return {
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = () => messages.includes(text) && resolve();
        listeners.add(look);
        look();
        void ended.then(() => reject(new Error(`ended without "${text}": ${messages}`)));
      }),
    ended,
    interrupt: () => child.kill('SIGINT'),
  };
}

const view = (id: string) => ask<Experiment>(served, 'GET', `/api/object/${id}`);

describe('ergodic watch', () => {
  it('follows a run and its program as files are written, with the same verdict as an import', async () => {
    mkdirSync(at('live'));
    const watching = watch('live', '--chains', '4', '--model', 'normal.stan', '--data', 'y.json');
    await watching.said('Waiting for CmdStan to write CSV files');
    const half = (text: string) => Math.floor(text.length / 2);
    for (const [i, text] of chains.entries())
      writeFileSync(at('live', `chain_${i + 1}.csv`), text.slice(0, half(text)));
    for (const chain of [1, 2, 3, 4]) await watching.said(`chain#${chain}: warmup is over`);
    for (const [i, text] of chains.entries())
      appendFileSync(at('live', `chain_${i + 1}.csv`), text.slice(half(text)));
    const { code, out, messages } = await watching.ended;
    expect(messages).toContain(`Experiment ${served.origin}/experiments/${out.trim()}`);
    expect(code).toBe(0);
    const files = [1, 2, 3, 4].map((chain) => at('out', `chain_${chain}.csv`));
    const imported = await run(process.execPath, [builtCli, 'import', ...files], { env });
    const [watched, whole] = [await view(out.trim()), await view(imported.stdout.trim())];
    expect(watched.meta?.verdict).toEqual(whole.meta?.verdict);
    expect(watched.meta?.verdict?.headline).toBeTruthy();
    expect(messages).toContain(watched.meta?.verdict?.headline);
    expect(watched).toMatchObject({
      status: 'FIN',
      n_chains: 4,
      n_samples: 300,
      model_name: 'normal',
    });
    expect(watched.input).toMatch(/^D/);
    // once more: the same experiment, model and data
    const again = watch('live', '--once', '--model', 'normal.stan', '--data', 'y.json');
    expect((await again.ended).out).toBe(out);
    const { total } = await ask<{ total: number }>(
      served,
      'GET',
      '/api/object?object_type=model&q=normal',
    );
    expect(total).toBe(1);
  });

  it('keeps the draws after Ctrl-C and exits with code 130', async () => {
    mkdirSync(at('cut'));
    const [text = ''] = chains;
    const long = text.replace('num_samples = 300', 'num_samples = 301');
    writeFileSync(at('cut', 'output.csv'), long);
    const watching = watch('cut');
    await watching.said('Draws: chain#1 300');
    watching.interrupt();
    const { code, out, messages } = await watching.ended;
    expect(code).toBe(130);
    expect(messages).toContain('Stopped. Draws: chain#1 300 are kept');
    expect(await view(out.trim())).toMatchObject({ n_samples: 300, meta: { action: 'stopped' } });
  });

  it.each([
    ['a missing folder', ['nowhere'], /There is no folder/],
    ['a folder without draws', ['.', '--once'], /There are no CmdStan draws in/],
    ['two options that exclude each other', ['out', '--once', '--new'], /choose one/],
    ['an --idle that is not a number', ['out', '--idle', 'x'], /--idle must be a number/],
    [
      'a missing program',
      ['out', '--once', '--model', 'no.stan'],
      /--model no.stan cannot be read/,
    ],
  ])('says what is wrong with %s', async (_what, args, message) => {
    const { code, messages } = await watch(...args).ended;
    expect(code).toBe(1);
    expect(messages).toMatch(message);
    expect(messages).not.toMatch(/^\s+at /m);
  });
});
