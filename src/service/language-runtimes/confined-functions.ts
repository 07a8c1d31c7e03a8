/** Functions and data scripts in other languages, run in a sandbox: parameters in a file, the answer in an output folder. */

import { toBase64 } from '../../formats/base64.ts';
import type { ConfinedProgram, ConfinedRunner } from '../guests/confined-runtimes.ts';
import type { GuestFailure, GuestLimits } from '../guests/guest-frames.ts';
import { overTimeMessage } from '../guests/guest-frames.ts';
import type { GuestResult } from '../guests/guest-process.ts';
import { type RuntimeReport, runtimePrograms } from './confinement.ts';
import { type ConfinedEnd, runConfined } from './run-confined.ts';

/** Next to the program's own files; the program gets this path as its argument. */
const parametersFile = 'parameters.json';

/**
 * The answer of a program: `answer.json` in ERGODIC_OUTPUT_DIR; otherwise the only file there (`output.html` first), as
 * {base64, file_name}; otherwise the last line it printed, when that is JSON; otherwise null. `report`: computed when needed.
 */
export function createConfinedRunner(report: () => Promise<RuntimeReport>): ConfinedRunner {
  return {
    missing: async (language) => (await report()).missing[language],
    async run(program, limits) {
      const { confinement } = await report();
      if (confinement === null) throw new Error('no sandbox is available for other languages');
      const files = new Map(program.files).set(
        parametersFile,
        new TextEncoder().encode(program.parameters),
      );
      const end = await runConfined(confinement, {
        files,
        argv: argvOf(program),
        limits: {
          milliseconds: limits.milliseconds,
          memoryBytes: limits.memoryBytes,
          processes: 32,
          diskBytes: limits.memoryBytes,
          outputBytes: limits.answerBytes,
          textBytes: Math.max(limits.logBytes, limits.answerBytes),
        },
      });
      return resultOf(program, end, limits);
    },
  };
}

function argvOf({ language, entrance, form = 'function' }: ConfinedProgram): string[] {
  if (language === 'python')
    return ['python3', '-u', '-m', 'ergodic', form, entrance, parametersFile];
  return [runtimePrograms[language], entrance, parametersFile];
}

function resultOf(program: ConfinedProgram, end: ConfinedEnd, limits: GuestLimits): GuestResult {
  const { exitCode, why, stdout, stderr, milliseconds } = end;
  const log = (stdout + stderr).slice(0, limits.logBytes);
  if (why === 'exit' && exitCode === 0)
    return { ok: true, answer: answerOf(end), log, milliseconds };
  const failure = why === 'exit' ? failureOf(program, end) : limitFailure(why, limits);
  return { ok: false, failure, log, milliseconds };
}

/** Characters beyond which reading an answer would hold up other requests. */
const LONG_ANSWER = 64 * 2 ** 10;

function answerOf({ outputs, stdout }: ConfinedEnd): string {
  const answer = outputs.find(({ path }) => path === 'answer.json');
  if (answer !== undefined) return checked(new TextDecoder().decode(answer.bytes)) ?? 'null';
  const file = outputs.find(({ path }) => path === 'output.html') ?? outputs[0];
  if (file !== undefined)
    return JSON.stringify({ base64: toBase64(file.bytes), file_name: file.path });
  return checked(stdout.trimEnd().split('\n').at(-1) ?? '') ?? 'null';
}

/** Null if it is not JSON. A caller with a long answer checks it in a thread. */
function checked(text: string): string | null {
  if (text.length > LONG_ANSWER) return text;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return null;
  }
}

function limitFailure(why: Exclude<ConfinedEnd['why'], 'exit'>, limits: GuestLimits): GuestFailure {
  const messages = {
    time: overTimeMessage(limits.milliseconds),
    memory: 'It needs more memory than a function may use.',
    processes: 'It started more processes than a function may start.',
    stop: 'It was stopped.',
  };
  return { kind: 'limit', message: messages[why], file: null, line: 0, stack: '' };
}

/** The last line of its output, and the last location in its own files that a traceback names. */
function failureOf({ files }: ConfinedProgram, { exitCode, stderr }: ConfinedEnd): GuestFailure {
  const lines = stderr.trimEnd().split('\n');
  const places = [...stderr.matchAll(/File "([^"]+)", line (\d+)/g)]
    .map(([, file = '', line]) => ({ file: file.replace(/^\/work\//, ''), line: Number(line) }))
    .filter(({ file }) => files.has(file));
  const place = places.at(-1) ?? { file: null, line: 0 };
  const last = lines.at(-1)?.trim() ?? '';
  const isMemory = /^MemoryError\b/.test(last);
  const message = last === '' ? `It ended with code ${exitCode}.` : last.slice(0, 1000);
  return { kind: isMemory ? 'limit' : 'guest', message, ...place, stack: stderr.slice(-8000) };
}
