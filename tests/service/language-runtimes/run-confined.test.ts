/** What a program of another language can reach and use: real Python in a real sandbox. */

import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import {
  type Confinement,
  examineRuntimes,
} from '../../../src/service/language-runtimes/confinement.ts';
import { measureTree } from '../../../src/service/language-runtimes/process-tree.ts';
import {
  type ConfinedEnd,
  type ConfinedLimits,
  type ConfinedWork,
  runConfined,
} from '../../../src/service/language-runtimes/run-confined.ts';
import { describeWith } from '../../support/needs.ts';

const limits: ConfinedLimits = {
  milliseconds: 20_000,
  memoryBytes: 256 * 2 ** 20,
  processes: 24,
  diskBytes: 32 * 2 ** 20,
  outputBytes: 2 ** 20,
  textBytes: 2 ** 20,
};

let confinement: Confinement;
beforeAll(async () => {
  const report = await examineRuntimes();
  if (report.confinement === null) throw new Error(report.sandbox);
  confinement = report.confinement;
});

const bytes = (text: string) => new TextEncoder().encode(text);

function python(text: string, work: Partial<ConfinedWork> = {}): Promise<ConfinedEnd> {
  const files = new Map([['main.py', bytes(text)], ...(work.files ?? [])]);
  return runConfined(confinement, { argv: ['python3', '-u', 'main.py'], limits, ...work, files });
}

/** Tries each expression; prints what came of it. */
const attempts = (expressions: readonly string[]) => `
import os, socket, subprocess, glob
for text in ${JSON.stringify(expressions)}:
    try:
        print("DONE", text, repr(eval(text))[:200])
    except BaseException as error:
        print("REFUSED", text, type(error).__name__)
`;

