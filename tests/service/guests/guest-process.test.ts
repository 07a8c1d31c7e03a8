import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GuestReader, GuestRefusal } from '../../../src/service/guests/guest-process.ts';
import { runGuest } from './guest.ts';

/** The answer; throws the reason if the program failed. */
async function answer(...args: Parameters<typeof runGuest>): Promise<unknown> {
  const result = await runGuest(...args);
  if (!result.ok) throw new Error(result.failure.message);
  return JSON.parse(result.answer);
}

async function failure(...args: Parameters<typeof runGuest>) {
  const result = await runGuest(...args);
  if (result.ok) throw new Error(`it answered ${result.answer}`);
  return result.failure;
}

describe('a program', () => {
  it('answers with the result of its default export', async () => {
    const parameters = { a: 1, b: 2 };
    expect(await answer('export default ({ a, b }) => ({ sum: a + b });', { parameters })).toEqual({
      sum: 3,
    });
  });

  it('may export run, be async and read its parameters from ergodic', async () => {
    const code =
      'export async function run() { const x = await 20; return x + ergodic.parameters.y; }';
    expect(await answer(code, { parameters: { y: 1 } })).toBe(21);
  });

  it('may consist of files that import each other', async () => {
    const files = {
      'main.js': 'import { twice } from "./lib/twice.js";\nexport default ({ x }) => twice(x);',
      'lib/twice.js': 'import { two } from "../two.js";\nexport const twice = (x) => two * x;',
      'two.js': 'export const two = 2;',
    };
    expect(await answer(files, { parameters: { x: 4 } })).toBe(8);
  });

  it('has bytes, arrays and maps turned into JSON', async () => {
    const code = `export default () => ({ bytes: new Uint8Array([1, 2, 3, 4]), buffer: new ArrayBuffer(2),
      draws: Float64Array.of(1.5, NaN), map: new Map([['a', 1]]), set: new Set([1]), big: 12n, none: undefined });`;
    expect(await answer(code)).toEqual({
      bytes: { base64: 'AQIDBA==' },
      buffer: { base64: 'AAA=' },
      draws: [1.5, null],
      map: { a: 1 },
      set: [1],
      big: 12,
    });
    expect(await answer('export default () => {};')).toBeNull();
  });

  it('keeps its log up to a limit', async () => {
    const code =
      'export default () => { console.log("a", 1, { b: [2] }); ergodic.log("c"); for (let i = 0; i < 1e4; i++) console.log("long line"); };';
    const { log } = await runGuest(code, { limits: { logBytes: 200 } });
    expect(log.startsWith('a 1 {"b":[2]}\nc\nlong line\n')).toBe(true);
    expect(log.endsWith('long line\n… the rest of the log was dropped.\n')).toBe(true);
    expect(log.length).toBeLessThan(300);
  });

  it.each([
    [
      'throws',
      'export default () => {\n  const x = undefined;\n  return x.y;\n};',
      "TypeError: cannot read property 'y' of undefined",
      3,
    ],
    [
      'throws later',
      'export default async () => {\n  await null;\n  throw new RangeError("too far");\n};',
      'RangeError: too far',
      3,
    ],
    [
      'is not valid JavaScript',
      'export default () => {\n  return 1 +;\n};',
      "SyntaxError: unexpected token in expression: ';'",
      2,
    ],
    ['throws what is not an error', 'export default () => { throw { a: 1 }; };', '{"a":1}', 0],
    ['throws null', 'export default () => { throw null; };', 'null', 0],
  ])('that %s is reported with its line', async (_, code, message, line) => {
    expect(await failure(code)).toMatchObject({
      kind: 'guest',
      message,
      line,
      file: line === 0 ? null : 'main.js',
    });
  });

  it('that exports no function gets a message on how to export one', async () => {
    expect((await failure('export const a = 1;')).message).toMatch(/export default function/);
  });

  it('reports the file in which it failed', async () => {
    const files = {
      'main.js': 'import { f } from "./lib.js";\nexport default () => f();',
      'lib.js': '\nexport const f = () => null.x;',
    };
    expect(await failure(files)).toMatchObject({ file: 'lib.js', line: 2 });
  });
});

