import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addShare } from '../../support/objects.ts';
import {
  drawsOf,
  finalise,
  makeOutside,
  sendAs,
  valuesOnly,
  viewOutside,
} from '../../support/runner-service.ts';
import {
  deliver,
  drawsMessage,
  drawsMessages,
  play,
  playBadly,
  type RunScript,
  type Send,
  scriptedDraws,
  scriptOf,
  statusMessage,
} from '../../support/scripted-runner.ts';
import { seededRng } from '../../support/seeded-rng.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

let service: TestService;
let ada: Person;
let send: Send;
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  send = sendAs(service, ada.token);
});
afterAll(() => service.close());

const draws = (id: string) => drawsOf(service, ada, id);
const newExperiment = async () => (await makeOutside(send)).short_id;
const speaker = (experiment: string, batch = 'b', run = 'r') => ({ experiment, batch, run });

const post = (
  who: ReturnType<typeof speaker>,
  vars: Record<string, Record<string, unknown>>,
  iteration: Record<string, unknown>,
) => deliver(send, drawsMessage(who, { vars, iteration }));

/** Values of one variable of one chain with their iterations. */
async function column(id: string, chain: string, variable: string) {
  return (await draws(id))[chain]?.[variable] ?? [];
}

describe('draws of a runner', () => {
  it('are stored at their iterations, whatever the order and repetition of messages', async () => {
    const plan = fc.record({
      batches: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
      client: fc.constantFrom('accumulating' as const, 'newest' as const),
      numChains: fc.integer({ min: 1, max: 3 }),
      luck: fc.nat(1_000_000),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ batches, client, numChains, luck }) => {
        const rng = seededRng(luck);
        const scriptFor = (experiment: string): RunScript => ({
          ...speaker(experiment),
          chains: Array.from({ length: numChains }, (_, i) => `chain#${i + 1}`),
          variables: ['a/val', 'b', 'c'],
          batches,
          client,
        });
        const plain = scriptFor(await newExperiment());
        await play(send, scriptOf(plain));
        await finalise(service, plain.experiment);
        const bad = scriptFor(await newExperiment());
        await playBadly(send, scriptOf(bad), {
          random: () => rng.uniform(),
          lost: 0.3,
          repeated: 0.5,
        });
        await finalise(service, bad.experiment);
        const expected = scriptedDraws(plain);
        expect(valuesOnly(await draws(plain.experiment))).toEqual(expected);
        expect(await draws(bad.experiment)).toEqual(await draws(plain.experiment));
        const counts = ({
          n_chains,
          n_samples,
          n_variables,
          status,
        }: Awaited<ReturnType<typeof viewOutside>>) => ({
          n_chains,
          n_samples,
          n_variables,
          status,
        });
        const seen = counts(await viewOutside(send, bad.experiment));
        expect(seen).toEqual(counts(await viewOutside(send, plain.experiment)));
        expect(seen).toMatchObject({ status: 'FIN', n_chains: numChains, n_variables: 3 });
      }),
      { seed: 20, numRuns: 12 },
    );
  });

  it('of a message are assigned by name, whatever the order of its names', async () => {
    const id = await newExperiment();
    await post(speaker(id), { 'chain#1': { b: [1, 2], a: [10, 20] } }, { 'chain#1': [1, 2] });
    await post(speaker(id), { 'chain#1': { a: [20, 30], b: [2, 3] } }, { 'chain#1': [2, 3] });
    expect(valuesOnly(await draws(id))).toEqual({ 'chain#1': { b: [1, 2, 3], a: [10, 20, 30] } });
  });

  it('of thousands of variables need no search per variable', async () => {
    const id = await newExperiment();
    const names = Array.from({ length: 3000 }, (_, i) => `v[${i}]/val`);
    const vars = (value: unknown) => ({
      c: Object.fromEntries(names.map((name) => [name, [value]])),
    });
    await post(speaker(id), vars(true), { c: [1, 1] });
    const indexOf = vi.spyOn(Array.prototype, 'indexOf');
    await post(speaker(id), vars(2), { c: [2, 2] });
    const looked = indexOf.mock.contexts.filter(
      (list) => (list as unknown[]).length >= 3000,
    ).length;
    indexOf.mockRestore();
    expect(looked).toBeLessThan(10);
    expect(await column(id, 'c', 'v[2999]/val')).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('may arrive one variable at a time, and are counted once', async () => {
    const id = await newExperiment();
    await post(speaker(id), { 'chain#1': { a: [1, 2, 3] } }, { 'chain#1': [1, 3] });
    await post(speaker(id), { 'chain#1': { b: [4, 5, 6] } }, { 'chain#1': [1, 3] });
    await post(speaker(id), { 'chain#1': { b: [7] } }, { 'chain#1': [4, 4] });
    expect(valuesOnly(await draws(id))).toEqual({ 'chain#1': { a: [1, 2, 3], b: [4, 5, 6, 7] } });
    expect(await viewOutside(send, id)).toMatchObject({ n_samples: 4, n_variables: 2 });
  });

  it('may be booleans, infinities, nulls and numbers written as text', async () => {
    const id = await newExperiment();
    const odd = { flag: [true, false], text: ['1.5', 'NaN'], none: [null, 'Infinity'] };
    await post(speaker(id), { 'chain#1': odd }, { 'chain#1': [1, 2] });
    await post(speaker(id), { 'chain#1': odd }, { 'chain#1': [3, 4] });
    expect(valuesOnly(await draws(id))).toEqual({
      'chain#1': {
        flag: [1, 0, 1, 0],
        text: [1.5, Number.NaN, 1.5, Number.NaN],
        none: [Number.NaN, Infinity, Number.NaN, Infinity],
      },
    });
  });

  it('are refused with the position of a text value, and nothing of the message is stored', async () => {
    const id = await newExperiment();
    for (const text of ['blue', '', '1,5', '0x']) {
      const vars = { 'chain#1': { x: [1, 2], colour: [0.5, text] } };
      const message = drawsMessage(speaker(id), { vars, iteration: { 'chain#1': [1, 2] } });
      const answer = await send('POST', message.path, message.body);
      expect([text, answer.status, answer.json.message]).toEqual([
        text,
        400,
        `payload.logs.vars."chain#1"."colour" has a value that is neither a number nor a boolean at position 1 (${JSON.stringify(text)}).`,
      ]);
    }
    expect(await draws(id)).toEqual({});
  });

  it('are written to CSV as sent: as true and false, or as numbers if both were sent', async () => {
    const id = await newExperiment();
    const sent = (flag: unknown[], mixed: unknown[], one: unknown[]) => ({
      'chain#1': { 'flag/val': flag, mixed, one },
    });
    await post(speaker(id), sent([true, false], [true, true], [1, 0]), { 'chain#1': [1, 2] });
    await post(speaker(id), sent([false], [0.5], [1]), { 'chain#1': [3, 3] });
    await finalise(service, id);
    const { json } = await send('GET', `/api/object/${id}?sampledata=true&fmt=csv`);
    const { url } = json.data as { url: string };
    const csv = await service.inject({ method: 'GET', url: new URL(url).pathname });
    const values = (name: string) =>
      csv.body
        .trim()
        .split('\n')
        .map((row) => row.split(','))
        .filter((cells) => cells[1] === name)
        .map((cells) => cells[2]);
    expect(values('flag/val')).toEqual(['true', 'false', 'false']);
    expect(values('mixed')).toEqual(['1', '1', '0.5']);
    expect(values('one')).toEqual(['1', '0', '1']);
  });

  it('with gaps and unequal chains are counted, summarised and written as they are', async () => {
    const id = await newExperiment();
    const wave = (length: number, from = 0) => Array.from({ length }, (_, i) => Math.sin(i + from));
    await post(speaker(id), { 'chain#1': { x: wave(20) } }, { 'chain#1': [1, 20] });
    await post(speaker(id), { 'chain#1': { x: wave(20, 40) } }, { 'chain#1': [41, 60] });
    await post(
      speaker(id),
      { 'chain#2': { x: [...wave(49), Number.NaN] } },
      { 'chain#2': [1, 50] },
    );
    expect(await viewOutside(send, id)).toMatchObject({ n_chains: 2, n_samples: 40 });
    await deliver(send, statusMessage({ experiment: id }, { status: 'SAMPLE_FIN' }));
    await finalise(service, id);
    expect(await viewOutside(send, id)).toMatchObject({
      status: 'FIN',
      n_samples: 40,
      meta: { verdict: { state: expect.any(String) as string } },
    });
    expect((await column(id, 'chain#1', 'x')).map(([iteration]) => iteration)).toEqual([
      ...Array.from({ length: 20 }, (_, i) => i + 1),
      ...Array.from({ length: 20 }, (_, i) => i + 41),
    ]);
    const summary = (await send('GET', `/api/summary/${id}`)).json.data as {
      n_samples: number;
      variables: { non_finite: number }[];
    };
    expect(summary).toMatchObject({ n_samples: 40, variables: [{ non_finite: 1 }] });
    const sample = await send('GET', `/api/object/${id}?sampledata=true`);
    const { url } = sample.json.data as { url: string };
    const csv = await service.inject({ method: 'GET', url: new URL(url).pathname });
    const rows = csv.body.trim().split('\n');
    expect(rows).toHaveLength(90);
    expect(rows[0]).toBe('chain#1,x,0');
    expect(rows[89]).toMatch(/^chain#2,x,NaN$/i);
  });

  it('with a gap are counted and summarised in a share as they were when shared', async () => {
    const id = await newExperiment();
    const five = [1, 2, 3, 4, 5];
    await post(speaker(id), { 'chain#1': { x: five } }, { 'chain#1': [1, 5] });
    await post(speaker(id), { 'chain#1': { x: [9, 10] } }, { 'chain#1': [9, 10] });
    const { short_id: share_id } = await addShare(ada.client, { objid: id });
    const shared = { params: { objid: id }, query: { share_id } };
    const view = () => service.anonymous.viewObject(shared);
    expect(await view()).toMatchObject({ n_chains: 1, n_samples: 7 });
    await post(speaker(id), { 'chain#1': { x: [1000, 2000] } }, { 'chain#1': [11, 12] });
    expect(await view()).toMatchObject({ n_samples: 7 });
    expect(await service.anonymous.viewSummary(shared)).toMatchObject({
      n_samples: 7,
      variables: [{ variable: 'x', mean: 34 / 7 }],
    });
  });
});

describe('another batch', () => {
  const x = async (id: string) => (await column(id, 'chain#1', 'x')).map(([, value]) => value);
  const sendX = (who: ReturnType<typeof speaker>, values: number[], first = 1) =>
    post(who, { 'chain#1': { x: values } }, { 'chain#1': [first, first + values.length - 1] });

  it('that repeats the draws of its chain, as a restarted client does, continues the chain', async () => {
    const id = await newExperiment();
    await sendX(speaker(id, 'one'), [0.1, 0.2, Number.NaN, 0.4]);
    await sendX(speaker(id, 'two'), [0.1, 0.2, Number.NaN, 0.4]);
    await sendX(speaker(id, 'two'), [0.1, 0.2, Number.NaN, 0.4, 0.5, 0.6]);
    await sendX(speaker(id, 'three'), [Number.NaN, 0.4, 0.5, 0.6, 0.7], 3);
    await sendX(speaker(id, 'one'), [0.1, 0.2, Number.NaN, 0.4, 0.5], 1);
    await sendX(speaker(id, 'three'), [0.8], 8);
    expect(await x(id)).toEqual([0.1, 0.2, Number.NaN, 0.4, 0.5, 0.6, 0.7, 0.8]);
    expect(await viewOutside(send, id)).toMatchObject({ n_samples: 8, n_chains: 1 });
  });

  it('that starts with the same values and differs later loses none of its draws', async () => {
    const id = await newExperiment();
    await sendX(speaker(id, 'one'), [0, 1, 1, 0]);
    // two discrete draws that are equal by chance
    await sendX(speaker(id, 'two'), [0, 1]);
    await sendX(speaker(id, 'two'), [0, 1, 7, 8, 9]);
    for (const _ of [1, 2]) await sendX(speaker(id, 'two'), [7, 8, 9, 10], 3);
    expect(await x(id)).toEqual([0, 1, 1, 0, 7, 8, 9, 10]);
  });

  it('that repeats the draws of any earlier batch is recognised', async () => {
    const id = await newExperiment();
    await sendX(speaker(id, 'one'), [1, 2]);
    await sendX(speaker(id, 'two'), [11, 12, 13]);
    await sendX(speaker(id, 'three'), [11, 12, 13, 14]);
    await sendX(speaker(id, 'four'), [1, 2, 3]);
    expect(await x(id)).toEqual([1, 2, 11, 12, 13, 14, 3]);
  });

  it('is appended to its chain, and overwrites nothing', async () => {
    const id = await newExperiment();
    await post(speaker(id, 'one'), { 'chain#1': { x: [1, 2, 3] } }, { 'chain#1': [1, 3] });
    await post(
      speaker(id, 'two'),
      { 'chain#1': { x: [102] }, 'chain#2': { x: [201] } },
      { 'chain#1': [2, 2], 'chain#2': [1, 1] },
    );
    await post(speaker(id, 'two'), { 'chain#1': { x: [101, 102] } }, { 'chain#1': [1, 2] });
    // the first continues, although the second follows it by now
    await post(speaker(id, 'one'), { 'chain#1': { x: [1, 2, 3, 4, 5] } }, { 'chain#1': [1, 5] });
    await post(speaker(id, 'two'), { 'chain#1': { x: [103] } }, { 'chain#1': [3, 3] });
    for (const again of [1, 2]) {
      await post(speaker(id, 'one'), { 'chain#1': { x: [4, 5] } }, { 'chain#1': [4, 5] });
      expect([again, await draws(id)]).toEqual([
        again,
        {
          'chain#1': { x: [1, 2, 3, 101, 102, 4, 5, 103].map((value, i) => [i + 1, value]) },
          'chain#2': { x: [[1, 201]] },
        },
      ]);
    }
    expect(await viewOutside(send, id)).toMatchObject({ n_chains: 2, n_samples: 1 });
  });

  it('keeps every draw of all batches once, however they alternate', async () => {
    const turn = fc.record({
      batch: fc.constantFrom('one', 'two', 'three'),
      first: fc.integer({ min: 1, max: 12 }),
      count: fc.integer({ min: 1, max: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 10 }), async (turns) => {
        const id = await newExperiment();
        const sent = new Set<number>();
        for (const { batch, first, count } of [...turns, ...turns]) {
          const values = Array.from(
            { length: count },
            (_, i) => ['one', 'two', 'three'].indexOf(batch) * 1000 + first + i,
          );
          for (const value of values) sent.add(value);
          const last = first + count - 1;
          await post(
            speaker(id, batch),
            { 'chain#1': { x: values } },
            { 'chain#1': [first, last] },
          );
        }
        const stored = (await column(id, 'chain#1', 'x')).map(([, value]) => value);
        expect([...stored].sort((a, b) => a - b)).toEqual([...sent].sort((a, b) => a - b));
        const ofOne = (from: number) => stored.filter((value) => Math.floor(value / 1000) === from);
        if (turns.every(({ batch }) => batch === turns[0].batch))
          for (const from of [0, 1, 2])
            expect(ofOne(from)).toEqual([...ofOne(from)].sort((a, b) => a - b));
        expect((await viewOutside(send, id)).n_samples).toBe(sent.size);
      }),
      { seed: 3, numRuns: 25 },
    );
  });

  it('that begins after FIN sets the status to RUN again', async () => {
    const id = await newExperiment();
    const first = {
      ...speaker(id, 'one'),
      chains: ['chain#1'],
      variables: ['x'],
      batches: [4],
      client: 'newest',
    } as const;
    await play(send, scriptOf(first));
    await finalise(service, id);
    expect(await viewOutside(send, id)).toMatchObject({ status: 'FIN', n_samples: 4 });
    const value = (_: string, v: number, i: number) => -100 * v - i;
    const second = { ...first, batch: 'two', value };
    await play(send, drawsMessages(second));
    const going = await viewOutside(send, id);
    expect(going).toMatchObject({
      status: 'RUN',
      n_samples: 8,
      meta: { run_info: { batch_id: 'two', status: 'RUN' } },
    });
    expect(going.meta).not.toHaveProperty('verdict');
    await play(send, scriptOf(second).slice(-3));
    await finalise(service, id);
    expect(await viewOutside(send, id)).toMatchObject({ status: 'FIN', n_samples: 8 });
  });
});
