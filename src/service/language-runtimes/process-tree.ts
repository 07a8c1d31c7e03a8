/** What a process and all its descendants use in total, read from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

export interface TreeUse {
  readonly processes: number;
  /** Resident memory; shared pages count once per process. */
  readonly bytes: number;
}

const PAGE = 4096;

/** Zeros if there is no /proc. */
export function measureTree(root: number): TreeUse {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return { processes: 0, bytes: 0 };
  }
  const children = new Map<number, number[]>();
  const pages = new Map<number, number>();
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    const fields = readStat(name);
    if (fields === null) continue;
    const pid = Number(name);
    // after the name in brackets: state, parent, …; resident pages are field 22
    const parent = Number(fields[1]);
    pages.set(pid, Number(fields[21]));
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [pid]);
    else siblings.push(pid);
  }
  let processes = 0;
  let resident = 0;
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    if (!pages.has(pid)) continue;
    processes++;
    resident += pages.get(pid) ?? 0;
    open.push(...(children.get(pid) ?? []));
  }
  return { processes, bytes: resident * PAGE };
}

function readStat(pid: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // it has exited in the meantime
    return null;
  }
}
