/**
 * `ergodic worker --slurm` against Debian's Slurm: exactly the jobs that chains need, and a run that survives the end
 * of its jobs with the draws of an undisturbed one. Uses the built command line: needs `npm run build` first.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { leadVersions } from '../../src/service/migrations/handshake.ts';
import { updateDesiredState } from '../../src/service/repositories/chains.ts';
import { inTransaction, selectOne, sql } from '../../src/service/repositories/database.ts';
import { readDraws } from '../../src/service/repositories/draws.ts';
import type { ExperimentRow } from '../../src/service/repositories/experiments.ts';
import { updateQueueShare } from '../../src/service/repositories/run-queue.ts';
import { startRun } from '../../src/service/runs/start-run.ts';
import { addressOf } from '../support/database.ts';
import { testGuests } from '../support/guests.ts';
import { describeWith } from '../support/needs.ts';
import { waitForRun } from '../support/run-waiting.ts';
import { builtCli } from '../support/served.ts';
import { makeWorkflow } from '../support/service-objects.ts';
import { type Slurm, startSlurm } from '../support/slurm.ts';
import { useWorkPlace } from '../support/work-place.ts';

const place = useWorkPlace({ guests: testGuests });
const submitters = new Map<ChildProcess, { said: string; exited: Promise<number | null> }>();
let slurm: Slurm;

const low = '--slurm-option=--partition=low';
vi.setConfig({ testTimeout: 900_000 });
const patience = { timeout: 240_000, interval: 200 };

/** A submitter with two chains per job; `said` is what a user would see of it. */
function submit(...options: string[]) {
  const url = addressOf(place.database.connection);
  const args = ['worker', '--slurm', '--database-url', url, '--files', place.filesDir];
  const idle = ['--workers', '2', '--exit-when-idle', '2', low];
  const child = spawn(process.execPath, [builtCli, ...args, ...idle, ...options], {
    env: { ...process.env, ...slurm.env },
    cwd: slurm.folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const submitter = { child, said: '', exited };
  child.stderr.on('data', (text: Buffer) => {
    submitter.said += String(text);
  });
  submitters.set(child, submitter);
  return submitter;
}

/** Jobs they submitted, according to their output. */
const submitted = (...those: { said: string }[]) =>
  those
    .flatMap(({ said }) => [...said.matchAll(/Submitted array job \d+: (\d+) worker/g)])
    .reduce((sum, [, count]) => sum + Number(count), 0);

async function endSubmitters(): Promise<void> {
  for (const [child, { exited }] of submitters) {
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  }
  submitters.clear();
}

async function order(chains: number, samples: number): Promise<ExperimentRow> {
  const settings = `sampling: {num_chains: ${chains}, num_warmup: 300, num_samples: ${samples}, thin: 20, seed: 5}`;
  const workflow = await makeWorkflow(place.pool, place.user.id, { settings });
  return startRun(place.pool, { workflowId: workflow.id, ownerId: place.user.id });
}

interface Job {
  readonly name: string;
  readonly state: string;
  readonly comment: string;
}

/** All that were ever submitted to `partition`, oldest first: Slurm remembers them for five minutes. */
async function listJobs(partition = 'low'): Promise<Job[]> {
  const format = ['--format=%i|%T|%k', '--sort=i', `--partition=${partition}`];
  const lines = await slurm.command('squeue', '--noheader', '--array', '--states=all', ...format);
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name, state, comment] = line.trim().split('|');
      return { name, state, comment };
    });
}

async function untilJobs(state: string, count: number): Promise<Job[]> {
  return vi.waitFor(async () => {
    const jobs = (await listJobs()).filter((job) => job.state === state);
    expect(jobs).toHaveLength(count);
    return jobs;
  }, patience);
}

const isOver = ({ state }: Job) => !/PENDING|RUNNING|COMPLETING|CONFIGURING/.test(state);
const untilOver = () =>
  vi.waitFor(
    async () => expect((await listJobs()).filter((job) => !isOver(job))).toEqual([]),
    patience,
  );

/** Waits several polls, since submitters check the queue repeatedly. */
async function untilLooks(count: number): Promise<void> {
  const seen = new Set<string>();
  await vi.waitFor(async () => {
    const row = await selectOne<{ at: string }>(
      place.pool,
      sql`select max(heartbeat_at) as at from workers where slots = 0`,
    );
    seen.add(String(row?.at));
    expect(seen.size).toBeGreaterThan(count);
  }, patience);
}

/** A job that takes both nodes, before all others. */
const takeAllNodes = async () =>
  (
    await slurm.command(
      'sbatch',
      '--parsable',
      '--partition=high',
      '--nodes=2',
      '--exclusive',
      '--wrap=sleep 600',
    )
  ).trim();

interface ChainState {
  readonly iteration: number;
  readonly lease: number;
  readonly state: string;
  readonly worker_id: number | null;
}

const chainOf = async ({ id }: ExperimentRow) =>
  (await selectOne<ChainState>(
    place.pool,
    sql`select iteration, lease, state, worker_id from experiment_chains where experiment_id = ${id} and chain = 1`,
  )) as ChainState;

/** Until a worker that took the chain after `lease` has made iterations of its own. */
async function untilGoesOn(run: ExperimentRow, lease: number): Promise<ChainState> {
  let first: ChainState | null = null;
  return vi.waitFor(async () => {
    const chain = await chainOf(run);
    expect(chain.state).toBe('running');
    expect(chain.lease).toBeGreaterThan(lease);
    if (first?.lease !== chain.lease) first = chain;
    expect(chain.iteration).toBeGreaterThan(first.iteration + 1000);
    return chain;
  }, patience);
}

