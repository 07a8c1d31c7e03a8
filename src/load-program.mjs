/**
 * Loads a built program together with what V8 compiled for it in an earlier process, which halves the service's start.
 * Node caches such code itself from version 22 on, but not in 20. Copied into dist/server, next to the programs.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/** A smaller program compiles as fast as its compiled code is read. */
const SMALL_BYTES = 100_000;
/** `$import` replaces `import` of a package by name, since V8 forgets who may import when it reads compiled code. */
const PARAMETERS = 'require, module, exports, __filename, $import';
const importPackage = (name) => import(name);
/** A program has started by then. Code compiled later belongs to its work. A thread may be ended at any time. */
const STARTED_MS = isMainThread ? 5_000 : 0;

// Node has it from version 21 on. Without it, `pg` calls `Response` to detect its platform, which loads all of fetch.
globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node.split('.')[0]}` };

/**
 * `name`: the bundle next to this file. Its name contains a hash of its content, since V8 only compares the length of a
 * source with that of the compiled code.
 */
export function loadProgram(name) {
  const file = path.join(import.meta.dirname, name);
  // One byte per character, which takes less time and memory: the build escapes all text that is not ASCII.
  const source = fs.readFileSync(file, 'latin1');
  const isSmall = source.length < SMALL_BYTES;
  // of V8's version, its flags and the processor
  const tag = v8.cachedDataVersionTag();
  const compiledFile = `${file}.${tag.toString(36)}.compiled`;
  const script = new vm.Script(`(function (${PARAMETERS}) {${source}\n})`, {
    filename: file,
    cachedData: isSmall ? undefined : readIfThere(compiledFile),
  });
  if (!isSmall && script.cachedDataRejected !== false) keepCompiled(script, compiledFile, tag);
  const module = { exports: {} };
  script.runInThisContext()(createRequire(file), module, module.exports, file, importPackage);
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Once the program has started, or if it ends sooner: includes the functions that its start has called. */
function keepCompiled(script, compiledFile, tag) {
  let isKept = false;
  const keep = () => {
    // a flag that was set since would be part of it, but no later start has that flag
    if (isKept || v8.cachedDataVersionTag() !== tag) return;
    isKept = true;
    writeWhole(compiledFile, script.createCachedData());
  };
  process.once('exit', keep);
  setTimeout(keep, STARTED_MS).unref();
}

/** Other processes read it at any time, and write the same. If nothing can be written, everything works without. */
function writeWhole(file, bytes) {
  const partial = `${file}.${process.pid}-${process.hrtime.bigint()}`;
  try {
    fs.writeFileSync(partial, bytes);
    fs.renameSync(partial, file);
  } catch {
    fs.rmSync(partial, { force: true });
  }
}
