/** Runs one guest program in QuickJS: modules from its files, two host functions, limits on time, memory and stack. */

import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { ownValue } from '../../shared/items.ts';
import type { GuestFailure, GuestLimits, GuestProgram } from './guest-frames.ts';
import { overTimeMessage } from './guest-frames.ts';
import { preludeText } from './guest-prelude.ts';
import { resolveModule } from './module-paths.ts';

/** Host functions that a guest may call; both are synchronous. */
export interface HostFunctions {
  /** Accepts a read as JSON; returns JSON and bytes, or throws an error whose message the guest sees. */
  read(json: string): { json: string; bytes: Uint8Array };
  log(text: string): void;
}

export type GuestOutcome =
  | { readonly ok: true; readonly answer: string }
  | { readonly ok: false; readonly failure: GuestFailure };

/** Deep enough for ordinary recursion, and far below the process's own stack limit. */
const STACK_BYTES = 256 * 1024;
/** Pending jobs that run between two checks of the clock. */
const JOBS_AT_ONCE = 1000;

/** What the interpreter needs for itself, before a program is loaded. */
const BASE_BYTES = 16 * 2 ** 20;
const PAGE_BYTES = 65536;

export interface Interpreter {
  readonly module: QuickJSWASMModule;
  /** Whether it was refused memory. */
  readonly isFull: boolean;
  /** Limits its memory to what it needs for itself plus these bytes. */
  limitMemory(bytes: number): void;
}

/**
 * Loads the interpreter; `wasm`: its bytes. The interpreter's own count of memory omits the content of buffers, so the
 * limit applies to the WebAssembly memory, which can grow only through this object's `grow`.
 */
export async function loadInterpreter(wasm: ArrayBuffer): Promise<Interpreter> {
  let ceiling = 2 * BASE_BYTES;
  let isFull = false;
  const memory = new WebAssembly.Memory({ initial: BASE_BYTES / PAGE_BYTES, maximum: 32768 });
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE_BYTES > ceiling) {
      isFull = true;
      throw new RangeError('no memory');
    }
    return grow(pages);
  };
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmBinary: wasm, wasmMemory: memory }),
  );
  return {
    module,
    get isFull() {
      return isFull;
    },
    limitMemory(bytes) {
      ceiling = BASE_BYTES + bytes;
    },
  };
}

export function runGuest(
  interpreter: Interpreter,
  { program, limits }: { program: GuestProgram; limits: GuestLimits },
  host: HostFunctions,
): GuestOutcome {
  interpreter.limitMemory(limits.memoryBytes);
  const runtime = interpreter.module.newRuntime();
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(STACK_BYTES);
  const clock = startClock(limits.milliseconds);
  runtime.setInterruptHandler(clock.isOver);
  runtime.setModuleLoader(
    (path) => loadModule(program, path),
    (from, name) => {
      const found = resolveModule(from, name);
      // the interpreter loses the message of this error, so the loader stores it
      return found.ok ? found.path : `${REFUSED}${found.error}`;
    },
  );
  const vm = runtime.newContext();
  const guest = new Guest(runtime, vm, program);
  try {
    return { ok: true, answer: guest.run(host) };
  } catch (error) {
    if (clock.isOver()) return { ok: false, failure: overTime(limits, error, program) };
    // it throws null when no memory is left for an error
    const isEmpty = !(error instanceof Thrown) || error.guestName + error.message === 'null';
    if (isEmpty && interpreter.isFull) return { ok: false, failure: outOfMemory(limits) };
    return { ok: false, failure: failureOf(error, program, limits) };
  }
}

const REFUSED = 'refused:';

function loadModule({ files }: GuestProgram, path: string): string | { error: Error } {
  if (path.startsWith(REFUSED)) return { error: new Error(path.slice(REFUSED.length)) };
  return ownValue(files, path) ?? { error: new Error(`The tree has no file ${path}.`) };
}

function startClock(milliseconds: number) {
  const end = performance.now() + milliseconds;
  return { isOver: () => performance.now() > end };
}

/** What the guest threw, as far as it can be converted to text. */
class Thrown extends Error {
  constructor(
    readonly guestName: string,
    message: string,
    readonly guestStack: string,
  ) {
    super(message);
  }
}

class Guest {
  constructor(
    private readonly runtime: QuickJSRuntime,
    private readonly vm: QuickJSContext,
    private readonly program: GuestProgram,
  ) {}

  run(host: HostFunctions): string {
    const { vm, program } = this;
    const make = this.unwrap(vm.evalCode(preludeText, 'ergodic'));
    const start = this.call(make, this.readFunction(host), this.logFunction(host));
    const texts = [...Object.values(program.files), program.parameters];
    this.makeRoom(3 * texts.reduce((sum, text) => sum + text.length, 0));
    const module = this.settle(
      this.unwrap(
        vm.evalCode(program.files[program.entrance] ?? '', program.entrance, { type: 'module' }),
      ),
    );
    const { form, parameters } = program;
    const promise = this.call(start, module, vm.newString(form), vm.newString(parameters));
    return vm.getString(this.settle(promise));
  }

