/** The compiled code of a built program: cached, used, replaced when it is damaged, and never needed. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtServerFile } from '../../../src/service/built-file.ts';

const loader = path.resolve(import.meta.dirname, '../../../src/load-program.mjs');
let folder = '';

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-program-'));
  fs.copyFileSync(loader, path.join(folder, 'load-program.mjs'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Long enough to be cached. */
const large = (text: string) => `${text}\n// ${'a long program '.repeat(8000)}`;

function write(name: string, text: string): void {
  fs.writeFileSync(path.join(folder, name), text);
  const call = `import { loadProgram } from './load-program.mjs'; loadProgram('${name}');`;
  fs.writeFileSync(path.join(folder, 'program.mjs'), call);
}

const run = (...flags: string[]) =>
  execFileSync(process.execPath, [...flags, path.join(folder, 'program.mjs')], {
    encoding: 'utf8',
  });
const compiledFiles = () => fs.readdirSync(folder).filter((name) => name.includes('.compiled'));
const onlyCompiled = () => {
  const files = compiledFiles();
  expect(files).toHaveLength(1);
  const file = path.join(folder, files[0] as string);
  return { file, inode: fs.statSync(file).ino, bytes: fs.readFileSync(file) };
};

describe('programs of the service', () => {
  const built = path.dirname(builtServerFile('cli.js'));
  const programs = fs.readdirSync(built).filter((name) => /^[a-z-]+\.js$/.test(name));

  const bundleOf = (program: string) => {
    const [, bundle = ''] =
      /loadProgram\('(.+)'\)/.exec(fs.readFileSync(path.join(built, program), 'utf8')) ?? [];
    return fs.readFileSync(path.join(built, bundle), 'utf8');
  };

  it.each(programs)('%s imports nothing except through its loader', (program) => {
    // comments quote only with ', and a regular expression has ? after the bracket
    expect(bundleOf(program).match(/(?<![\w$.])import\((?!['?])/g) ?? []).toEqual([]);
  });

  it.each(programs)('%s is ASCII throughout, as its loader expects', (program) => {
    expect(bundleOf(program).match(/[^\p{ASCII}].*/gu) ?? []).toEqual([]);
  });
});

describe('a built program', () => {
  const greets =
    "const os = require('node:os'); console.log(typeof os.EOL, 'said \\u2192', 1 + 1);";

  it('stores its compiled code for the next start, which uses it unchanged', () => {
    write('a-1.cjs', large(greets));
    expect(run()).toBe('string said → 2\n');
    const kept = onlyCompiled();
    expect(run()).toBe('string said → 2\n');
    expect(onlyCompiled()).toEqual(kept);
  });

  it('stores the functions that were called at its start', () => {
    const inner = `() => { ${'let x = 0; for (let i = 0; i < 3; i++) x += i; '.replaceAll('let x', 'var x').repeat(500)} return x; }`;
    write('a-1.cjs', large(`const called = ${inner}; called();`));
    run();
    const { bytes, file } = onlyCompiled();
    fs.rmSync(file);
    write('a-2.cjs', large(`const called = ${inner};`));
    run();
    expect(bytes.length).toBeGreaterThan(2 * onlyCompiled().bytes.length);
  });

  it('never uses the code of another program, even one of the same length', () => {
    write('a-1.cjs', large("console.log('one');"));
    expect(run()).toBe('one\n');
    write('a-2.cjs', large("console.log('two');"));
    expect(run()).toBe('two\n');
    expect(compiledFiles()).toHaveLength(2);
  });

  it('replaces damaged code', () => {
    write('a-1.cjs', large(greets));
    run();
    const kept = onlyCompiled();
    for (const damaged of [kept.bytes.subarray(0, 100), Buffer.alloc(0), Buffer.from('nonsense')]) {
      fs.writeFileSync(kept.file, damaged);
      expect(run()).toBe('string said → 2\n');
      expect(onlyCompiled().bytes.length).toBe(kept.bytes.length);
    }
  });

  it('stores separate code for other flags of V8', () => {
    write('a-1.cjs', large(greets));
    run();
    run('--stack-size=900');
    expect(compiledFiles()).toHaveLength(2);
  });

  it('stores nothing after it has set a flag of V8', () => {
    write(
      'a-1.cjs',
      large("require('node:v8').setFlagsFromString('--expose-gc'); console.log('ran');"),
    );
    expect(run()).toBe('ran\n');
    expect(compiledFiles()).toEqual([]);
  });

  it('runs if nothing can be written, and leaves no partial file', () => {
    write('a-1.cjs', large(greets));
    run();
    const { file } = onlyCompiled();
    fs.rmSync(file);
    // a folder in its place can be neither read nor replaced, even by root
    fs.mkdirSync(path.join(file, 'full'), { recursive: true });
    expect(run()).toBe('string said → 2\n');
    expect(compiledFiles()).toEqual([path.basename(file)]);
  });

  it('stores nothing if it is small', () => {
    write('a-1.cjs', greets);
    expect(run()).toBe('string said → 2\n');
    expect(compiledFiles()).toEqual([]);
  });

  it('imports files, even from compiled code, knows its own name, and fails with its own error', () => {
    fs.writeFileSync(path.join(folder, 'other.mjs'), 'export const other = 42;');
    const text = `const show = ({ other }) => console.log(other, require('node:path').basename(__filename));
      $import('./other.mjs').then(show); setTimeout(async () => show(await $import('./other.mjs')), 1);`;
    write('a-1.cjs', large(text));
    for (let start = 0; start < 3; start++) {
      const { stdout, stderr } = spawnSync(process.execPath, [path.join(folder, 'program.mjs')], {
        encoding: 'utf8',
      });
      expect([stdout, stderr]).toEqual(['42 a-1.cjs\n42 a-1.cjs\n', '']);
    }
    write('a-2.cjs', large("throw new Error('no such luck');"));
    expect(() => run()).toThrow(/a-2\.cjs:1[\s\S]*no such luck/);
  });

  it('stores the code of a thread before the thread can be ended', () => {
    write('a-1.cjs', large("require('node:worker_threads').parentPort.postMessage('ran');"));
    const starter = path.join(folder, 'starter.mjs');
    fs.writeFileSync(
      starter,
      `import { Worker } from 'node:worker_threads';
       const worker = new Worker(new URL('./program.mjs', import.meta.url));
       worker.on('message', (text) => console.log(text));`,
    );
    expect(execFileSync(process.execPath, [starter], { encoding: 'utf8' })).toBe('ran\n');
    onlyCompiled();
  });
});
