/** The built service as people start it. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { findRunningPostgres } from '../../../src/service/postgres/supervisor.ts';
import { descendantOf } from '../../support/processes.ts';
import {
  builtCli,
  launch,
  makeDataFolder,
  makeReadyFolder,
  type Served,
} from '../../support/served.ts';
import { eightSchools } from '../../support/service-objects.ts';

const run = promisify(execFile);
const ergodic = (...args: string[]) =>
  run(process.execPath, [builtCli, ...args], { env: { ...process.env, DATABASE_URL: '' } });

async function stop(served: Served): Promise<void> {
  served.process.kill('SIGTERM');
  expect(await served.exited).toEqual({ code: 0, signal: null });
}

// Each start is a second of work, more on a machine with other things to do.
describe('ergodic serve', { timeout: 120_000 }, () => {
  it('prints one line with a link that signs in, and shuts down in order', async () => {
    const dataDir = makeDataFolder();
    const first = await launch({ dataDir }).ready;
    expect(first.stdout()).toMatch(
      /^Ergodic is ready at http:\/\/127\.0\.0\.1:\d+\/\?token=erg_[\w-]{43}\n$/,
    );
    expect(first.stderr()).not.toContain('erg_');
    expect((await first.call('GET', '/base/user')).data).toMatchObject({
      username: 'owner(@1)',
      has_password: false,
    });
    await stop(first);
    expect(findRunningPostgres(dataDir)).toBeNull();
    expect(fs.existsSync(path.join(dataDir, 'lock.json'))).toBe(false);

    const second = await launch({ dataDir }).ready;
    expect((await second.call('GET', '/base/user')).status).toBe('ok');
    // Each start replaces the last one's token.
    const old = await fetch(`${second.origin}/base/user`, {
      headers: { authorization: `Bearer ${first.linkToken}` },
    });
    expect(old.status).toBe(401);
    await stop(second);
  });

  it('says what is wrong and how to fix it', async () => {
    const dataDir = await makeReadyFolder();
    const served = await launch({ dataDir }).ready;
    const again = launch({ dataDir });
    await again.exited;
    expect(again.stderr()).toContain(`in use by process ${served.process.pid} (ergodic serve)`);
    expect(again.stdout()).toBe('');

    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const elsewhere = makeDataFolder();
    const blocked = launch({ dataDir: elsewhere, options: ['--port', String(port)] });
    expect(await blocked.exited).toEqual({ code: 1, signal: null });
    expect(blocked.stderr()).toMatch(
      new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use[\\s\\S]*--port 0`),
    );
    expect(findRunningPostgres(elsewhere)).toBeNull();
    taken.close();

    const mistakes = [
      [['--port', 'many'], '--port must be a whole number'],
      [['--public-url', 'ergodic.example'], '--public-url must be an address'],
      [['--database-url', 'mysql://x'], 'postgresql://'],
      [
        ['--database-url', 'postgresql://nobody@127.0.0.1:1/none'],
        '127.0.0.1:1/none does not answer',
      ],
    ] as const;
    const wrong = mistakes.map(async ([options, words]) => {
      const started = launch({ dataDir: makeDataFolder(), options });
      expect((await started.exited).code).toBe(1);
      expect(started.stderr()).toContain(words);
    });
    await Promise.all(wrong);
    await stop(served);
  });

  it.runIf(process.platform === 'linux')(
    'restarts a worker or a PostgreSQL that died',
    async () => {
      const dataDir = await makeReadyFolder();
      const served = await launch({
        dataDir,
        env: { ERGODIC_FLUSH_MS: '20', ERGODIC_LOG_LEVEL: 'silent' },
      }).ready;
      const create = async (payload: Record<string, unknown>) =>
        ((await served.call('POST', '/api/object', { payload })).data as { short_id: string })
          .short_id;
      const content = {
        tree: [{ name: 'main.stan', type: 'file', content: eightSchools.source, encoding: 'text' }],
      };
      const model = await create({
        object_type: 'model',
        name: 'm',
        env: 'stan',
        entrance_file: 'main.stan',
        content,
      });
      const data = await create({ object_type: 'data', name: 'd', data: eightSchools.data });
      const workflow = await create({
        object_type: 'workflow',
        name: 'w',
        model_id: model,
        data_id: data,
      });
      const settings = 'sampling: {num_chains: 2, num_warmup: 300, num_samples: 12000}';
      await served.call('POST', `/api/object/${workflow}`, {
        payload: { object_type: 'workflow', settings },
      });
      const started = await served.call('POST', '/invoke', {
        target: workflow,
        action: 'run_sample',
        get_response: false,
      });
      const experiment = (started.data as { experiment_id: string }).experiment_id;
      const view = async () =>
        (await served.call('GET', `/api/object/${experiment}`)) as unknown as {
          status: string;
          data?: { status: string; n_samples: number; meta: { progress?: { done: number } } };
        };
      const until = async (isReached: (seen: Awaited<ReturnType<typeof view>>) => boolean) => {
        for (;;) {
          const seen = await view();
          if (isReached(seen)) return seen;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      await until(({ data: seen }) => (seen?.meta.progress?.done ?? 0) > 100);
      process.kill(descendantOf(served.process.pid as number, 'worker.js'), 'SIGKILL');
      const before = (await view()).data?.meta.progress?.done ?? 0;
      await until(({ data: seen }) => (seen?.meta.progress?.done ?? 0) > before);
      process.kill(findRunningPostgres(dataDir)?.pid as number, 'SIGKILL');
      const end = await until(
        ({ status, data: seen }) => status === 'ok' && seen?.status === 'FIN',
      );
      expect(end.data?.n_samples).toBe(12_000);
      await stop(served);
    },
  );
});

describe('other commands', { timeout: 120_000 }, () => {
  it('write a report with every letter of a name in it', async () => {
    const dataDir = await makeReadyFolder();
    const served = await launch({ dataDir }).ready;
    const draws = path.join(dataDir, 'draws.csv');
    fs.writeFileSync(draws, 'lp__,mu\n-1,2\n-2,3\n-1,4\n-2,5\n');
    const env = { ...process.env, ERGODIC_SERVER: served.origin, ERGODIC_TOKEN: served.token };
    const ask = (...args: string[]) => run(process.execPath, [builtCli, ...args], { env });
    const { stdout: id } = await ask('import', draws);
    const page = path.join(dataDir, 'page.html');
    await ask('export', id.trim(), '--fmt', 'html', '--out', page);
    expect(/S\S+ilynoja/.exec(fs.readFileSync(page, 'utf8'))?.[0]).toBe('Säilynoja');
    await stop(served);
  });

  it('work with and without a running service', async () => {
    const dataDir = await makeReadyFolder();
    const served = await launch({ dataDir }).ready;
    const at = ['--data', dataDir];
    const { stdout: token } = await ergodic('token', ...at);
    const answer = await fetch(`${served.origin}/base/user`, {
      headers: { authorization: `Bearer ${token.trim()}` },
    });
    expect(answer.status).toBe(200);
    const short = ergodic('user', 'passwd', 'owner', ...at);
    short.child.stdin?.end('short\n');
    const refused = expect(short).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('8 characters') as string,
    });
    const unknown = ergodic('token', '--user', 'nobody', ...at);
    await Promise.all([refused, expect(unknown).rejects.toMatchObject({ code: 1 })]);
    expect((await ergodic('user', 'list', ...at)).stdout).toBe('owner(@1) super no password yet\n');
    await stop(served);

    const adding = ergodic('user', 'add', 'ada', ...at);
    adding.child.stdin?.end('a good password\n');
    expect((await adding).stderr).toContain('Created user ada(@2)');
    const file = path.join(dataDir, 'backup.gz');
    await ergodic('backup', file, ...at);
    const restored = makeDataFolder();
    await ergodic('restore', file, '--data', restored);
    expect((await ergodic('user', 'list', '--data', restored)).stdout).toBe(
      'owner(@1) super no password yet\nada(@2)\n',
    );
    // a restore that fails leaves nothing behind: neither a folder that was not there, nor content in one that was
    const cut = path.join(dataDir, 'cut.gz');
    const whole = gunzipSync(fs.readFileSync(file)).toString().trimEnd().split('\n');
    fs.writeFileSync(cut, gzipSync(`${whole.slice(0, -1).join('\n')}\n`));
    const [absent, empty] = [path.join(makeDataFolder(), 'new'), makeDataFolder()];
    for (const into of [absent, empty])
      await expect(ergodic('restore', cut, '--data', into)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is incomplete') as string,
      });
    expect(fs.existsSync(absent)).toBe(false);
    expect(fs.readdirSync(empty)).toEqual([]);
    // and a restore into a folder in use leaves it unchanged
    await expect(ergodic('restore', cut, '--data', restored)).rejects.toMatchObject({ code: 1 });
    expect((await ergodic('user', 'list', '--data', restored)).stdout).toContain('ada(@2)');
    expect((await ergodic('purge', '--now', ...at)).stderr).toContain('Removed 0 objects');
    expect(findRunningPostgres(dataDir)).toBeNull();
  });
});
