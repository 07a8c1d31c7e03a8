/**
 * Stops the embedded PostgreSQL when all processes that use it have ended, however they ended: a shell in a separate
 * session waits for the end of its input, which the system closes with the last process that has the other end open.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { Identity } from './identity.ts';
import type { Place } from './place.ts';

export interface PostgresGuard {
  readonly pid: number;
  /** PostgreSQL runs for as long as a process has this open; children inherit it. */
  readonly lifeline: Writable;
  /** PostgreSQL is starting and may not have written its pid file yet: a busy machine may need some time. */
  noteStart(): void;
  /** The process that is starting: only this one is stopped, though a later start may write the file meanwhile. */
  noteProcess(pid: number): void;
  /** PostgreSQL is running, or failed to start. */
  noteStarted(): void;
  /** PostgreSQL was shut down in order: nothing is left to guard. */
  release(): void;
}

/** $1: the cluster. A PostgreSQL that is just starting may not have written its file yet. */
const SCRIPT = `
last=
while read -r line; do last=$line; done
case "$last" in
  'process '*) pid=\${last#process } ;;
  *)
    n=0
    most=20
    [ "$last" = starting ] && most=300
    while [ ! -s "$1/postmaster.pid" ] && [ "$n" -lt "$most" ]; do sleep 0.1; n=$((n + 1)); done
    read -r pid < "$1/postmaster.pid" || exit 0
    ;;
esac
command_of() {
  if [ -d /proc/self ]; then tr '\\0' ' ' < "/proc/$pid/cmdline"; else ps -o command= -p "$pid"; fi
}
is_ours() { command_of 2>/dev/null | grep -qF -- "$1"; }
for signal in INT QUIT KILL; do
  is_ours "$1" || exit 0
  kill -s "$signal" "$pid"
  n=0
  while [ "$n" -lt 200 ] && is_ours "$1"; do sleep 0.1; n=$((n + 1)); done
done
`;

/** Null if there is no shell for it: PostgreSQL then stops only when the service shuts down cleanly. */
export function startGuard(place: Place, identity: Identity): PostgresGuard | null {
  if (process.platform === 'win32') return null;
  const child: ChildProcess = spawn(
    '/bin/sh',
    ['-c', SCRIPT, 'ergodic-postgres-guard', place.cluster],
    {
      cwd: place.home,
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      // Neither Ctrl-C nor closing the terminal reaches it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      ...identity.drop,
    },
  );
  child.on('error', () => {});
  const { pid, stdin: lifeline } = child;
  if (pid === undefined || lifeline === null) return null;
  lifeline.on('error', () => {});
  // It does not prevent this process from exiting.
  child.unref();
  (lifeline as unknown as { unref(): void }).unref();
  return {
    pid,
    lifeline,
    noteStart: () => lifeline.write('starting\n'),
    noteProcess: (started) => lifeline.write(`process ${started}\n`),
    noteStarted: () => lifeline.write('started\n'),
    release() {
      child.kill('SIGKILL');
      lifeline.destroy();
    },
  };
}
