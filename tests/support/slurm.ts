/** Slurm on one machine: a controller, nodes that are processes of a test, and munge, with separate ports and folders. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './debian-postgres.mjs';

/** Debian installs the daemons outside the PATH of normal users. */
const programs = `${process.env.PATH}:/usr/sbin:/sbin`;

export interface SlurmOptions {
  readonly nodes: number;
  readonly cpus: number;
  /** Lines of slurm.conf for the partitions. */
  readonly partitions: readonly string[];
}

export interface Slurm {
  /** Lets the commands find it; also a place where a test's jobs may write. */
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Runs a Slurm command and returns its output. */
  command(program: string, ...args: readonly string[]): Promise<string>;
  /** Stops all jobs, then all processes, and removes the folder. */
  stop(): Promise<void>;
}

/** Run as the user who runs the tests, so that user owns the jobs too. */
function configure(folder: string, ports: readonly number[], options: SlurmOptions): string {
  const host = os.hostname().split('.')[0];
  const [controller, ...nodes] = ports;
  const user = os.userInfo().username;
  const { cpus } = options;
  return `ClusterName=ergodic
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${controller}
SlurmUser=${user}
SlurmdUser=${user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=${folder}/munge/socket
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool-%n
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd-%n.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd-%n.log
SwitchType=switch/none
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0,sched_min_interval=0
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
KillWait=10
ReturnToService=2
SlurmdParameters=config_overrides
${nodes.map((port, i) => `NodeName=n${i + 1} NodeAddr=127.0.0.1 NodeHostname=${host} Port=${port} CPUs=${cpus} RealMemory=64000`).join('\n')}
${options.partitions.join('\n')}
`;
}

export async function startSlurm(options: SlurmOptions): Promise<Slurm> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-slurm-'));
  const started: ChildProcess[] = [];
  const env = { SLURM_CONF: path.join(folder, 'slurm.conf'), PATH: programs };
  const start = (program: string, ...args: string[]) => {
    const log = fs.openSync(path.join(folder, `${program}.out`), 'a');
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log],
    });
    fs.closeSync(log);
    started.push(child);
  };
  const command: Slurm['command'] = async (program, ...args) => {
    const all = { ...process.env, ...env };
    return (await promisify(execFile)(program, [...args], { cwd: folder, env: all })).stdout;
  };
  const stop = async () => {
    await command('scancel', '--user', os.userInfo().username).catch(() => {});
    await until(async () => (await command('squeue', '--noheader')) === '').catch(() => {});
    // dependents before what they need
    for (const child of started.reverse()) await end(child);
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  try {
    const munge = path.join(folder, 'munge');
    fs.mkdirSync(munge, { mode: 0o700 });
    fs.mkdirSync(path.join(folder, 'state'));
    fs.writeFileSync(path.join(munge, 'key'), randomBytes(1024), { mode: 0o400 });
    const ports: number[] = [];
    while (ports.length <= options.nodes) {
      const port = await freePort();
      if (!ports.includes(port)) ports.push(port);
    }
    fs.writeFileSync(env.SLURM_CONF, configure(folder, ports, options));
    const files = ['key', 'pid', 'seed', 'log'].map((name) => `--${name}-file=${munge}/${name}`);
    start('munged', '--foreground', '--force', `--socket=${munge}/socket`, ...files);
    await until(async () => fs.existsSync(path.join(munge, 'socket')));
    start('slurmctld', '-D', '-c');
    for (let i = 1; i <= options.nodes; i++) start('slurmd', '-D', '-N', `n${i}`);
    await until(async () => {
      const states = await command('sinfo', '--noheader', '--Node', '--format=%T').catch(() => '');
      return states !== '' && !/[^idle\n]/.test(states);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { env, folder, command, stop };
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** Gives up after half a minute, when waiting longer is pointless. */
async function until(isReached: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 300; i++) {
    if (await isReached()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('Slurm did not get there in half a minute');
}
