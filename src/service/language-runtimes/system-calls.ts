/**
 * The system calls that a confined program may make, as a kernel filter (seccomp, classic BPF). It refuses calls that
 * no interpreter needs and that many escapes used: mounting, namespaces, other processes' memory,
 * kernel modules and keys, tracing, io_uring, and sockets of unusual families.
 *
 * Numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux.
 */

interface Architecture {
  /** AUDIT_ARCH of linux/audit.h. */
  readonly audit: number;
  /** First number of an alternative ABI (x32); null: there is none. */
  readonly otherCalls: number | null;
  readonly clone: number;
  readonly ioctl: number;
  readonly socket: number;
  /** In groups, as named in the comments. */
  readonly refused: readonly (readonly number[])[];
}

/** Calls newer than both tables have the same number everywhere. */
const refusedEverywhere: readonly (readonly number[])[] = [
  // io_uring
  [425, 426, 427],
  // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick
  [428, 429, 430, 431, 432, 433],
  // pidfd_getfd, process_madvise, mount_setattr, quotactl_fd
  [438, 440, 442, 443],
];
/** Its flags are in memory, where a filter cannot look: programs fall back to clone. */
const clone3 = 435;

const architectures: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    otherCalls: 0x40000000,
    clone: 56,
    ioctl: 16,
    socket: 41,
    refused: [
      // ptrace, syslog, uselib, vhangup, modify_ldt, pivot_root, _sysctl, adjtimex, chroot, acct, settimeofday
      [101, 103, 134, 153, 154, 155, 156, 159, 161, 163, 164],
      // mount, umount2, swapon, swapoff, reboot, sethostname, setdomainname, iopl, ioperm
      [165, 166, 167, 168, 169, 170, 171, 172, 173],
      // kernel modules, quotactl, nfsservctl
      [174, 175, 176, 177, 178, 179, 180],
      // lookup_dcookie, clock_settime, kexec_load, add_key, request_key, keyctl, unshare
      [212, 227, 246, 248, 249, 250, 272],
      // perf_event_open, fanotify_init, file handles, clock_adjtime, setns, memory of others, kcmp, finit_module
      [298, 300, 303, 304, 305, 308, 310, 311, 312, 313],
      // kexec_file_load, bpf, userfaultfd
      [320, 321, 323],
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    otherCalls: null,
    clone: 220,
    ioctl: 29,
    socket: 198,
    refused: [
      // lookup_dcookie, umount2, mount, pivot_root, nfsservctl, chroot, vhangup, quotactl, acct, unshare
      [18, 39, 40, 41, 42, 51, 58, 60, 89, 97],
      // kexec_load, init_module, delete_module, clock_settime, syslog, ptrace, reboot, sethostname, setdomainname
      [104, 105, 106, 112, 116, 117, 142, 161, 162],
      // settimeofday, adjtimex, add_key, request_key, keyctl, swapon, swapoff, perf_event_open, fanotify_init
      [170, 171, 217, 218, 219, 224, 225, 241, 262],
      // file handles, clock_adjtime, setns, memory of others, kcmp, finit_module, bpf, userfaultfd, kexec_file_load
      [264, 265, 266, 268, 270, 271, 272, 273, 280, 282, 294],
    ],
  },
};

/** CLONE_NEW…: all namespaces. */
const newNamespaces = 0x7e020000;
/** TIOCSTI and TIOCLINUX put text into a terminal as if it were typed. */
const typing = [0x5412, 0x541c];
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. */
const families = [1, 2, 10, 16];

const errno = (number: number) => 0x00050000 + number;
const refuse = errno(1);
const unknownCall = errno(38);
const unknownFamily = errno(97);
const allow = 0x7fff0000;
const endProcess = 0x80000000;

/** Offsets in struct seccomp_data; arguments have 64 bits, of which the low half is checked. */
const at = { call: 0, architecture: 4, first: 16, second: 24 };

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];
const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const answer = (value: number): Instruction => [0x06, 0, 0, value];
/** Skips this many instructions. */
const isEqual = (value: number, ifTrue: number, ifFalse: number): Instruction => [
  0x15,
  ifTrue,
  ifFalse,
  value,
];
const hasAny = (bits: number, ifTrue: number, ifFalse: number): Instruction => [
  0x45,
  ifTrue,
  ifFalse,
  bits,
];
const isFrom = (low: number, ifTrue: number, ifFalse: number): Instruction => [
  0x35,
  ifTrue,
  ifFalse,
  low,
];

const whenCall = (number: number, then: readonly Instruction[]): Instruction[] => [
  isEqual(number, 0, then.length),
  ...then,
];

/** Checks an argument of one call; the call's number is loaded again for the checks that follow. */
const whenArgument = (
  call: number,
  offset: number,
  checks: readonly Instruction[],
): Instruction[] => whenCall(call, [load(offset), ...checks, load(at.call)]);

/** The filter in the form `bwrap --seccomp` reads; null on an architecture whose numbers are not known here. */
export function systemCallFilter(architecture: string = process.arch): Buffer | null {
  const known = architectures[architecture];
  if (known === undefined) return null;
  const { audit, otherCalls, clone, ioctl, socket, refused } = known;
  const program: Instruction[] = [
    load(at.architecture),
    isEqual(audit, 1, 0),
    answer(endProcess),
    load(at.call),
    ...(otherCalls === null ? [] : [isFrom(otherCalls, 0, 1), answer(endProcess)]),
    ...[...refused, ...refusedEverywhere]
      .flat()
      .flatMap((call) => whenCall(call, [answer(refuse)])),
    ...whenCall(clone3, [answer(unknownCall)]),
    ...whenArgument(clone, at.first, [hasAny(newNamespaces, 0, 1), answer(refuse)]),
    ...whenArgument(
      ioctl,
      at.second,
      typing.flatMap((request) => [isEqual(request, 0, 1), answer(refuse)]),
    ),
    ...whenArgument(socket, at.first, [
      ...families.map((family, i) => isEqual(family, families.length - i, 0)),
      answer(unknownFamily),
    ]),
    answer(allow),
  ];
  const bytes = Buffer.alloc(8 * program.length);
  for (const [i, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * i);
    bytes.writeUInt8(ifTrue, 8 * i + 2);
    bytes.writeUInt8(ifFalse, 8 * i + 3);
    bytes.writeUInt32LE(value, 8 * i + 4);
  }
  return bytes;
}
