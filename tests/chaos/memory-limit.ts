/** Limits one process's memory: with a control group if this user may create one, else by its address space. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

export interface MemoryLimit {
  lift(): void;
}

/** A control group (version 1 or 2); null if none can be created. */
function makeGroup(name: string, bytes: number): string | null {
  for (const [root, file] of [
    ['/sys/fs/cgroup', 'memory.max'],
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
  ]) {
    const group = `${root}/${name}`;
    try {
      fs.mkdirSync(group);
    } catch {
      continue;
    }
    try {
      fs.writeFileSync(`${group}/${file}`, String(bytes));
      return group;
    } catch {
      fs.rmdirSync(group);
    }
  }
  return null;
}

/** Lets `pid` use about `moreMiB` more than it has now. */
export function limitMemory(pid: number, moreMiB: number): MemoryLimit {
  const bytes = moreMiB * 2 ** 20;
  const group = makeGroup(`ergodic-chaos-${process.pid}-${pid}`, bytes);
  if (group === null) return limitAddresses(pid, bytes);
  const before = fs.readFileSync(`/proc/${pid}/cgroup`, 'utf8');
  fs.writeFileSync(`${group}/cgroup.procs`, String(pid));
  return {
    lift() {
      const home = homeOf(group, before);
      for (const left of fs.readFileSync(`${group}/cgroup.procs`, 'utf8').split('\n')) {
        try {
          if (left !== '') fs.writeFileSync(`${home}/cgroup.procs`, left);
        } catch {
          // It has ended.
        }
      }
      removeGroup(group);
    },
  };
}

function homeOf(group: string, before: string): string {
  const isFirst = group.startsWith('/sys/fs/cgroup/memory/');
  const line = before
    .split('\n')
    .find((one) => (isFirst ? one.includes(':memory:') : one.startsWith('0::')));
  const home = `${isFirst ? '/sys/fs/cgroup/memory' : '/sys/fs/cgroup'}${line?.split(':')[2] ?? '/'}`;
  return fs.existsSync(home) ? home : isFirst ? '/sys/fs/cgroup/memory' : '/sys/fs/cgroup';
}

function removeGroup(group: string): void {
  try {
    fs.rmdirSync(group);
  } catch {
    // A process that is just ending still uses the group; it costs nothing and is gone after a reboot.
  }
}

function limitAddresses(pid: number, bytes: number): MemoryLimit {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  const now = Number(/^VmSize:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
  const set = (limit: string) =>
    execFileSync('prlimit', ['--pid', String(pid), `--as=${limit}`], { stdio: 'ignore' });
  set(`${now + bytes}:`);
  return {
    lift() {
      try {
        set('unlimited:');
      } catch {
        // It has ended.
      }
    },
  };
}
