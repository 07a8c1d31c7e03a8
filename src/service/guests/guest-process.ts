/** A guest process as its parent sees it: started without any access, given one program, ended when done or late. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import os from 'node:os';
import { builtServerFile } from '../built-file.ts';
import {
  encodeHead,
  type Frame,
  FrameReader,
  type FromGuest,
  type GuestFailure,
  type GuestLimits,
  type GuestProgram,
  type GuestRead,
  overTimeMessage,
  type ToGuest,
} from './guest-frames.ts';

export interface ReadAnswer {
  readonly json: string;
  readonly bytes?: Uint8Array;
}

/** Answers a guest's reads with the rights of its caller. The guest receives the message of a thrown `GuestRefusal`. */
export type GuestReader = (read: GuestRead) => Promise<ReadAnswer>;

export class GuestRefusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface GuestWork {
  readonly program: GuestProgram;
  readonly limits: GuestLimits;
  readonly read: GuestReader;
}

/** `log`: what it logged, however it ended. `milliseconds`: counted from the arrival of its program. */
export type GuestResult = { readonly log: string; readonly milliseconds: number } & (
  | { readonly ok: true; readonly answer: string }
  | { readonly ok: false; readonly failure: GuestFailure }
);

/** Extra time before a program that does not check the clock (a long step of the interpreter) is ended. */
const GRACE_MS = 250;
/** The process's own heap, in addition to the interpreter's memory. */
const HEAP_MEGABYTES = 96;
const NICE = 5;

export interface GuestPlace {
  /** Absolute path of the bundled program. */
  readonly programFile: string;
}

export const builtGuest = (): GuestPlace => ({
  programFile: builtServerFile('node-guest-worker.js'),
});

const wasmFile = () =>
  createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');

/** The call was interrupted because this process is stopping; it may well succeed in another one. */
export class GuestEnded extends Error {
  override readonly name = 'GuestEnded';
  constructor() {
    super('The service was stopped while this function ran; call it again.');
  }
}

/** The process was killed from outside, as the system does when memory runs out. */
export class GuestKilled extends Error {
  override readonly name = 'GuestKilled';
}

/** A guest process that waits for its program or runs it. It is used only once. */
export class GuestProcess {
  private readonly child: ChildProcess;
  private readonly gone: Promise<string>;
  private isReady = false;
  private onFrame: (frame: Frame<FromGuest>) => void = () => {};
  private onFault: (fault: string) => void = () => {};
  private fault = '';
  private isEnding = false;
  private errors = '';

  constructor({ programFile }: GuestPlace) {
    this.child = spawn(
      process.execPath,
      [`--max-old-space-size=${HEAP_MEGABYTES}`, '--no-warnings', programFile, wasmFile()],
      // inherits nothing from us: no environment, no folder, no open files
      { env: {}, cwd: os.tmpdir(), stdio: ['pipe', 'pipe', 'pipe'] },
    );
    this.gone = new Promise((resolve) => {
      this.child.on('error', (error) => resolve(error.message));
      this.child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    });
    this.lowerPriority();
    for (const pipe of this.child.stdio) pipe?.on('error', () => {});
    this.child.stderr?.on('data', (chunk: Buffer) => {
      if (this.errors.length < 2000) this.errors += chunk.toString('utf8');
    });
    const frames = new FrameReader<FromGuest>(maxFrameBytes);
    this.child.stdout?.on('data', (chunk: Buffer) => {
      try {
        for (const frame of frames.push(chunk)) this.take(frame);
      } catch (error) {
        this.fail((error as Error).message);
      }
    });
    void this.gone.then((how) => this.fail(`it ended (${how}) ${this.errors}`.trim()));
  }

  get isAlive(): boolean {
    return this.fault === '';
  }

  private lowerPriority(): void {
    try {
      if (this.child.pid !== undefined) os.setPriority(this.child.pid, NICE);
    } catch {
      // some containers do not allow this
    }
  }

