/** Questions to a worker: each gets its own answer, arrays are transferred, and a crash fails open questions. */
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it, vi } from 'vitest';
import { buffersIn, copyArrays } from '../../src/dashboard/threads/buffers.ts';
import {
  type AnswerMessage,
  askOnce,
  callWorker,
  type QuestionMessage,
  type ReportProgress,
  type WorkerLike,
} from '../../src/dashboard/threads/call-worker.ts';
import { serveQuestions, type WorkerScope } from '../../src/dashboard/threads/serve-questions.ts';

interface Questions {
  double: { ask: Float64Array; answer: { twice: Float64Array; again: Float64Array } };
  fail: { ask: null; answer: never };
  slow: { ask: null; answer: string };
  long: { ask: number; answer: string };
}

let given: Float64Array | null = null;
const answers = {
  double: (ask: Float64Array) => {
    given = ask.map((value) => 2 * value);
    return { twice: given, again: given };
  },
  fail: () => {
    throw new TypeError('no such thing');
  },
  slow: () => new Promise<string>(() => undefined),
  long: (ask: number, report?: ReportProgress) => {
    for (let done = 1; done <= ask; done++) report?.(done, ask);
    return 'done';
  },
};

/** A worker on this thread: messages are cloned or transferred as between threads. */
class ChannelWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  isStopped = false;
  private readonly channel = new MessageChannel();

  constructor() {
    const { port1, port2 } = this.channel;
    const scope: WorkerScope = {
      onmessage: null,
      postMessage: (message, transfer) => port2.postMessage(message, transfer as ArrayBuffer[]),
    };
    serveQuestions<Questions>(answers, scope);
    port2.on('message', (data: QuestionMessage) =>
      scope.onmessage?.({ data } as MessageEvent<QuestionMessage>),
    );
    port1.on('message', (data: AnswerMessage) =>
      this.onmessage?.({ data } as MessageEvent<AnswerMessage>),
    );
  }
  postMessage(message: QuestionMessage, transfer: Transferable[] = []): void {
    this.channel.port1.postMessage(message, transfer as ArrayBuffer[]);
  }
  terminate(): void {
    this.isStopped = true;
    this.channel.port1.close();
  }
}

const options = (make: () => WorkerLike) => ({ make, ended: 'The thread ended.' });

describe('a worker that is called', () => {
  it('answers without a copy of its arrays, and takes over transferred ones', async () => {
    const call = callWorker<Questions>(options(() => new ChannelWorker()));
    const sent = Float64Array.of(1, 2);
    const { twice, again } = await call.ask('double', sent, [sent.buffer]);
    expect([...twice]).toEqual([2, 4]);
    expect(again.buffer).toBe(twice.buffer);
    expect(sent.buffer.byteLength).toBe(0);
    expect(given?.buffer.byteLength).toBe(0);
    call.stop();
  });

  it('says why it has no answer', async () => {
    const call = callWorker<Questions>(options(() => new ChannelWorker()));
    await expect(call.ask('fail', null)).rejects.toThrow('no such thing');
    call.stop();
  });

  it('rejects open questions when it breaks, and is restarted by the next question', async () => {
    const made: ChannelWorker[] = [];
    const call = callWorker<Questions>(
      options(() => {
        made.push(new ChannelWorker());
        return made[made.length - 1];
      }),
    );
    const open = call.ask('slow', null);
    made[0].onerror?.({ message: 'out of memory' } as ErrorEvent);
    await expect(open).rejects.toThrow('The thread ended. out of memory');
    await call.ask('double', Float64Array.of(1));
    expect(made).toHaveLength(2);
    for (const worker of made) worker.terminate();
  });

  it('ends with its only answer, or when it is stopped before', async () => {
    const workers = [new ChannelWorker(), new ChannelWorker()];
    const make = vi.fn(() => workers[make.mock.calls.length - 1]);
    await askOnce<Questions, 'double'>(options(make), 'double', { ask: Float64Array.of(1) });
    expect(workers[0].isStopped).toBe(true);
    const control = new AbortController();
    const open = askOnce<Questions, 'slow'>(options(make), 'slow', {
      ask: null,
      signal: control.signal,
    });
    control.abort();
    await expect(open).rejects.toThrow('Stopped.');
    expect(workers[1].isStopped).toBe(true);
  });
});

describe('the buffers of a message', () => {
  it('are found once each, wherever they are', () => {
    const [a, b] = [Float64Array.of(1), Float64Array.of(2)];
    const found = buffersIn({ chains: [{ a }, { a, b: [b] }], name: 'x', none: null });
    expect(found).toEqual([a.buffer, b.buffer]);
  });

  it('are copied without the rest of the buffer behind a view', async () => {
    const whole = new Float64Array(1000).fill(7);
    const hidden = new Set(['y']);
    const copy = await copyArrays({ views: [whole.subarray(1, 3)], hidden });
    expect(copy.views[0].buffer.byteLength).toBe(16);
    expect([...copy.views[0]]).toEqual([7, 7]);
    expect(copy.hidden).toBe(hidden);
    expect(whole.buffer.byteLength).toBe(8000);
  });
});

it('a worker reports progress, but not more often than it can be read', async () => {
  const heard: [number, number][] = [];
  const answer = await askOnce<Questions, 'long'>(
    { make: () => new ChannelWorker(), ended: 'It ended.' },
    'long',
    { ask: 1000, onProgress: (done, total) => heard.push([done, total]) },
  );
  expect(answer).toBe('done');
  expect(heard[0]).toEqual([1, 1000]);
  expect(heard.length).toBeLessThan(100);
});
