/** A service's resource usage, read from /proc and its folder, and whether a series of figures grows. */
import fs from 'node:fs';
import path from 'node:path';
import { descendants } from '../support/processes.ts';

export interface Usage {
  /** Of the Node.js processes. */
  readonly memoryMiB: number;
  /** Open files and sockets of the Node.js processes. */
  readonly handles: number;
  /** Node.js and PostgreSQL. */
  readonly processes: number;
  /** The data folder without what has its own size limit: PostgreSQL's write-ahead log, the reserve. */
  readonly diskMiB: number;
}

export function measureUsage(pid: number, dataDir: string): Usage {
  const family = [pid, ...descendants(pid)];
  const nodes = family.filter((one) => read(`/proc/${one}/cmdline`).startsWith(process.execPath));
  return {
    memoryMiB: sum(nodes.map(memoryOf)) / 1024,
    handles: sum(nodes.map((one) => entriesOf(`/proc/${one}/fd`))),
    processes: family.length,
    diskMiB: folderBytes(dataDir) / 2 ** 20,
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const read = (file: string) => attempt(() => fs.readFileSync(file, 'utf8'), '');
const entriesOf = (folder: string) => attempt(() => fs.readdirSync(folder).length, 0);
/** kB of private memory, since several processes share the program's pages. */
const memoryOf = (pid: number) =>
  Number(/^RssAnon:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);

function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

function folderBytes(folder: string): number {
  return sum(
    attempt(() => fs.readdirSync(folder, { withFileTypes: true }), []).map((entry) => {
      const at = path.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'pg_wal' ? 0 : folderBytes(at);
      // space reserved for a full disk
      if (entry.name.startsWith('reserve')) return 0;
      return attempt(() => fs.lstatSync(at).blocks * 512, 0);
    }),
  );
}

/** `part` 0.99: what 99 of 100 do not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** Growth per step of a series by least squares, if it is above `bound` beyond two standard errors; else null. */
export function surelyGrows(values: readonly number[], bound: number): number | null {
  const n = values.length;
  if (n < 3) return null;
  const middle = (n - 1) / 2;
  const mean = sum(values) / n;
  const spread = sum(values.map((_, i) => (i - middle) ** 2));
  const growth = sum(values.map((value, i) => (i - middle) * (value - mean))) / spread;
  const rest = sum(values.map((value, i) => (value - mean - growth * (i - middle)) ** 2));
  return growth - 2 * Math.sqrt(rest / (n - 2) / spread) > bound ? growth : null;
}

/** Rows of equal columns, the first one holding the headers. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join('  '),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
