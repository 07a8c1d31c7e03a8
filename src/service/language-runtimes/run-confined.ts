/** Runs one program in another language in a sandbox, with limits on time, memory, processes and output. */

import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import rClient from '../../../clients/r/ergodic.R?raw';
import type { ModelFile } from '../../formats/model-tree.ts';
import pythonClient from '../../formats/package-files/ergodic.py?raw';
import { splitPath } from '../../formats/path-segment.ts';
import { unpackTar } from '../../formats/tar.ts';
import { ownValue } from '../../shared/items.ts';
import type { Confinement } from './confinement.ts';
import { type LaunchPlan, launcherScript } from './launcher-script.ts';
import { measureTree } from './process-tree.ts';
import { bwrapArguments, chooseUser, etcTexts, inside } from './sandbox.ts';
import { openServiceRelay } from './service-relay.ts';
import { systemCallFilter } from './system-calls.ts';

/** Modules that every program of another language finds in its sandbox, by path in the library folder. */
const libraryFiles: Readonly<Record<string, string>> = {
  'ergodic.py': pythonClient,
  'ergodic.R': rClient,
};

export interface ConfinedLimits {
  /** Wall clock. */
  readonly milliseconds: number;
  /** Resident memory of all its processes together. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** Total size of the files it writes (in memory). */
  readonly diskBytes: number;
  /** Total size of its output files. */
  readonly outputBytes: number;
  /** Limit for stdout and for stderr; the beginning of each is stored. */
  readonly textBytes: number;
}

export type TextStream = 'stdout' | 'stderr';

export interface ConfinedWork {
  /** Bytes by path, laid out in the working folder. Paths are checked. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Program and arguments. An interpreter is found by its name (`python3`, `julia`, `Rscript`); see `runtimes`. */
  readonly argv: readonly string[];
  /** Relative to the working folder. */
  readonly cwd?: string;
  /** Its entire environment, apart from PATH, HOME, TMPDIR, LANG and ERGODIC_OUTPUT_DIR. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly limits: ConfinedLimits;
  /** The only address it can reach, `http://host:port`; passed as ERGODIC_SERVER_ENDPOINT. Absent: none. */
  readonly service?: string;
  /** Receives output as it arrives; the stream waits for the returned promise. */
  readonly onText?: (stream: TextStream, text: string) => void | Promise<void>;
  /** When aborted, the program is asked to stop, and killed if it does not. */
  readonly signal?: AbortSignal;
}

export interface ConfinedEnd {
  /** 128 and above: ended by a signal. */
  readonly exitCode: number;
  /** Why it ended: by itself, or because it reached a limit or was stopped. */
  readonly why: 'exit' | 'time' | 'memory' | 'processes' | 'stop';
  readonly stdout: string;
  readonly stderr: string;
  /** The files it left in ERGODIC_OUTPUT_DIR. */
  readonly outputs: readonly ModelFile[];
  readonly milliseconds: number;
}

/** Time between asking the program to stop and killing it. */
const GRACE_MS = 2000;
const WATCH_MS = 200;
/** Address space in addition to resident memory: libraries, thread stacks, what allocators reserve. */
const SPARE_ADDRESSES = 2 ** 30;

/** Throws when the sandbox itself cannot be built: then the machine is at fault, not the program. */
export async function runConfined(
  confinement: Confinement,
  work: ConfinedWork,
): Promise<ConfinedEnd> {
  const user = confinement.isSandboxed ? chooseUser() : {};
  checkNames(work.files);
  const folder = layOut(work.files, user);
  const relay =
    work.service === undefined ? null : await openServiceRelay(folder, work.service, user);
  try {
    const child = start(confinement, work, { folder, user });
    return await watch(child, work, confinement.isSandboxed);
  } finally {
    relay?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Owner = ReturnType<typeof chooseUser>;

function checkNames(files: ReadonlyMap<string, unknown>): void {
  for (const name of files.keys()) {
    const segments = splitPath(name);
    if (!segments.ok) throw new Error(`a program's file has an invalid name: ${segments.error}`);
  }
}

/** A private folder that only the user who runs the program can read. */
function layOut(files: ReadonlyMap<string, Uint8Array>, user: Owner): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ergodic-run-'));
  const write = (place: string, content: string | Uint8Array) => {
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, content);
  };
  mkdirSync(path.join(folder, 'source'));
  for (const [name, bytes] of files) write(path.join(folder, 'source', ...name.split('/')), bytes);
  for (const [name, text] of Object.entries(libraryFiles))
    write(path.join(folder, 'library', name), text);
  for (const [name, text] of Object.entries(etcTexts)) write(path.join(folder, 'etc', name), text);
  write(path.join(folder, 'launcher.py'), launcherScript);
  const filter = systemCallFilter();
  if (filter !== null) write(path.join(folder, filterFile), filter);
  mkdirSync(path.join(folder, 'work'));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  return folder;
}

const filterFile = 'system-calls';
/** The next descriptor after input, outputs, control and output files. */
const filterDescriptor = 5;

interface Room {
  readonly folder: string;
  readonly user: Owner;
}

