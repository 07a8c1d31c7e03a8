/**
 * `ergodic worker` against a server: it ends when there is nothing to do, is refused by a database of another version, and
 * is written as a Slurm script. The built command line: needs `npm run build` first.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeJobScript, writeSbatch } from '../../../src/cli/sbatch.ts';
import { leadVersions, ownVersions } from '../../../src/service/migrations/handshake.ts';
import { raiseEngine } from '../../../src/service/repositories/versions.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { addressOf, createTestDatabase } from '../../support/database.ts';
import { freePort, startDebianPostgres } from '../../support/debian-postgres.mjs';
import { describeWith, itWith } from '../../support/needs.ts';
import { findPostgres } from '../../support/parts.mjs';
import { builtCli, makeDataFolder } from '../../support/served.ts';
import { makeUser, makeWorkflow } from '../../support/service-objects.ts';

function ergodic(args: readonly string[], url = ''): Promise<{ code: number; text: string }> {
  const options = { env: { ...process.env, DATABASE_URL: url } };
  return new Promise((resolve) => {
    execFile(process.execPath, [builtCli, ...args], options, (error, out, messages) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: out + messages }),
    );
  });
}

describe('a worker', () => {
  it('exits when idle, and is refused by a database of another engine version', async () => {
    const database = await createTestDatabase();
    const url = addressOf(database.connection);
    const data = makeDataFolder();
    const work = () =>
      ergodic(['worker', '--workers', '1', '--exit-when-idle', '1', '--data', data], url);
    const early = await work();
    expect([early.code, early.text]).toEqual([1, expect.stringContaining('older engine (0')]);
    await leadVersions(database.pool);
    const idle = await work();
    expect([idle.code, idle.text]).toEqual([0, expect.stringContaining('nothing to do')]);
    await raiseEngine(database.pool, ownVersions.engine + 1);
    expect((await work()).text).toContain('newer engine');
    await database.drop();
  });

  it('returns its chains to the queue even if both of its processes get SIGTERM repeatedly', async () => {
    const database = await createTestDatabase();
    const { pool } = database;
    await leadVersions(pool);
    const user = await makeUser(pool);
    const settings = 'sampling: {num_chains: 1, num_samples: 90000000, seed: 1}';
    const workflow = await makeWorkflow(pool, user.id, { settings });
    const run = await startRun(pool, { workflowId: workflow.id, ownerId: user.id });
    const look = async () =>
      (
        await pool.query<{ state: string; iteration: number; pid: number | null }>(
          `select c.state, c.iteration, w.pid, w.job from experiment_chains c left join workers w on true
            where c.experiment_id = $1`,
          [run.id],
        )
      ).rows[0];
    const child = spawn(
      process.execPath,
      [builtCli, 'worker', '--workers', '1', '--data', makeDataFolder()],
      {
        env: { ...process.env, DATABASE_URL: addressOf(database.connection), SLURM_JOB_ID: '17' },
        stdio: 'ignore',
      },
    );
    const exited = new Promise((resolve) => child.once('exit', (...end) => resolve(end)));
    await expect.poll(async () => (await look()).iteration, { timeout: 20_000 }).toBeGreaterThan(0);
    const { pid, ...running } = await look();
    expect(running).toMatchObject({ state: 'running', job: '17' });
    // until it has given the chain back: Slurm sends two or three
    do {
      child.kill('SIGTERM');
      process.kill(pid as number, 'SIGTERM');
    } while ((await look()).state === 'running');
    expect(await exited).toEqual([0, null]);
    const { state, iteration, pid: left } = await look();
    expect([state, left]).toEqual(['queued', null]);
    expect(iteration).toBeGreaterThanOrEqual(running.iteration);
    await database.drop();
  });

  it('is started by a Slurm script, which contains no password', async () => {
    const options = {
      databaseUrl: 'postgresql://ada@db.test/ergodic?sslmode=require',
      directDatabaseUrl: '',
      files: "s3://files/it's",
      slots: 4,
      pools: ['gpu'],
      userChains: 3,
      trustRuntimes: true,
      allowFetch: ['data.test'],
    };
    const script = writeSbatch(options);
    expect(script).toContain('#SBATCH --cpus-per-task=4\n');
    expect(script).toContain("--files 's3://files/it'\\''s'");
    expect(script).toMatch(/--exit-when-idle 300/);
    const file = path.join(makeDataFolder(), 'worker.sh');
    const bin = path.dirname(file);
    const out = path.join(bin, 'out');
    const program = (name: string, text: string) =>
      fs.writeFileSync(path.join(bin, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
    const until = (name: string) =>
      `until [ -e ${out}.${name} ] || [ ! -e ${file} ]; do sleep 0.01; done`;
    const allow = (name: string) => fs.writeFileSync(`${out}.${name}`, '');
    // a stand-in for the program: prints its arguments, and exits cleanly when asked and allowed to
    program(
      'ergodic',
      `trap "echo asked >> $OUT; ${until('end')}; echo given back >> $OUT; exit 0" TERM
printf "%s\\n" "$@" > "$OUT"; echo started >> "$OUT"; sleep 60 & wait`,
    );
    // a job step, which SIGTERM stops
    program('srun', `${until('preempted')}; exit 143`);
    fs.writeFileSync(file, script, { mode: 0o755 });
    const env = {
      ...process.env,
      PATH: `${bin}:${process.env.PATH}`,
      OUT: out,
      SLURM_CPUS_PER_TASK: '3',
    };
    const listWords = () =>
      fs.existsSync(out) ? fs.readFileSync(out, 'utf8').trim().split('\n') : [];
    const untilSaid = (word: string) => expect.poll(() => listWords().at(-1)).toBe(word);
    const start = async () => {
      const job = spawn('bash', [file], { env, stdio: 'ignore' });
      const ended = new Promise((resolve) => job.once('exit', resolve));
      await untilSaid('started');
      return { job, ended };
    };
    // SIGTERM to its step alone, as when it is preempted with a grace time
    const preempted = await start();
    allow('preempted');
    await untilSaid('asked');
    allow('end');
    expect(await preempted.ended).toBe(0);
    expect(listWords().at(-1)).toBe('given back');
    for (const name of ['preempted', 'end']) fs.rmSync(`${out}.${name}`);
    // SIGTERM to the script, and again while it waits for the worker
    const { job, ended } = await start();
    job.kill('SIGTERM');
    await untilSaid('asked');
    job.kill('SIGTERM');
    allow('end');
    expect(await ended).toBe(0);
    allow('preempted');
    const words = listWords();
    expect(words.at(-1)).toBe('given back');
    expect(words.slice(0, 3)).toEqual(['worker', '--database-url', options.databaseUrl]);
    const after = (option: string) => words[words.indexOf(option) + 1];
    expect(['--workers', '--user-chains', '--allow-fetch'].map(after)).toEqual([
      '3',
      '3',
      'data.test',
    ]);
    expect(words).toContain('--trust-runtimes');
    expect(() => writeSbatch({ ...options, databaseUrl: 'postgresql://a:b@c/d' })).toThrow(
      'passfile',
    );
    expect(() => writeSbatch({ ...options, databaseUrl: '' })).toThrow('--sbatch needs --database');
    // a job submitted on demand is not requeued by Slurm, and has the requested size
    const submitted = writeJobScript(options);
    expect(submitted).toContain('#SBATCH --no-requeue\n#SBATCH --nodes=1\n');
    expect(submitted).toContain(`'${process.execPath}' '${builtCli}' worker`);
    expect(submitted).toMatch(/--workers 4 /);
    expect(() => writeJobScript({ ...options, databaseUrl: '' })).toThrow('--slurm needs --data');
  });
});

describeWith('postgresql', 'a service', () => {
  itWith('bubblewrap', 'runs as an unprivileged user who can write only its data', async () => {
    const server = await startDebianPostgres(findPostgres() as string);
    const data = makeDataFolder();
    const [port, metricsPort] = [await freePort(), await freePort()];
    const sandbox = ['--unshare-user', '--uid', '65534', '--gid', '65534', '--ro-bind', '/', '/'];
    const places = ['--dev', '/dev', '--proc', '/proc', '--bind', data, data, '--die-with-parent'];
    const env = {
      ...process.env,
      ERGODIC_DATABASE_URL: server.url,
      ERGODIC_DATA: data,
      ERGODIC_WORKERS: '1',
      ERGODIC_PORT: String(port),
      ERGODIC_METRICS_PORT: String(metricsPort),
    };
    const child = spawn(
      'bwrap',
      [...sandbox, ...places, '--', process.execPath, builtCli, 'serve'],
      {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        said += String(text);
      });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const status = (at: string) =>
      fetch(`http://127.0.0.1:${metricsPort}${at}`).then(
        (answer) => answer.status,
        () => said,
      );
    await expect.poll(() => status('/readyz')).toBe(200);
    await expect
      .poll(async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())
      .toMatch(/ergodic_workers 1\n[^]*ergodic_services 1\n/);
    expect((await fetch(`http://127.0.0.1:${port}/sys/config`)).status).toBe(200);
    const readOnly = () =>
      execFileSync(
        'bwrap',
        [...sandbox, ...places, '--', 'touch', path.join(path.dirname(builtCli), 'x')],
        {
          stdio: 'ignore',
        },
      );
    expect(readOnly).toThrow();
    child.kill('SIGTERM');
    await exited;
    await server.stop();
  });
});