describeWith('bubblewrap', 'a program in its sandbox', () => {
  it('receives its files, arguments, input and variables, and nothing of our environment', async () => {
    process.env.ERGODIC_SECRET_OF_TEST = 'secret';
    const end = await python(
      'import os, sys, json\nprint(json.dumps([sys.argv[1:], sys.stdin.read(), dict(os.environ), sorted(os.listdir(".")), open("in/a.txt").read()]))',
      {
        files: new Map([['in/a.txt', bytes('α')]]),
        argv: ['python3', 'main.py', 'one', 'two words'],
        stdin: 'input',
        env: { RUN_ID: 'r' },
      },
    );
    delete process.env.ERGODIC_SECRET_OF_TEST;
    const [argv, stdin, env, files, text] = JSON.parse(end.stdout) as [
      string[],
      string,
      Record<string, string>,
      string[],
      string,
    ];
    expect(argv).toEqual(['one', 'two words']);
    expect(stdin).toBe('input');
    expect(Object.keys(env).toSorted()).toEqual([
      'ERGODIC_OUTPUT_DIR',
      'HOME',
      'LANG',
      'PATH',
      'PYTHONDONTWRITEBYTECODE',
      'PYTHONPATH',
      'RUN_ID',
      'TMPDIR',
    ]);
    expect(files).toEqual(['in', 'main.py', 'output']);
    expect(text).toBe('α');
    expect(end).toMatchObject({ exitCode: 0, why: 'exit', stderr: '' });
  });

  it('returns the files in its output folder, but no links', async () => {
    const end = await python(
      'import os\nos.chdir(os.environ["ERGODIC_OUTPUT_DIR"])\nos.mkdir("deep")\nopen("deep/b.txt", "w").write("b")\nopen("a.html", "w").write("<p>")\nos.symlink("/etc/passwd", "link")',
    );
    expect(
      end.outputs.map(({ path, bytes: content }) => [path, Buffer.from(content).toString()]),
    ).toEqual([
      ['a.html', '<p>'],
      ['deep/b.txt', 'b'],
    ]);
  });

  it('is reported with its exit code, signal or missing executable', async () => {
    const code = await python('import sys\nprint("last words", file=sys.stderr)\nsys.exit(3)');
    expect(code).toMatchObject({ exitCode: 3, why: 'exit', stderr: 'last words\n' });
    expect((await python('import os\nos.kill(os.getpid(), 11)')).exitCode).toBe(128 + 11);
    expect(await python('', { argv: ['nosuchprogram'] })).toMatchObject({ exitCode: 127 });
  });

  it('cannot read secrets of the machine, write elsewhere, or see other processes', async () => {
    const home = os.homedir();
    const end = await python(
      attempts([
        'open("/etc/shadow").read()',
        `os.listdir(${JSON.stringify(home)})`,
        'os.listdir("/home")',
        'os.listdir("/var")',
        'os.listdir("/root")',
        'open("/proc/1/environ").read().count("SECRET")',
        'open("/usr/x", "w")',
        'open("/x", "w")',
        'open("/dev/x", "w")',
        'open("/etc/passwd", "w")',
        'open("/run/ergodic/source/x", "w")',
        'os.mknod("/tmp/sda", 0o600 | 0o60000, 0x800)',
        'os.setuid(0)',
        'os.chroot("/tmp")',
        'os.listdir("/sys")',
        'subprocess.run(["unshare", "-U", "true"], check=True)',
        'subprocess.run(["mount", "-t", "tmpfs", "x", "/tmp"], check=True)',
      ]),
    );
    const done = end.stdout.split('\n').filter((line) => line.startsWith('DONE'));
    expect(done.filter((line) => !line.includes('/proc/1/environ'))).toEqual([]);
    expect(end.stdout).not.toMatch(/proc\/1\/environ.*[1-9]/);
    const processes = await python(
      'import os\nprint(sorted(int(n) for n in os.listdir("/proc") if n.isdigit()))\nprint(open("/etc/passwd").read(), os.uname().nodename)',
    );
    const seen = JSON.parse(processes.stdout.split('\n')[0]) as number[];
    expect(seen.length).toBeLessThanOrEqual(4);
    expect(Math.max(...seen)).toBeLessThan(20);
    expect(processes.stdout).toContain('ergodic:x:1000');
    expect(processes.stdout).not.toContain(os.hostname());
  });

  it('cannot make system calls that an interpreter does not need', async () => {
    const numbers = {
      x64: { ptrace: 101, keyctl: 250, userfaultfd: 323, unshare: 272, mount: 165, memory: 310 },
      arm64: { ptrace: 117, keyctl: 219, userfaultfd: 282, unshare: 97, mount: 40, memory: 270 },
    }[process.arch as string];
    if (numbers === undefined) throw new Error(`the numbers of ${process.arch} are not known`);
    const calls = { ...numbers, io_uring: 425, pidfd_getfd: 438, open_tree: 428 };
    const end = await python(`
import ctypes, json, multiprocessing, os, socket, subprocess, sys, threading
system = ctypes.CDLL(None, use_errno=True)
answers = {"descriptors": os.listdir("/proc/self/fd")}
for name, number in json.loads(${JSON.stringify(JSON.stringify(calls))}).items():
    system.syscall(number, 0, 0, 0, 0, 0, 0)
    answers[name] = ctypes.get_errno()
for family in (38, 40, 17):
    try:
        socket.socket(family, socket.SOCK_RAW if family == 17 else socket.SOCK_STREAM)
        answers[family] = 0
    except OSError as error:
        answers[family] = error.errno
# what programs do need
threading.Thread(target=lambda: None).start()
subprocess.run(["true"], check=True)
with multiprocessing.Pool(2) as pool:
    answers["pool"] = pool.map(abs, [-1, -2])
socket.create_server(("127.0.0.1", 0)).close()
socket.socketpair()
print(json.dumps(answers))
`);
    expect(end.stderr).toBe('');
    const { pool, descriptors, ...answers } = JSON.parse(end.stdout) as Record<string, unknown>;
    for (const name of Object.keys(calls)) expect([name, answers[name]]).toEqual([name, 1]);
    // socket families of kernel cryptography, of virtual machines, and of raw packets
    expect([answers['38'], answers['40'], answers['17']]).toEqual([97, 97, 97]);
    expect(pool).toEqual([1, 2]);
    // its own three and the one that lists them
    expect((descriptors as string[]).length).toBeLessThanOrEqual(4);
  });

  it('sees little of the machine it runs on', async () => {
    const end = await python(`
import json, os
def look(place):
    try:
        return sorted(os.listdir(place)) if os.path.isdir(place) else open(place).read()
    except OSError as error:
        return None
places = ["/usr/src", "/usr/games", "/usr/share/doc", "/usr/local/src", "/proc/cmdline", "/proc/modules", "/proc/keys"]
print(json.dumps({"root": look("/"), "hidden": [place for place in places if look(place)]}))
`);
    const seen = JSON.parse(end.stdout) as { root: string[]; hidden: string[] };
    expect(seen.hidden).toEqual([]);
    const usual = ['bin', 'dev', 'etc', 'lib', 'proc', 'run', 'sbin', 'tmp', 'usr', 'work'];
    expect(seen.root.filter((name) => !/^lib(x?32|64)$/.test(name))).toEqual(usual);
  });

  it('reaches no network, neither the internet nor this machine', async () => {
    const server = http.createServer((_, response) => response.end('reached'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const end = await python(
      attempts([
        `socket.create_connection(("127.0.0.1", ${port}), 1)`,
        'socket.create_connection(("192.0.2.1", 80), 1)',
        'socket.create_connection(("8.8.8.8", 53), 1)',
        'socket.getaddrinfo("example.org", 443)',
        'socket.socket(socket.AF_PACKET, socket.SOCK_RAW)',
      ]),
    );
    server.close();
    expect(end.stdout.match(/^DONE/gm)).toBeNull();
    expect(end.stdout.match(/^REFUSED/gm)).toHaveLength(5);
  });

  it('reaches the service, and only the service, if it is allowed to', async () => {
    const asked: string[] = [];
    const listener: http.RequestListener = (request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume().on('end', () => response.end('x'.repeat(300_000)));
    };
    const [service, other] = [http.createServer(listener), http.createServer(listener)];
    await Promise.all(
      [service, other].map(
        (server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)),
      ),
    );
    const [port, otherPort] = [service, other].map(
      (server) => (server.address() as AddressInfo).port,
    );
    const end = await python(
      `
import os, urllib.request
place = os.environ["ERGODIC_SERVER_ENDPOINT"]
print(len(urllib.request.urlopen(place + "/api/object/X1").read()))
print(len(urllib.request.urlopen(urllib.request.Request(place + "/post", data=b"y" * 1000000)).read()))
for port in (${port}, ${otherPort}):
    try:
        urllib.request.urlopen("http://127.0.0.1:%d/" % port)
        print("reached", port)
    except OSError:
        print("refused")
`,
      { service: `http://127.0.0.1:${port}` },
    );
    for (const server of [service, other]) server.close();
    expect(end.stdout).toBe('300000\n300000\nrefused\nrefused\n');
    expect(asked).toEqual(['GET /api/object/X1', 'POST /post']);
  });
});

describeWith('bubblewrap', 'a program that exceeds its limits', () => {
  it('is ended at the time limit', async () => {
    const end = await python('while True: pass', { limits: { ...limits, milliseconds: 300 } });
    expect(end.why).toBe('time');
    expect(end.milliseconds).toBeLessThan(3000);
  });

  it('is killed if it ignores a request to stop', async () => {
    const stubborn =
      'import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint("on", flush=True)\nwhile True: signal.pause()';
    const stopping = new AbortController();
    const end = await python(stubborn, { signal: stopping.signal, onText: () => stopping.abort() });
    expect(end.why).toBe('stop');
    expect(end.milliseconds).toBeLessThan(5000);
  });

  it('may exit by itself when it is asked to stop', async () => {
    // a signal that comes just before signal.pause() would never be seen
    const orderly =
      'import signal, sys, time\ndef end(*_):\n  print("in order", flush=True)\n  sys.exit(0)\nsignal.signal(signal.SIGTERM, end)\nprint("on", flush=True)\nwhile True: time.sleep(0.05)';
    const stopping = new AbortController();
    const end = await python(orderly, {
      signal: stopping.signal,
      onText: (_, text) => {
        if (text.includes('\n')) stopping.abort();
      },
    });
    expect(end).toMatchObject({ why: 'stop', exitCode: 0, stdout: 'on\nin order\n' });
  });

  it('is ended at the memory limit, alone or with its children', async () => {
    const small = { ...limits, memoryBytes: 64 * 2 ** 20 };
    const alone = await python('x = bytearray(1)\nwhile True: x += b"1" * 1000000', {
      limits: small,
    });
    expect(alone.why === 'memory' || alone.stderr.includes('MemoryError')).toBe(true);
    const family = await python(
      'import os, time\nfor _ in range(8):\n  if os.fork() == 0: break\nx = b"1" * 20000000\ntime.sleep(60)',
      { limits: small },
    );
    expect(family.why).toBe('memory');
  });

  it('is limited in its number of processes', async () => {
    const before = measureTree(process.pid).processes;
    const end = await python('import os\nwhile True:\n  try: os.fork()\n  except OSError: pass', {
      limits: { ...limits, milliseconds: 1000 },
    });
    expect(['time', 'processes']).toContain(end.why);
    expect(measureTree(process.pid).processes).toBeLessThanOrEqual(before + 2);
  });

  it('cannot fill disk or memory with files', async () => {
    const end = await python(
      'import os\nfor folder in ("/work", "/tmp", "/dev/shm"):\n  total = 0\n  try:\n    for i in range(100):\n      with open(folder + "/f%d" % i, "wb") as f: total += f.write(b"x" * 4000000)\n  except OSError as error: print(folder, total < 32 << 20, error.strerror)',
    );
    expect(end.stdout.match(/True No space left on device/g)).toHaveLength(3);
  });

  it('has its output truncated, but still read to the end', async () => {
    const end = await python('for _ in range(100): print("x" * 99999)\nprint("end")', {
      limits: { ...limits, textBytes: 1000 },
    });
    expect(end).toMatchObject({ exitCode: 0, why: 'exit' });
    expect(end.stdout.length).toBe(1000);
  });

  it('returns no output files above the size limit', async () => {
    const end = await python(
      'import os\nopen(os.environ["ERGODIC_OUTPUT_DIR"] + "/big", "wb").write(b"x" * 2000000)',
    );
    expect(end.outputs).toEqual([]);
    expect(end.stderr).toContain('larger than allowed');
  });

  it('leaves nothing behind, even with a hostile file name', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'ergodic-test-'));
    chmodSync(folder, 0o755);
    const before = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    try {
      expect((await python('print(1)')).stdout).toBe('1\n');
      const evil = python('pass', { files: new Map([['../evil.py', bytes('')]]) });
      await expect(evil).rejects.toThrow(/has an invalid name/);
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      rmSync(folder, { recursive: true });
    }
  });
});
