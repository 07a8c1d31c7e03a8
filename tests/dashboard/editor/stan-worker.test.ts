/** The worker of the language service: each question has its answer, and a burst of changes is checked once. */
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StanWorkspace } from '../../../src/dashboard/editor/stan-workspace.ts';
import type { AnswerMessage, QuestionMessage } from '../../../src/dashboard/threads/call-worker.ts';
import type { WorkerScope } from '../../../src/dashboard/threads/serve-questions.ts';

const sent: AnswerMessage[] = [];
const scope: WorkerScope = { onmessage: null, postMessage: (message) => sent.push(message) };
vi.stubGlobal('self', scope);
await import('../../../src/dashboard/editor/stan-worker.ts');
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
});
afterEach(() => vi.useRealTimers());

const post = (id: number, name: string, ask: unknown) => {
  scope.onmessage?.({ data: { id, name, ask } } as MessageEvent<QuestionMessage>);
  return vi.advanceTimersByTimeAsync(0);
};
const main =
  'data { int N; }\nparameters { real a; }\nmodel { a <- normal_lpdf(1 | 0, 1); a ~ normal(0, N); }';
const files = { changed: { 'main.stan': main }, removed: [], entrance: 'main.stan' };
const withoutTime = (answer: unknown) =>
  JSON.parse(JSON.stringify(answer, (key, value) => (key === 'milliseconds' ? 0 : value)));

it('checks a burst of changes once, after the last one', async () => {
  await post(1, 'files', { ...files, changed: { 'main.stan': 'model { x ~ normal(0, 1); }' } });
  await vi.advanceTimersByTimeAsync(39);
  expect(sent).toEqual([]);
  await post(2, 'files', files);
  expect(sent).toEqual([{ id: 1, ok: true, answer: null }]);
  await vi.advanceTimersByTimeAsync(39);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  const workspace = new StanWorkspace();
  workspace.setFiles(files);
  expect(withoutTime(sent[1])).toEqual(
    withoutTime({ id: 2, ok: true, answer: workspace.problems() }),
  );
  await post(3, 'files', files);
  await vi.advanceTimersByTimeAsync(40);
  expect(sent.map(({ id }) => id)).toEqual([1, 2, 3]);
});

const place = { path: 'main.stan', offset: main.indexOf('normal_lpdf(') + 'normal_lpdf('.length };
const name = { path: 'main.stan', offset: main.indexOf('a ~') };
it.each([
  ['hover', name],
  ['complete', { ...name, offset: name.offset + 1 }],
  ['definition', name],
  ['signature', place],
  ['occurrences', name],
  ['renamePlace', name],
  ['rename', { ...name, name: 'b' }],
  ['fixes', { path: 'main.stan', start: main.indexOf('<-'), end: main.indexOf('<-') + 2 }],
  ['fixRemoved', { path: 'main.stan' }],
  ['outline', { path: 'main.stan' }],
  ['format', { path: 'main.stan' }],
  ['strict', { isOn: true }],
  ['strict', { isOn: false }],
  ['remedies', {}],
  ['problems', {}],
  ['data', { text: '{"N": 1}', fmt: 'json' }],
  ['wanted', {}],
] as const)('answers %s %j as the workspace does', async (question, ask) => {
  await post(4, 'files', files);
  await vi.advanceTimersByTimeAsync(40);
  await post(5, question, ask);
  const workspace = new StanWorkspace();
  workspace.setFiles(files);
  expect(withoutTime(sent.at(-1))).toEqual(
    withoutTime({ id: 5, ok: true, answer: workspace.answer(question, ask as never) }),
  );
});
