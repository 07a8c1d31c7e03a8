/** The sandbox: arguments for bubblewrap, and the user under which a program runs. */
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Paths as the program sees them. */
export const inside = {
  /** The program's own writable folder, in memory. */
  work: '/work',
  /** The program's files as given, read-only. */
  source: '/run/ergodic/source',
  launcher: '/run/ergodic/launcher.py',
  /** Modules that every program may use. */
  library: '/run/ergodic/library',
  socket: '/run/ergodic/service.sock',
  /** Where the service answers. */
  port: 8650,
} as const;

export interface Sandbox {
  /** Folder outside with `source/`, `etc/`, `library/`, `launcher.py`, and `service.sock` if there is one. */
  readonly folder: string;
  readonly hasService: boolean;
  /** Limit on the bytes of the files it writes. */
  readonly diskBytes: number;
  /** Installations outside /usr that it may read. */
  readonly installations: readonly string[];
  /** Descriptor of the system call filter; null: the system call numbers of this machine are not known. */
  readonly filterDescriptor: number | null;
}

/**
 * Separate namespaces for everything, so it sees no other process and no network except its own loopback, and has no
 * rights beyond its own files. Of the machine it sees /usr, the libraries, and a few files in /etc. Its folders are in
 * memory and disappear with it. It is killed when we exit.
 */
export function bwrapArguments({
  folder,
  hasService,
  diskBytes,
  installations,
  filterDescriptor,
}: Sandbox): string[] {
  const size = (share: number) => String(Math.max(2 ** 20, Math.floor(diskBytes * share)));
  return [
    ['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts'],
    [
      '--unshare-cgroup-try',
      '--disable-userns',
      '--die-with-parent',
      '--new-session',
      '--clearenv',
    ],
    ['--cap-drop', 'ALL', '--uid', '1000', '--gid', '1000', '--hostname', 'ergodic'],
    filterDescriptor === null ? [] : ['--seccomp', String(filterDescriptor)],
    ...systemFolders(),
    ...hiddenFolders.filter(isFolder).map((place) => ['--tmpfs', place]),
    ...installations.map((place) => ['--ro-bind', place, place]),
    ...etcFiles.map((file) => ['--ro-bind-try', `/etc/${file}`, `/etc/${file}`]),
    ['--ro-bind', path.join(folder, 'etc', 'passwd'), '/etc/passwd'],
    ['--ro-bind', path.join(folder, 'etc', 'group'), '/etc/group'],
    ['--ro-bind', path.join(folder, 'etc', 'hosts'), '/etc/hosts'],
    ['--proc', '/proc', '--dev', '/dev'],
    ...hiddenFiles.filter(existsSync).map((file) => ['--ro-bind', '/dev/null', file]),
    // for devices only: the folder itself could otherwise be filled without limit
    ['--size', size(0.1), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ['--size', size(0.2), '--tmpfs', '/tmp', '--size', size(0.7), '--tmpfs', inside.work],
    ['--ro-bind', path.join(folder, 'source'), inside.source],
    ['--ro-bind', path.join(folder, 'library'), inside.library],
    ['--ro-bind', path.join(folder, 'launcher.py'), inside.launcher],
    hasService ? ['--ro-bind', path.join(folder, 'service.sock'), inside.socket] : [],
    ['--remount-ro', '/', '--chdir', inside.work],
  ].flat();
}

/** Files that interpreters read at startup. No resolver, certificates or users. */
const etcFiles = [
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'alternatives',
  'localtime',
  'R',
  'fonts',
  'mime.types',
];

/** Parts of /usr that no program needs to run and that may identify the machine. */
const hiddenFolders = [
  '/usr/games',
  '/usr/local/src',
  '/usr/src',
  '/usr/share/doc',
  '/usr/share/man',
];
/** What the kernel reveals about the machine, its startup and its other users. */
const hiddenFiles = [
  '/proc/cmdline',
  '/proc/config.gz',
  '/proc/kallsyms',
  '/proc/key-users',
  '/proc/keys',
  '/proc/modules',
  '/proc/partitions',
  '/proc/timer_list',
];

const isFolder = (place: string) =>
  lstatSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** /usr, and the folders next to it or links into it. */
function systemFolders(): string[][] {
  const beside = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
  const found = beside.filter((place) => existsSync(place));
  return [
    ['--ro-bind', '/usr', '/usr'],
    ...found.map((place) =>
      lstatSync(place).isSymbolicLink()
        ? ['--symlink', readlinkSync(place), place]
        : ['--ro-bind', place, place],
    ),
  ];
}

export const etcTexts: Readonly<Record<string, string>> = {
  passwd: 'ergodic:x:1000:1000::/work:/bin/sh\n',
  group: 'ergodic:x:1000:\n',
  hosts: '127.0.0.1 localhost\n',
};

/** User ids that no distribution assigns to people or services. */
const firstUser = 61_184;
const users = 4000;
let next = process.pid % users;

/**
 * The user of a sandbox. For root: a user that owns nothing, different each time, so that even an escape gains nothing
 * and the process limit counts this program alone. Otherwise: ourselves.
 */
export function chooseUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  next = (next + 1) % users;
  return { uid: firstUser + next, gid: firstUser + next };
}