describe('the sandbox', () => {
  it.each([
    ['an endless loop', 'export default () => { for (;;); };', /longer than the allowed 0.25 s/],
    ['an endless loop at the top', 'for (;;);', /longer than the allowed 0.25 s/],
    [
      'an endless chain of promises',
      'export default async () => { for (;;) await null; };',
      /longer than the allowed 0.25 s/,
    ],
    [
      'an expression that backtracks without end',
      'export default () => /(x+x+)+y/.test("x".repeat(60));',
      /longer than the allowed 0.25 s/,
    ],
    [
      'one long step of the interpreter',
      'export default () => { const a = "ab".repeat(1e7); for (;;) a.split("").sort(); };',
      /longer than|more than the/,
    ],
    [
      'a getter that loops in the answer',
      'export default () => ({ get a() { for (;;); } });',
      /longer than the allowed 0.25 s/,
    ],
    [
      'an error whose message loops',
      'export default () => { throw { get message() { for (;;); } }; };',
      /longer than the allowed 0.25 s/,
    ],
  ])('ends %s at the time limit', async (_, code, message) => {
    const { kind, message: words } = await failure(code, { limits: { milliseconds: 250 } });
    expect([kind, words]).toEqual(['limit', expect.stringMatching(message)]);
  });

  it.each([
    ['arrays', 'export default () => { const a = []; for (;;) a.push(new Float64Array(1e5)); };'],
    ['a growing list', 'export default () => { const a = []; for (;;) a.push({ a: [1] }); };'],
    [
      'strings',
      'export default () => { const a = []; for (;;) a.push("abc".repeat(1e5) + a.length); };',
    ],
    ['one buffer', 'export default () => new ArrayBuffer(2e9).byteLength;'],
  ])('ends a program that fills its memory with %s', async (_, code) => {
    const { kind, message } = await failure(code, { limits: { memoryBytes: 16 * 2 ** 20 } });
    expect([kind, message]).toEqual([
      'limit',
      'It needs more than the 16 MiB of memory a function may use.',
    ]);
  });

  it.each([
    ['deep recursion', 'export default function f(n) { return f(n) + 1; };'],
    [
      'a deeply nested result',
      'export default () => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a; };',
    ],
    ['deeply nested text', 'export default () => JSON.parse("[".repeat(1e6));'],
    [
      'a deeply nested regular expression',
      'export default () => new RegExp("(".repeat(1e5) + ")".repeat(1e5));',
    ],
  ])('survives %s', async (_, code) => {
    const { message } = await failure(code);
    expect(message).toMatch(/recurses too deeply|stack overflow|too many captures|SyntaxError/);
  });

  it('ends a program whose promise never settles', async () => {
    expect((await failure('export default () => new Promise(() => {});')).message).toBe(
      'It waits for a promise that is never settled.',
    );
  });

  it('refuses a result that is too large or cannot be written as JSON', async () => {
    expect(await failure('export default () => "x".repeat(2e6);')).toMatchObject({
      kind: 'limit',
      message: 'Its answer is larger than the allowed 1048576 bytes.',
    });
    expect(
      (await failure('export default () => { const a = {}; a.a = a; return a; };')).message,
    ).toMatch(/circular/);
  });

  it('refuses to import anything but files of the tree', async () => {
    const refusals: [string, RegExp][] = [
      ['node:fs', /cannot be imported: a function can import only files of its own tree/],
      ['fs', /only files of its own tree/],
      ['/etc/passwd', /only files of its own tree/],
      ['https://example.org/x.js', /only files of its own tree/],
      ['refused:x', /only files of its own tree/],
      ['../../etc/passwd', /it leaves the tree/],
      ['./../../etc/passwd', /it leaves the tree/],
      ['./a/../../x.js', /it leaves the tree/],
      ['./a\\b.js', /not a path of the tree/],
      ['./C:/x.js', /not a path of the tree/],
      ['.//x.js', /not a path of the tree/],
      ['./__proto__', /has no file __proto__/],
      ['./not-there.js', /has no file not-there.js/],
    ];
    const code =
      'export default ({ names }) => Promise.all(names.map((name) => import(name).then(() => "let in", (error) => error.message)));';
    const names = refusals.map(([name]) => name);
    const messages = (await answer(code, { parameters: { names } })) as string[];
    for (const [at, [name, words]] of refusals.entries())
      expect([name, messages[at]]).toEqual([name, expect.stringMatching(words)]);
    const fixed = 'import x from "node:fs";\nexport default () => x;';
    expect((await failure(fixed)).message).toMatch(/only files of its own tree/);
  });

  it('gives no access to the host', async () => {
    const code = `export default (parameters, e) => {
      const escape = (f) => { try { return f(); } catch (error) { return 'no'; } };
      const world = 'return [typeof process, typeof require, typeof global, typeof fetch, typeof WebAssembly, typeof setTimeout, typeof std, typeof os].join()';
      return [
        console.log.constructor(world)(),
        e.draws.constructor.constructor(world)(),
        (async () => {}).constructor(world) && (() => {}).constructor(world)(),
        escape(() => e.log.caller) ?? 'no',
        escape(() => Error.prepareStackTrace) ?? 'no',
        Object.keys(import.meta).join(),
      ];
    };`;
    const none = Array.from({ length: 8 }, () => 'undefined').join();
    expect(await answer(code)).toEqual([none, none, none, 'no', 'no', '']);
  });

  it('limits the effect of changed prototypes to the result of the program', async () => {
    const code = `export default () => {
      Object.prototype.toJSON = () => 'spoilt'; Array.prototype.map = () => { throw new Error('map'); };
      JSON.stringify = () => 'mine'; Object.prototype.type = 'failed'; Promise.prototype.then = null;
      return { a: 1 };
    };`;
    expect(await answer(code)).toBe('spoilt');
    expect(await answer('export default () => ({ a: [1].map((x) => x) });')).toEqual({ a: [1] });
  });

  it('hides its own setup code from a program', async () => {
    const code = `export default () =>
      [typeof start, typeof base64, typeof reader, typeof letters, Object.keys(globalThis).sort()];`;
    const hidden = Array.from({ length: 4 }, () => 'undefined');
    expect(await answer(code)).toEqual([...hidden, ['console', 'ergodic']]);
  });

  it('gives each call its own global scope', async () => {
    const code =
      'globalThis.count = (globalThis.count ?? 0) + 1;\nexport default () => globalThis.count;';
    expect([await answer(code), await answer(code)]).toEqual([1, 1]);
  });
});