const countWorkers = async () =>
  (
    await selectOne<{ n: number }>(
      place.pool,
      sql`select count(*) as n from workers where job <> ''`,
    )
  )?.n;

const end = (run: ExperimentRow) =>
  inTransaction(place.pool, (tx) => updateDesiredState(tx, run.id, 'stop'));

describeWith('slurm', 'workers in Slurm', () => {
  beforeAll(async () => {
    await leadVersions(place.pool);
    slurm = await startSlurm({
      nodes: 2,
      cpus: 2,
      partitions: [
        'PartitionName=low Nodes=ALL Default=YES PriorityTier=1 GraceTime=3600',
        'PartitionName=high Nodes=ALL PriorityTier=10 PreemptMode=OFF',
      ],
    });
  }, 60_000);
  afterEach(endSubmitters);
  afterAll(() => slurm?.stop(), 60_000);

  it('are array jobs of the requested size, no more than chains need, and end when idle', async () => {
    const one = submit();
    await untilLooks(2);
    expect(await listJobs()).toEqual([]);
    const run = await order(5, 400);
    expect((await waitForRun(place.pool, run.id)).status).toBe('FIN');
    await untilOver();
    await untilLooks(3);
    const jobs = await listJobs();
    expect(jobs.map(({ name, comment }) => [name.replace(/^\d+/, ''), comment])).toEqual([
      ['_1', '2 chains'],
      ['_2', '2 chains'],
      ['_3', '2 chains'],
    ]);
    expect(submitted(one)).toBe(3);
    expect(one.said).toContain('3 workers of 2 chains, with 5 chains waiting');
  });

  it('are cancelled once nothing waits for them, and jobs of other submissions are not', async () => {
    const nodes = await takeAllNodes();
    const other = ['--parsable', '--partition=low', '--job-name=other', '--wrap=true'];
    const foreign = (await slurm.command('sbatch', ...other)).trim();
    const one = submit();
    const run = await order(4, 1e6);
    await untilJobs('PENDING', 3);
    await vi.waitFor(() => expect(one.said).toMatch(/Jobs wait in Slurm: \w+/), patience);
    await end(run);
    const [left] = await untilJobs('PENDING', 1);
    expect(left.name).toBe(foreign);
    await slurm.command('scancel', nodes, foreign);
    await untilOver();
    expect(submitted(one)).toBe(2);
  });

  it('are submitted once by two submitters, up to the chain limit of the user', async () => {
    await updateQueueShare(place.pool, place.user.id, { weight: 1, chain_limit: 3 });
    const both = [submit(), submit()];
    const run = await order(4, 1e6);
    await vi.waitFor(async () => expect((await chainOf(run)).state).toBe('running'), patience);
    await untilLooks(4);
    expect(submitted(...both)).toBe(2);
    await end(run);
    await untilOver();
    await untilLooks(3);
    expect(submitted(...both)).toBe(2);
    await updateQueueShare(place.pool, place.user.id, { weight: 1, chain_limit: null });
  });

  it('pass a run from job to job with the same draws as an undisturbed run', async () => {
    // with a time limit of one minute, of which Slurm gives early notice
    const first = submit('--slurm-option=--time=1', '--slurm-option=--output=job-%A_%a.txt');
    const run = await order(1, 1e8);
    const started = await untilGoesOn(run, 0);
    await endSubmitters();
    expect(first.said).toContain('starting again finds them');

    // its end is near: it gives the chain back with all its draws
    await vi.waitFor(async () => expect((await chainOf(run)).state).toBe('queued'), patience);
    await untilOver();
    const limited = await chainOf(run);
    expect(limited.iteration).toBeGreaterThanOrEqual(started.iteration);
    expect(await countWorkers()).toBe(0);
    expect((await listJobs()).at(-1)?.state).toBe('COMPLETED');

    // preempted: SIGTERM, then an hour until SIGKILL, of which it needs little
    submit();
    const preempted = await untilGoesOn(run, limited.lease);
    const nodes = await takeAllNodes();
    await vi.waitFor(async () => expect((await chainOf(run)).state).toBe('queued'), patience);
    await vi.waitFor(async () => expect(await countWorkers()).toBe(0), patience);
    // another job waits until the nodes are free again
    await untilJobs('PENDING', 1);
    await slurm.command('scancel', nodes);

    // SIGTERM to all its processes, as in a preemption without grace time
    const cancelled = await untilGoesOn(run, preempted.lease);
    const [third] = await untilJobs('RUNNING', 1);
    await slurm.command('scancel', third.name);
    await vi.waitFor(async () => expect(await countWorkers()).toBe(0), patience);

    // immediate SIGKILL, which nothing reports
    const killed = await untilGoesOn(run, cancelled.lease);
    const [fourth] = await untilJobs('RUNNING', 1);
    await slurm.command('scancel', '--signal=KILL', '--full', fourth.name);
    const last = await untilGoesOn(run, killed.lease);
    await end(run);
    await endSubmitters();
    await untilOver();
    expect(last.lease).toBeGreaterThanOrEqual(5);

    const reference = await order(1, 1e8);
    await place.work();
    const { iteration } = await chainOf(run);
    await vi.waitFor(
      async () => expect((await chainOf(reference)).iteration).toBeGreaterThan(iteration),
      patience,
    );
    await end(reference);
    for (const { id } of [run, reference]) await waitForRun(place.pool, id);
    const [ours] = await readDraws(place.pool, { experimentId: run.id });
    const expected = await readDraws(place.pool, { experimentId: reference.id });
    for (const segment of await readDraws(place.pool, { experimentId: run.id })) {
      const other = expected.find(({ variable }) => variable === segment.variable);
      expect(segment.values).toEqual(other?.values.slice(0, segment.values.length));
    }
    expect(ours.values.length).toBeGreaterThan(4 * 50);
  });
});