  private take(frame: Frame<FromGuest>): void {
    if (frame.message.type === 'ready') this.isReady = true;
    this.onFrame(frame);
  }

  private fail(fault: string): void {
    if (this.fault !== '') return;
    this.fault = fault;
    this.onFault(fault);
  }

  private send(message: ToGuest, bytes?: Uint8Array): void {
    this.child.stdin?.write(encodeHead(message, bytes?.length ?? 0));
    if (bytes !== undefined) this.child.stdin?.write(bytes);
  }

  /** Ends the process; resolves when it is gone. */
  async end(): Promise<void> {
    this.isEnding = true;
    this.child.kill('SIGKILL');
    await this.gone;
  }

  /**
   * Throws {@link GuestEnded}, {@link GuestKilled}, and when the process could not be started or violated its protocol,
   * which is a fault of the service.
   */
  async work({ program, limits, read }: GuestWork): Promise<GuestResult> {
    let log = '';
    let since = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const reads = { left: limits.reads, bytes: limits.readBytes };
    try {
      return await new Promise<GuestResult>((resolve, reject) => {
        const elapsed = () => performance.now() - since;
        const fail = (failure: GuestFailure) =>
          resolve({ ok: false, failure, log, milliseconds: elapsed() });
        const begin = () => {
          since = performance.now();
          timer = setTimeout(
            () => fail(limitFailure(overTimeMessage(limits.milliseconds))),
            limits.milliseconds + GRACE_MS,
          );
          this.send({ type: 'run', program, limits });
        };
        this.onFault = (fault) => {
          if (this.isEnding) return reject(new GuestEnded());
          if (/heap out of memory|allocation failed/i.test(fault)) fail(wantOfMemory());
          else if (/SIGKILL/.test(fault)) reject(new GuestKilled(fault));
          else reject(new Error(`a guest process failed: ${fault}`));
          return undefined;
        };
        this.onFrame = ({ message, bytes }) => {
          if (message.type === 'ready') begin();
          else if (message.type === 'log')
            log = log.length > 2 * limits.logBytes ? log : log + message.text;
          else if (message.type === 'done')
            resolve({
              ok: true,
              answer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'),
              log,
              milliseconds: elapsed(),
            });
          else if (message.type === 'failed') fail(message.failure);
          else void this.answer(message.read, read, reads);
        };
        if (this.fault !== '') this.onFault(this.fault);
        else if (this.isReady) begin();
      });
    } finally {
      clearTimeout(timer);
      this.onFrame = () => {};
      this.onFault = () => {};
      await this.end();
    }
  }

  private async answer(
    request: GuestRead,
    read: GuestReader,
    left: { left: number; bytes: number },
  ): Promise<void> {
    try {
      if (--left.left < 0) throw new GuestRefusal('LIMIT_EXCEEDED', 'It makes too many reads.');
      const { json, bytes } = await read(request);
      left.bytes -= json.length + (bytes?.byteLength ?? 0);
      if (left.bytes < 0)
        throw new GuestRefusal(
          'LIMIT_EXCEEDED',
          'A function may not read that much: select variables or chains, or thin the draws.',
        );
      this.send({ type: 'answer', json }, bytes);
    } catch (error) {
      const { code, message } =
        error instanceof GuestRefusal
          ? error
          : { code: 'INTERNAL', message: 'The read failed inside the service.' };
      this.send({ type: 'refuse', code, message });
      if (!(error instanceof GuestRefusal)) this.onReadFault(error);
    }
  }

  /** Receives reads that failed through no fault of the guest. */
  onReadFault: (error: unknown) => void = () => {};
}

/** The largest allowed answer plus its envelope. */
const maxFrameBytes = 64 * 2 ** 20;

export const wantOfMemory = (): GuestFailure =>
  limitFailure('It needs more memory than is available to it.');

function limitFailure(message: string): GuestFailure {
  return { kind: 'limit', message, file: null, line: 0, stack: '' };
}
