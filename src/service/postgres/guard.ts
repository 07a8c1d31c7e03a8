/**
 * Stops the embedded PostgreSQL when nobody is left for whom it runs, however they ended: a shell in a session of its
 * own waits for the end of its input, which the system closes with the last process that holds the other end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { Identity } from './identity.ts';
import type { Place } from './place.ts';

export interface PostgresGuard {
  readonly pid: number;
  /** PostgreSQL runs for as long as a process holds this open; children get it among their files. */
  readonly lifeline: Writable;
  /** PostgreSQL is being started, and may not have said where it is yet: on a busy machine that takes its time. */
  noteStart(): void;
  /** The process that is being started: no other is stopped, though a later start may write the file meanwhile. */
  noteProcess(pid: number): void;
  /** It runs, or does not start. */
  noteStarted(): void;
  /** PostgreSQL was stopped in order: there is nothing left to guard. */
  release(): void;
}

/** $1: the cluster. One that was just started may not have written its file yet. */
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

/** Null where there is no shell for it: PostgreSQL then stops only when the service shuts down cleanly. */
export function startGuard(place: Place, identity: Identity): PostgresGuard | null {
  if (process.platform === 'win32') return null;
  const child: ChildProcess = spawn(
    '/bin/sh',
    ['-c', SCRIPT, 'ergodic-postgres-guard', place.cluster],
    {
      cwd: place.home,
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      // Neither Ctrl-C nor the end of the terminal reaches it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      ...identity.drop,
    },
  );
  child.on('error', () => {});
  const { pid, stdin: lifeline } = child;
  if (pid === undefined || lifeline === null) return null;
  lifeline.on('error', () => {});
  // It keeps none of its holders from ending.
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