function start(confinement: Confinement, work: ConfinedWork, { folder, user }: Room): ChildProcess {
  const { isSandboxed, python } = confinement;
  const plan = JSON.stringify(planOf(confinement, work, folder));
  const launcher = isSandboxed ? inside.launcher : path.join(folder, 'launcher.py');
  const launch = ['-I', launcher, plan];
  const filter = path.join(folder, filterFile);
  const descriptor = isSandboxed && existsSync(filter) ? openSync(filter, 'r') : null;
  const sandbox = {
    folder,
    filterDescriptor: descriptor === null ? null : filterDescriptor,
    hasService: work.service !== undefined,
    diskBytes: work.limits.diskBytes,
    installations: confinement.installations,
  };
  const command = isSandboxed ? confinement.bwrap : python;
  const args = isSandboxed ? [...bwrapArguments(sandbox), '--', python, ...launch] : launch;
  try {
    return spawn(command, args, {
      env: {},
      cwd: '/',
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', ...(descriptor === null ? [] : [descriptor])],
      // outside a sandbox it needs its own process group, so that all its processes can be ended
      detached: !isSandboxed,
      ...user,
    });
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function planOf(confinement: Confinement, work: ConfinedWork, folder: string): LaunchPlan {
  const { isSandboxed } = confinement;
  const { limits } = work;
  const home = isSandboxed ? inside.work : path.join(folder, 'work');
  const outputs = path.join(home, 'output');
  const [program = '', ...args] = work.argv;
  const library = isSandboxed ? inside.library : path.join(folder, 'library');
  const endpoint = isSandboxed ? `http://127.0.0.1:${inside.port}` : work.service;
  return {
    argv: [programPlace(confinement, program), ...args],
    cwd: path.join(home, work.cwd ?? ''),
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: home,
      TMPDIR: isSandboxed ? '/tmp' : home,
      LANG: 'C.UTF-8',
      PYTHONPATH: library,
      PYTHONDONTWRITEBYTECODE: '1',
      ...(program === 'Rscript' ? { ERGODIC_R: path.join(library, 'ergodic.R') } : {}),
      ...work.env,
      ERGODIC_OUTPUT_DIR: outputs,
      ...(work.service === undefined ? {} : { ERGODIC_SERVER_ENDPOINT: endpoint as string }),
    },
    source: isSandboxed ? inside.source : path.join(folder, 'source'),
    folder: home,
    outputs,
    outputBytes: limits.outputBytes,
    relay:
      isSandboxed && work.service !== undefined
        ? { port: inside.port, socket: inside.socket }
        : null,
    limits: {
      memory: limits.memoryBytes + SPARE_ADDRESSES,
      cpu: Math.ceil(limits.milliseconds / 1000) * os.availableParallelism() + 1,
      file: limits.diskBytes,
      // outside a sandbox, all processes of our own user would count
      processes: isSandboxed ? limits.processes : null,
      descriptors: 1024,
    },
  };
}

/** Absolute path of an interpreter that is known by name; other programs unchanged. */
function programPlace({ interpreters }: Confinement, program: string): string {
  return ownValue(interpreters, program) ?? program;
}

async function watch(
  child: ChildProcess,
  work: ConfinedWork,
  isSandboxed: boolean,
): Promise<ConfinedEnd> {
  const { limits, signal, onText } = work;
  const since = performance.now();
  let why: ConfinedEnd['why'] = 'exit';
  let killer: NodeJS.Timeout | undefined;
  const [stdin, stdout, stderr, control, outputs] = child.stdio as [
    Writable,
    Readable,
    Readable,
    Writable,
    Readable,
  ];
  for (const pipe of child.stdio) pipe?.on('error', () => {});
  const kill = () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    if (isSandboxed) child.kill('SIGKILL');
    // no init process takes the others with it: the launcher ends the group when this pipe closes
    else control.destroy();
  };
  const ask = (reason: ConfinedEnd['why']) => {
    if (why !== 'exit') return;
    why = reason;
    control.write('.');
    killer = setTimeout(kill, GRACE_MS);
  };
  const gone = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.once('exit', (code, end) =>
      resolve(code ?? 128 + (os.constants.signals[end ?? 'SIGKILL'] ?? 9)),
    );
  });
  const timer = setTimeout(() => ask('time'), limits.milliseconds);
  const watcher = setInterval(() => {
    const use = measureTree(child.pid ?? 0);
    const over =
      use.bytes > limits.memoryBytes
        ? 'memory'
        : use.processes > limits.processes
          ? 'processes'
          : null;
    if (over === null || why !== 'exit') return;
    why = over;
    kill();
  }, WATCH_MS);
  const stop = () => ask('stop');
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  stdin.end(work.stdin ?? '');
  try {
    const texts = Promise.all([
      readText(stdout, limits.textBytes, (text) => onText?.('stdout', text)),
      readText(stderr, limits.textBytes, (text) => onText?.('stderr', text)),
      readAll(outputs, limits.outputBytes + SPARE_OUTPUT),
    ]);
    texts.catch(() => kill());
    const exitCode = await gone;
    const [out, err, archive] = await texts;
    const unpacked = archive.length === 0 ? null : unpackTar(archive);
    return {
      exitCode,
      why,
      stdout: out,
      stderr: err,
      outputs: unpacked?.ok === true ? unpacked.value.files : [],
      milliseconds: performance.now() - since,
    };
  } finally {
    kill();
    clearTimeout(timer);
    clearTimeout(killer);
    clearInterval(watcher);
    signal?.removeEventListener('abort', stop);
    for (const pipe of child.stdio) pipe?.destroy();
  }
}

/** Space for the headers of an archive with many small files. */
const SPARE_OUTPUT = 4 * 2 ** 20;

async function readText(
  stream: Readable,
  most: number,
  onText: (text: string) => void | Promise<void>,
): Promise<string> {
  const decoder = new TextDecoder();
  let kept = '';
  for await (const chunk of stream) {
    const text = decoder.decode(chunk as Buffer, { stream: true });
    if (kept.length < most) kept += text.slice(0, most - kept.length);
    await onText(text);
  }
  return kept;
}

/** Reads to the end, since a full pipe would block the program; discards output that is too large. */
async function readAll(stream: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += (chunk as Buffer).length;
    if (size <= most) chunks.push(chunk as Buffer);
  }
  return size <= most ? Buffer.concat(chunks) : Buffer.alloc(0);
}