  private readFunction(host: HostFunctions): QuickJSHandle {
    const { vm } = this;
    return vm.newFunction('read', (request) => {
      const { json, bytes } = host.read(vm.getString(request));
      this.makeRoom(3 * json.length + bytes.length);
      const answer = vm.newArray();
      vm.newString(json).consume((text) => vm.setProp(answer, 0, text));
      // a slice of the Buffer would share memory with the frame
      const copy = Uint8Array.from(bytes).buffer;
      vm.newArrayBuffer(copy).consume((buffer) => vm.setProp(answer, 1, buffer));
      return answer;
    });
  }

  /** Throws the guest's own out-of-memory error if this many bytes cannot be allocated, so the next copy succeeds. */
  private makeRoom(bytes: number): void {
    const make = this.unwrap(this.vm.evalCode('(bytes) => { new ArrayBuffer(bytes); }', 'ergodic'));
    this.call(make, this.vm.newNumber(bytes)).dispose();
    make.dispose();
  }

  private logFunction(host: HostFunctions): QuickJSHandle {
    const { vm } = this;
    return vm.newFunction('log', (text) => host.log(vm.getString(text)));
  }

  private call(callee: QuickJSHandle, ...args: QuickJSHandle[]): QuickJSHandle {
    return this.unwrap(this.vm.callFunction(callee, this.vm.undefined, ...args));
  }

  private unwrap(result: ReturnType<QuickJSContext['callFunction']>): QuickJSHandle {
    if ('error' in result && result.error) throw this.thrown(result.error);
    return (result as { value: QuickJSHandle }).value;
  }

  /** The value of a promise; any other value unchanged. */
  private settle(handle: QuickJSHandle): QuickJSHandle {
    for (;;) {
      const state = this.vm.getPromiseState(handle);
      if (state.type === 'fulfilled') return state.value;
      if (state.type === 'rejected') throw this.thrown(state.error);
      const done = this.runtime.executePendingJobs(JOBS_AT_ONCE);
      if ('error' in done && done.error) throw this.thrown(done.error);
      if ((done as { value: number }).value === 0)
        throw new Thrown('Error', 'It waits for a promise that is never settled.', '');
    }
  }

  private thrown(error: QuickJSHandle): Thrown {
    const { vm } = this;
    const read = (key: string): string => {
      const result = vm.unwrapResult(
        vm.evalCode('(e, k) => { try { return String(e[k] ?? "") } catch { return "" } }'),
      );
      const text = vm.callFunction(result, vm.undefined, error, vm.newString(key));
      return 'value' in text && text.value ? vm.getString(text.value) : '';
    };
    try {
      if (vm.typeof(error) !== 'object') return new Thrown('', String(vm.dump(error)), '');
      const message = read('message');
      const name = read('name');
      if (message === '' && name === '') return new Thrown('', JSON.stringify(vm.dump(error)), '');
      return new Thrown(name, message, read('stack'));
    } catch {
      return new Thrown('', 'It threw something that cannot be shown.', '');
    }
  }
}

const maxMessage = 4000;
const maxStackLines = 12;

function failureOf(error: unknown, program: GuestProgram, limits: GuestLimits): GuestFailure {
  if (!(error instanceof Thrown)) {
    // the interpreter itself failed
    const isStack = /call stack|recursion/i.test((error as Error)?.message ?? '');
    const message = isStack ? 'It recurses too deeply.' : 'It crashed the interpreter.';
    return { kind: 'limit', message, file: null, line: 0, stack: '' };
  }
  const { guestName, message, guestStack } = error;
  const place = placeOf(guestStack, program);
  if (guestName === 'InternalError' && /out of memory/.test(message))
    return { ...outOfMemory(limits), ...place };
  if (guestName === 'InternalError' && /stack overflow/.test(message))
    return { kind: 'limit', message: 'It recurses too deeply.', ...place };
  const named = guestName === '' || guestName === 'Error' ? message : `${guestName}: ${message}`;
  return { kind: 'guest', message: named.slice(0, maxMessage), ...place };
}

function outOfMemory({ memoryBytes }: GuestLimits): GuestFailure {
  const message = `It needs more than the ${Math.round(memoryBytes / 2 ** 20)} MiB of memory a function may use.`;
  return { kind: 'limit', message, file: null, line: 0, stack: '' };
}

function overTime(
  { milliseconds }: GuestLimits,
  error: unknown,
  program: GuestProgram,
): GuestFailure {
  const stack = error instanceof Thrown ? error.guestStack : '';
  return { kind: 'limit', message: overTimeMessage(milliseconds), ...placeOf(stack, program) };
}

/** The first location in a stack trace that is in a file of the program. */
function placeOf(
  stack: string,
  { files }: GuestProgram,
): Pick<GuestFailure, 'file' | 'line' | 'stack'> {
  const lines = stack.split('\n').filter((line) => !/\(ergodic:\d/.test(line));
  const shown = lines.slice(0, maxStackLines).join('\n').slice(0, maxMessage).trimEnd();
  for (const line of lines) {
    const [, file, number] = /(?:\(|at )([^()]+?):(\d+)(?::\d+)?\)?$/.exec(line.trim()) ?? [];
    if (file !== undefined && Object.hasOwn(files, file))
      return { file, line: Number(number), stack: shown };
  }
  return { file: null, line: 0, stack: shown };
}
