/** Which jobs `ergodic worker --slurm` submits and cancels, with programs on PATH that stand in for Slurm's. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkSlurmOptions } from '../../src/cli/slurm.ts';
import { slurmCommands } from '../../src/cli/slurm-commands.ts';
import { confirm, decide, type SlurmJob } from '../../src/cli/slurm-decision.ts';
import { LOOK_MS, SlurmLoop } from '../../src/cli/slurm-loop.ts';
import type { Demand } from '../../src/service/worker/demand-watch.ts';

const nothing: Demand = {
  chains: 0,
  programs: 0,
  tasks: 0,
  workers: 0,
  jobs: [],
  state: 'work',
};
const me = process.getuid?.() ?? 0;
const size = { slots: 4, maxJobs: 16 };

let id = 0;
const job = (over: Partial<SlurmJob> = {}): SlurmJob => {
  id += 1;
  const rest = { isOwn: true, ranSeconds: 0, slots: 4, reason: 'Resources' };
  return { id: String(id), name: `${id}_1`, state: 'PENDING', ...rest, ...over };
};

describe('the decision', () => {
  it('submits the jobs that waiting chains need beyond those already pending or starting', () => {
    const plan = (demand: Partial<Demand>, ...jobs: SlurmJob[]) =>
      decide({ ...nothing, ...demand }, jobs, size).missing;
    expect([0, 1, 4, 5].map((chains) => plan({ chains }))).toEqual([0, 1, 1, 2]);
    expect(plan({ chains: 9 }, job())).toBe(2);
    const starting = job({ state: 'RUNNING', ranSeconds: 20 });
    expect(plan({ chains: 4 }, starting)).toBe(0);
    expect(plan({ chains: 4, jobs: [starting.id] }, starting)).toBe(1);
    expect(plan({ chains: 4 }, job({ state: 'RUNNING', ranSeconds: 2000 }))).toBe(1);
    expect(plan({ chains: 4 }, job({ state: 'COMPLETING' }))).toBe(1);
    expect(plan({ chains: 4 }, job({ slots: 2 }), job({ isOwn: false, slots: 2 }))).toBe(0);
    expect(plan({ chains: 400 })).toBe(16);
    expect(plan({ chains: 400 }, job(), job({ state: 'FAILED' }))).toBe(15);
  });

  it('counts programs, and other tasks only while no worker is alive', () => {
    const plan = (demand: Partial<Demand>) => decide({ ...nothing, ...demand }, [], size).missing;
    expect(plan({ programs: 3 })).toBe(2);
    expect(plan({ programs: 3, chains: 12 })).toBe(3);
    expect(plan({ tasks: 7 })).toBe(1);
    expect(plan({ tasks: 7, workers: 1 })).toBe(0);
    expect(plan({ chains: 8, state: 'drain' })).toBe(0);
  });

  it('cancels the newest surplus pending jobs, and only its own', () => {
    const [old, newer, newest] = [job(), job(), job()];
    const others = job({ isOwn: false });
    const running = job({ state: 'RUNNING' });
    const surplus = (demand: Partial<Demand>, ...jobs: SlurmJob[]) =>
      decide({ ...nothing, ...demand }, jobs, size).surplus;
    expect(surplus({ chains: 5 }, old, newer, newest)).toEqual([newest]);
    expect(surplus({}, old, others, running)).toEqual([old]);
    expect(surplus({ chains: 4, state: 'drain' }, old)).toEqual([old]);
  });

  it('leaves no job missing or surplus, for any demand and any existing jobs', () => {
    const jobs = fc.array(fc.constantFrom('PENDING', 'RUNNING', 'COMPLETED'), { maxLength: 8 });
    const demand = fc.record({ chains: fc.nat(40), programs: fc.nat(6), tasks: fc.nat(2) });
    fc.assert(
      fc.property(jobs, demand, (states, wanted) => {
        const here = states.map((state) => job({ state }));
        const all = { ...nothing, ...wanted };
        const { missing, surplus } = decide(all, here, { ...size, maxJobs: 1000 });
        const kept = here.filter((one) => !surplus.includes(one));
        const after = [...kept, ...Array.from({ length: missing }, () => job())];
        expect(decide(all, after, { ...size, maxJobs: 1000 })).toEqual({ missing: 0, surplus: [] });
        expect(missing === 0 || surplus.length === 0).toBe(true);
      }),
      { seed: 3 },
    );
  });

  it('acts only on what two consecutive polls have in common', () => {
    const [one, two] = [job(), job()];
    const now = { missing: 3, surplus: [one, two] };
    expect(confirm(now, null)).toEqual({ missing: 0, surplus: [] });
    expect(confirm(now, { missing: 2, surplus: [two] })).toEqual({ missing: 2, surplus: [two] });
  });
});

/** Keeps jobs as lines of a file, as `squeue` prints them, and records how it was called. */
const programs = {
  sbatch: `[ ! -e refusal ] || { cat refusal >&2; exit 1; }
printf '%s\\n' "$@" > submission; cat > script; env > environment
n=$(($(cat last 2>/dev/null || echo 0) + 1)); echo $n > last
for a in "$@"; do case $a in --array=1-*) k=\${a#--array=1-};; --job-name=*) name=\${a#*=};; --comment=*) c=\${a#*=};; esac; done
for i in $(seq $k); do echo "$n|\${n}_$i|PENDING|${me}|0:00|$c|Resources" >> jobs; done
echo "$n;cluster"`,
  squeue: `echo x >> squeues; [ ! -e down ] || { echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1; }
echo 'CLUSTER: cluster'; cat jobs 2>/dev/null; exit 0`,
  scancel: `printf '%s\\n' "$@" >> cancelled; shift; for a; do sed -i "/|$a|/d" jobs; done`,
};

