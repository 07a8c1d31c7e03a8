/**
 * An outside runner that follows a script: everything one process of an external sampler sends, as texts, in the order
 * used by public clients, and ways to send it badly. Its draws are known, so the stored draws can be compared.
 */

/** Sends one request and returns the status and the envelope; throws if there is no answer. */
export type Send = (
  method: 'GET' | 'POST',
  path: string,
  body?: string,
) => Promise<{ readonly status: number; readonly json: Answer }>;

export interface Answer {
  readonly status: string;
  readonly code?: string;
  readonly message?: string;
  readonly data: unknown;
}

export interface RunScript {
  readonly experiment: string;
  readonly batch: string;
  readonly run: string;
  readonly chains: readonly string[];
  /** Names as external samplers report them. */
  readonly variables: readonly string[];
  /** Iterations of each chain, in this order of messages: [3, 2] sends 1 to 3, then 4 and 5. */
  readonly batches: readonly number[];
  /** How buffers are sent: everything again each time, with a sequence number, or only what is new. */
  readonly client: 'accumulating' | 'newest';
  /** Number of the variable and of the iteration, both from 0 and 1; the same for every process by default. */
  readonly value?: (chain: string, variable: number, iteration: number) => number | boolean;
  /** Lines the sampler prints. */
  readonly lines?: readonly string[];
  /** The process fails after its draws. */
  readonly error?: string | number;
}

/** One request of a process. */
export interface ScriptMessage {
  readonly what: 'status' | 'text' | 'draws' | 'run_info' | 'stat';
  readonly path: string;
  readonly body: string;
}

/** Numbers that identify chain, variable and iteration, some of them not finite. */
function scriptedValue(chain: string, variable: number, iteration: number): number | boolean {
  if (variable === 1) return iteration % 2 === 0;
  if (variable === 2 && iteration === 1) return Number.NaN;
  if (variable === 2 && iteration === 2) return Number.NEGATIVE_INFINITY;
  const seed = Array.from(chain, (letter) => letter.codePointAt(0) as number).reduce(
    (sum, code) => sum + code,
    0,
  );
  return seed + variable / 8 + Math.sin(iteration * (variable + 1));
}