describe('a process that is killed from outside', () => {
  /** Kills the processes of functions, which are children of this one, as the machine does when memory runs out. */
  const killGuests = () => {
    for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const read = (file: string) => {
        try {
          return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
        } catch {
          return '';
        }
      };
      const isChild = read('stat').split(') ')[1]?.split(' ')[1] === String(process.pid);
      if (isChild && read('cmdline').includes('quickjs')) process.kill(Number(pid), 'SIGKILL');
    }
  };
  const code = 'export default (p, e) => e.summary("X1234567").calls;';
  const killing = (times: number): GuestReader => {
    let calls = 0;
    return async () => {
      calls += 1;
      if (calls <= times) killGuests();
      return { json: JSON.stringify({ calls }) };
    };
  };

  it.runIf(process.platform === 'linux')('is restarted once', async () => {
    expect(await answer(code, { read: killing(1) })).toBe(2);
    const { kind, message } = await failure(code, { read: killing(2) });
    expect(kind).toBe('limit');
    expect(message).toBe('It needs more memory than is available to it.');
  });
});

describe('the reads of a function', () => {
  const draws: GuestReader = async ({ what, id, options }) => {
    if (what === 'draws') {
      const bytes = new Uint8Array(Float64Array.of(1, 2, 3).buffer);
      const columns = [
        { variable: 'mu', chain: 'chain#1', offset: 0, count: 2 },
        { variable: 'mu', chain: 'chain#2', offset: 2, count: 1 },
      ];
      return { json: JSON.stringify(columns), bytes };
    }
    if (id === 'X0000000') throw new GuestRefusal('NOT_FOUND', 'there is none');
    if (id === 'broken') throw new Error('secret words of the database');
    return { json: JSON.stringify({ what, id, options }) };
  };

  it('return draws as typed arrays', async () => {
    const code =
      'export default (p, e) => e.draws("X1234567").mu.map((c) => [c.chain, c instanceof Float64Array, [...c]]);';
    expect(await answer(code, { read: draws })).toEqual([
      ['chain#1', true, [1, 2]],
      ['chain#2', true, [3]],
    ]);
  });

  it('that are refused throw at the call, and can be caught', async () => {
    const code = 'export default (p, e) => {\n  return e.summary("X0000000");\n};';
    expect(await failure(code, { read: draws })).toMatchObject({
      message: 'there is none',
      file: 'main.js',
      line: 2,
    });
    const caught =
      'export default (p, e) => { try { return e.summary("X0000000"); } catch { return "caught"; } };';
    expect(await answer(caught, { read: draws })).toBe('caught');
  });

  it('that fail inside the service reveal no details', async () => {
    expect(
      (await failure('export default (p, e) => e.summary("broken");', { read: draws })).message,
    ).toBe('The read failed inside the service.');
  });

  it('are limited in number', async () => {
    const code = 'export default (p, e) => { for (;;) e.summary("X1234567"); };';
    expect((await failure(code, { read: draws })).message).toBe(
      'A function may read 20 times at most.',
    );
  });

  it('are limited in bytes', async () => {
    const big: GuestReader = async () => ({ json: '[]', bytes: new Uint8Array(9 * 2 ** 20) });
    const code = 'export default (p, e) => { for (;;) e.draws("X1234567"); };';
    expect((await failure(code, { read: big })).message).toMatch(/may not read that much/);
  });

  it('that never return end at the time limit', async () => {
    const never: GuestReader = () => new Promise(() => {});
    const code = 'export default (p, e) => e.summary("X1234567");';
    expect((await failure(code, { read: never, limits: { milliseconds: 300 } })).message).toMatch(
      /longer than the allowed 0.3 s/,
    );
  });
});

it('any JSON is passed in and returned unchanged', async () => {
  const values = fc.sample(fc.jsonValue({ maxDepth: 6 }), { numRuns: 200, seed: 7 });
  const echoed = await answer('export default ({ values }) => values;', { parameters: { values } });
  expect(JSON.stringify(echoed)).toBe(JSON.stringify(values));
});

it('any text as a program ends with a result or an error message', async () => {
  const programs = fc.sample(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string().map((text) => `export default () => ${text}`),
    ),
    { numRuns: 6, seed: 11 },
  );
  for (const program of programs) {
    const result = await runGuest(program, { limits: { milliseconds: 1000 } });
    expect(result.ok || result.failure.message !== '').toBe(true);
  }
});

it('many simultaneous calls all return their own results', async () => {
  const ended: number[] = [];
  const calls = Array.from({ length: 8 }, async (_, i) => {
    const given = await answer('export default ({ i }) => i;', { parameters: { i } });
    ended.push(i);
    return given;
  });
  expect(await Promise.all(calls)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(ended).toHaveLength(8);
});