describe('the submitter', () => {
  let folder: string;
  let demand: Demand;
  let said: string[];
  let seconds: number;
  let loop: SlurmLoop;
  const file = (name: string) => path.join(folder, name);
  const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '');
  const numJobs = () => read('jobs').split('\n').length - 1;
  const start = () => {
    loop = new SlurmLoop({
      ...size,
      watch: {
        key: 'k',
        look: async () => demand,
        alone: async (work) => {
          await work();
          return true;
        },
        end: async () => {},
      },
      commands: slurmCommands('ergodic-k', 4),
      script: '#!/bin/bash\n',
      options: ['--partition=low'],
      say: (text) => said.push(text),
      now: () => seconds * 1000,
    });
  };
  const look = async (times = 1) => {
    for (let i = 0; i < times; i++) {
      await loop.look();
      seconds += LOOK_MS / 1000;
    }
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'ergodic-slurm-'));
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(file(name), `#!/bin/bash\ncd ${folder}\n${text}\n`);
      chmodSync(file(name), 0o755);
    }
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    demand = nothing;
    said = [];
    seconds = 0;
    start();
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  it('submits one array after two polls, and does not keep polling Slurm while nothing waits', async () => {
    vi.stubEnv('SLURM_JOB_ID', '99');
    vi.stubEnv('SLURM_CONF', '/etc/slurm.conf');
    demand = { ...nothing, tasks: 1, workers: 1 };
    await look(5);
    expect(read('squeues')).toBe('x\n');
    demand = { ...nothing, chains: 10 };
    await look();
    expect(numJobs()).toBe(0);
    await look();
    expect(numJobs()).toBe(3);
    const own = ['--parsable', '--job-name=ergodic-k', '--comment=4 chains', '--array=1-3'];
    expect(read('submission').trim().split('\n')).toEqual([...own, '--partition=low']);
    expect(read('script')).toBe('#!/bin/bash\n');
    expect(read('environment')).not.toContain('SLURM_JOB_ID');
    expect(read('environment')).toContain('SLURM_CONF=/etc/slurm.conf');
    expect(said).toEqual(['Submitted array job 1: 3 workers of 4 chains, with 10 chains waiting.']);
    await look(8);
    expect(numJobs()).toBe(3);
    expect(said.slice(1)).toEqual(['Jobs wait in Slurm: Resources.']);
  });

  it('finds the jobs of its predecessor after a restart', async () => {
    demand = { ...nothing, chains: 4 };
    await look(2);
    start();
    await look(4);
    expect(numJobs()).toBe(1);
  });

  it('cancels its own pending jobs, and no others, when no work waits', async () => {
    demand = { ...nothing, chains: 8 };
    await look(2);
    writeFileSync(file('jobs'), `${read('jobs')}7|7_1|PENDING|${me + 1}|0:00|4 chains|Priority\n`);
    demand = nothing;
    await look(3);
    expect(read('cancelled').trim().split('\n')).toEqual(['--state=PENDING', '1_1', '1_2']);
    expect(numJobs()).toBe(1);
  });

  it('reports why sbatch refuses, and waits longer before each retry', async () => {
    writeFileSync(file('refusal'), 'sbatch: error: invalid partition specified: low\n');
    demand = { ...nothing, chains: 4 };
    await look(2);
    expect(said).toEqual([
      'sbatch: sbatch: error: invalid partition specified: low\nTrying again in 30 seconds.',
    ]);
    await look(12);
    expect(said.map((text) => /in (\d+) seconds/.exec(text)?.[1])).toEqual(['30', '60']);
    rmSync(file('refusal'));
    await look(20);
    expect(numJobs()).toBe(1);
  });

  it('submits nothing while squeue fails', async () => {
    writeFileSync(file('down'), '');
    demand = { ...nothing, chains: 4 };
    await look(8);
    expect(said[0]).toMatch(/Unable to contact slurm controller\nTrying again in 30 seconds/);
    expect(read('squeues')).toBe('x\nx\n');
    expect(numJobs()).toBe(0);
    rmSync(file('down'));
    await look(20);
    expect(numJobs()).toBe(1);
  });

  it('waits longer before each replacement for a job that fails', async () => {
    demand = { ...nothing, chains: 4 };
    await look(2);
    let tried = 1;
    for (let i = 0; i < 120; i++) {
      writeFileSync(file('jobs'), read('jobs').replace('PENDING', 'FAILED'));
      tried = numJobs();
      await look();
    }
    // ten minutes: after 30, 60, 120 and 240 seconds
    expect(tried).toBe(5);
    expect(said[1]).toMatch(/Job 1_1 ended as FAILED; its output says why/);
    // a worker that has joined shows that it works
    demand = { ...demand, jobs: ['5'] };
    writeFileSync(file('jobs'), '5|5_1|RUNNING|0|10:00|4 chains|None\n');
    await look(3);
    expect(numJobs()).toBe(2);
  });

  it('names the missing program', async () => {
    rmSync(file('squeue'));
    vi.stubEnv('PATH', folder);
    await expect(loop.look()).rejects.toThrow(/squeue was not found/);
  });
});

it('refuses sbatch options that would keep it from finding its jobs again', () => {
  const check = (option: string) => () => checkSlurmOptions([option]);
  for (const fine of ['--partition=low', '-plow', '--time=1:00:00', '--wait-all-nodes=1'])
    expect(check(fine)).not.toThrow();
  for (const own of ['--array=1-3', '-a1-3', '--job-name=x', '-Jx', '--comm=x', '-Mall', '--wait'])
    expect(check(own)).toThrow('--slurm sets it itself');
  expect(check('low')).toThrow('takes one option of sbatch');
});
