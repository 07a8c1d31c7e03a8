/**
 * The program of a guest process: reports that it is ready, reads one program from its input, runs it confined, writes
 * the answer, and exits. It never waits for two things, so it reads and writes its pipes synchronously.
 */

import fs from 'node:fs';
import { itemAt } from '../../shared/items.ts';
import {
  decodeBody,
  decodeHeader,
  encodeFrame,
  type Frame,
  type FromGuest,
  type GuestLimits,
  type GuestProgram,
  HEADER_BYTES,
  type ToGuest,
} from './guest-frames.ts';
import { type HostFunctions, loadInterpreter, runGuest } from './guest-runtime.ts';

const INPUT = 0;
const OUTPUT = 1;

function readExactly(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const got = fs.readSync(INPUT, bytes, at, length - at, null);
    // the parent has exited
    if (got === 0) process.exit(0);
    at += got;
  }
  return bytes;
}

function receive(): Frame<ToGuest> {
  const { body, json } = decodeHeader(readExactly(HEADER_BYTES));
  return decodeBody<ToGuest>(readExactly(body), json);
}

function send(message: FromGuest, bytes?: Uint8Array): void {
  const frame = encodeFrame(message, bytes);
  for (let at = 0; at < frame.length; ) at += fs.writeSync(OUTPUT, frame, at);
}

/** An error whose message is meant for the guest. */
function refusal(message: string): Error {
  const error = new Error(message);
  error.stack = '';
  return error;
}

function hostWithin(limits: GuestLimits): HostFunctions {
  let readsLeft = limits.reads;
  let logLeft = limits.logBytes;
  return {
    read(json) {
      if (--readsLeft < 0) throw refusal(`A function may read ${limits.reads} times at most.`);
      send({ type: 'read', read: JSON.parse(json) });
      const { message, bytes } = receive();
      if (message.type !== 'answer')
        throw refusal(message.type === 'refuse' ? message.message : 'The read failed.');
      return { json: message.json, bytes };
    },
    log(text) {
      if (logLeft < 0) return;
      const line = `${text}\n`;
      logLeft -= Buffer.byteLength(line);
      send({ type: 'log', text: logLeft < 0 ? '… the rest of the log was dropped.\n' : line });
    },
  };
}

const warmUp: { program: GuestProgram; limits: GuestLimits } = {
  program: {
    files: {
      'main.js':
        'export default async (p, e) => { e.log(e.summary("X0000000")); return [...p.a, {}]; };',
    },
    entrance: 'main.js',
    form: 'function',
    parameters: '{"a":[1,"2"]}',
  },
  limits: {
    milliseconds: 5000,
    memoryBytes: 2 ** 25,
    answerBytes: 100,
    logBytes: 100,
    reads: 1,
    readBytes: 100,
  },
};

async function serveOnce(): Promise<void> {
  const wasm = fs.readFileSync(itemAt(process.argv, 2));
  const interpreter = await loadInterpreter(
    wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength),
  );
  // The first program compiles the interpreter's own code: do this before a caller waits.
  runGuest(interpreter, warmUp, {
    read: () => ({ json: 'null', bytes: new Uint8Array() }),
    log: () => {},
  });
  send({ type: 'ready' });
  const { message } = receive();
  if (message.type !== 'run') process.exit(1);
  const outcome = runGuest(interpreter, message, hostWithin(message.limits));
  if (!outcome.ok) send({ type: 'failed', failure: outcome.failure });
  else if (Buffer.byteLength(outcome.answer) > message.limits.answerBytes) {
    const tooLarge = `Its answer is larger than the allowed ${message.limits.answerBytes} bytes.`;
    send({
      type: 'failed',
      failure: { kind: 'limit', message: tooLarge, file: null, line: 0, stack: '' },
    });
  } else send({ type: 'done' }, Buffer.from(outcome.answer));
  process.exit(0);
}

void serveOnce();
