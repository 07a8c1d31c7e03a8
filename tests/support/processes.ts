/** Processes of a served data folder, found in /proc: Linux only. */
import fs from 'node:fs';
import { createPauses } from './pauses.ts';

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function listProcesses(): ProcessEntry[] {
  return fs
    .readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        const stat = fs.readFileSync(`/proc/${entry}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z') return [];
        const command = fs.readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(entry), parent: Number(parent), command }];
      } catch {
        // It has ended in the meantime.
        return [];
      }
    });
}

function descendantsIn(all: readonly ProcessEntry[], pid: number): ProcessEntry[] {
  const family = new Set([pid]);
  // Children follow their parents in the list only by chance: repeat until nothing is added.
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const entry of all) if (family.has(entry.parent)) family.add(entry.pid);
  }
  return all.filter((entry) => entry.pid !== pid && family.has(entry.pid));
}

/** Children of `pid`, their children, and so on. */
export function descendants(pid: number): number[] {
  return descendantsIn(listProcesses(), pid).map((entry) => entry.pid);
}

/** The descendant of `pid` that runs `program`, or null. */
export function findDescendant(pid: number, program: string): number | null {
  const found = descendantsIn(listProcesses(), pid).find((entry) =>
    entry.command.includes(program),
  );
  return found?.pid ?? null;
}

export function descendantOf(pid: number, program: string): number {
  const found = findDescendant(pid, program);
  if (found === null) throw new Error(`process ${pid} has no descendant ${program}`);
  return found;
}

/** Commands of live processes with `mark` (a folder) in their arguments, environment or working folder. */
export function processesOf(mark: string): string[] {
  return listProcesses()
    .filter(({ pid, command }) => command.includes(mark) || isAt(pid, mark))
    .filter(({ pid }) => pid !== process.pid)
    .map(({ pid, command }) => `${pid} ${command}`);
}

function isAt(pid: number, mark: string): boolean {
  try {
    if (fs.readlinkSync(`/proc/${pid}/cwd`).includes(mark)) return true;
    return fs.readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
  } catch {
    return false;
  }
}

/** Waits until no process with `mark` is left; only the test's time limit applies. */
export async function untilNoProcessOf(mark: string): Promise<void> {
  const pause = createPauses();
  while (processesOf(mark).length > 0) await pause();
}