/** JSON as Python writes it: NaN and Infinity bare. */
function pythonJson(value: unknown): string {
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return 'NaN';
    if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
    return String(value);
  }
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => `${JSON.stringify(key)}: ${pythonJson(item)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}

/** Everything a process sends, in order (4.2 of the protocol, from the second step on). */
export function scriptOf(script: RunScript): ScriptMessage[] {
  const { lines = [], error } = script;
  const failed = error !== undefined;
  const end = failed ? 'ERR' : 'SAMPLE_FIN';
  const ids = { batch_id: script.batch, run_id: script.run, experiment_id: script.experiment };
  const draws = drawsMessages(script);
  return [
    statusMessage(script, { status: 'RUN', meta: { run_info: { ...ids, status: 'RUN' } } }),
    textMessage(script, { action: 'start' }),
    ...lines.map((line) => textMessage(script, { action: 'experiment:output', data: `${line}\n` })),
    ...draws.slice(0, -1),
    { ...statusMessage(script, { meta: { run_info: { ...ids, status: end } } }), what: 'run_info' },
    ...draws.slice(-1),
    ...(failed ? [textMessage(script, { action: 'experiment:error', data: error })] : []),
    statusMessage(script, { status: end, meta: { run_info: { ...ids, status: end } } }),
    textMessage(script, { action: 'experiment:finish' }),
  ];
}

export function statusMessage(
  { experiment }: Pick<RunScript, 'experiment'>,
  fields: Record<string, unknown>,
): ScriptMessage {
  return message('status', experiment, { object_type: 'experiment', ...fields });
}

/** With the keys of its run that a client mixes in. */
export function textMessage(
  { experiment, batch, run }: Pick<RunScript, 'experiment' | 'batch' | 'run'>,
  ...said: readonly { action: string; data?: unknown }[]
): ScriptMessage {
  const datas = said.map((one) => ({
    group: `object_${experiment}`,
    type: 'object_broadcast',
    message: one,
  }));
  return message('text', experiment, {
    object_type: 'experiment.text_message',
    datas,
    batch_id: batch,
    run_id: run,
    experiment_id: experiment,
    log_group: 'a group',
    run_on: 'local',
  });
}

export function drawsMessages(script: RunScript): ScriptMessage[] {
  const { chains, variables, batches, client, value = scriptedValue } = script;
  const sent: ScriptMessage[] = [];
  let last = 0;
  for (const count of batches) {
    const first = client === 'accumulating' ? 1 : last + 1;
    last += count;
    const iterations = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const vars = Object.fromEntries(
      chains.map((chain) => [
        chain,
        Object.fromEntries(
          variables.map((name, v) => [name, iterations.map((i) => value(chain, v, i))]),
        ),
      ]),
    );
    // beyond 2^63: the time in 1e-10 s and the last iteration
    const seqno = client === 'accumulating' ? [17_637_120_000_000_000_000n + BigInt(last)] : [];
    const iteration = Object.fromEntries(chains.map((chain) => [chain, [first, last, ...seqno]]));
    sent.push(drawsMessage(script, { vars, iteration }));
  }
  return sent;
}

export function drawsMessage(
  { experiment, batch, run }: Pick<RunScript, 'experiment' | 'batch' | 'run'>,
  logs: unknown,
): ScriptMessage {
  return message('draws', experiment, {
    object_type: 'experiment.protobuf_message',
    batch_id: batch,
    run_id: run,
    logs,
  });
}

export function statMessage(
  { experiment, batch, run }: Pick<RunScript, 'experiment' | 'batch' | 'run'>,
  stat: { chain_name: string; n_sample: number; stat: unknown },
): ScriptMessage {
  return message('stat', experiment, {
    object_type: 'experiment.nsample_stat',
    batch_id: batch,
    run_id: run,
    ...stat,
  });
}

function message(what: ScriptMessage['what'], experiment: string, payload: unknown): ScriptMessage {
  return { what, path: `/api/object/${experiment}`, body: pythonJson({ payload }) };
}

/** The draws in a script's messages, by chain and variable. */
export function scriptedDraws(script: RunScript): Record<string, Record<string, number[]>> {
  const { chains, variables, value = scriptedValue } = script;
  const last = script.batches.reduce((sum, count) => sum + count, 0);
  const iterations = Array.from({ length: last }, (_, i) => i + 1);
  return Object.fromEntries(
    chains.map((chain) => [
      chain,
      Object.fromEntries(
        variables.map((name, v) => [name, iterations.map((i) => Number(value(chain, v, i)))]),
      ),
    ]),
  );
}

/** A refusal, at which a real client would stop. */
class RunnerRefused extends Error {
  constructor(
    readonly answer: Answer,
    readonly what: string,
  ) {
    super(`${what}: ${answer.code} ${answer.message}`);
  }
}

/** Sends each once, in order; throws {@link RunnerRefused}. */
export async function play(send: Send, messages: readonly ScriptMessage[]): Promise<void> {
  for (const one of messages) await deliver(send, one);
}

export async function deliver(send: Send, { what, path, body }: ScriptMessage): Promise<Answer> {
  const { json } = await send('POST', path, body);
  if (json.status !== 'ok') throw new RunnerRefused(json, what);
  return json;
}

export interface Faults {
  /** In [0, 1). */
  readonly random: () => number;
  /** Chance that an answer is lost, after which the message is sent again. */
  readonly lost?: number;
  /** Chance that a message is sent again later. */
  readonly repeated?: number;
  /** Called between messages: a place to kill the service. */
  readonly between?: () => Promise<void>;
}

/**
 * Sends as over a bad line: answers are lost, requests repeated until one is answered, and draws arrive again later.
 * Draws overtake each other; messages that begin or end the run keep their place, as a client waits for those.
 */
export async function playBadly(
  send: Send,
  messages: readonly ScriptMessage[],
  faults: Faults,
): Promise<void> {
  const { random, lost = 0, repeated = 0, between = async () => {} } = faults;
  const stray: ScriptMessage[] = [];
  const sendUntilHeard = async (one: ScriptMessage) => {
    for (let attempt = 0; ; attempt++) {
      await between();
      const answer = await deliver(send, one).catch((error: unknown) => {
        if (error instanceof RunnerRefused && error.answer.code !== 'UNAVAILABLE') throw error;
        return null;
      });
      if (answer !== null && (attempt > 3 || random() >= lost)) return;
    }
  };
  for (const one of shuffleDraws(messages, random)) {
    await sendUntilHeard(one);
    if (one.what !== 'draws') continue;
    if (random() < repeated) stray.push(one);
    if (stray.length > 0 && random() < 0.5) await sendUntilHeard(stray.splice(0, 1)[0]);
  }
  for (const one of stray) await sendUntilHeard(one);
}

/** The draws in a different order, in the positions where draws were sent. */
function shuffleDraws(messages: readonly ScriptMessage[], random: () => number): ScriptMessage[] {
  const draws = messages.filter((one) => one.what === 'draws');
  for (let i = draws.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [draws[i], draws[j]] = [draws[j], draws[i]];
  }
  return messages.map((one) => (one.what === 'draws' ? (draws.shift() as ScriptMessage) : one));
}
