/** Compared draws are those that each run's summary uses. */
import { expect, it } from 'vitest';
import { usedDraws } from '../../../src/dashboard/features/compare/compared-draws.ts';
import { DrawsStore } from '../../../src/dashboard/features/live/draws-store.ts';
import { FakeRun } from '../../support/fake-run.ts';

function stopped(leftOut: readonly string[] = []) {
  const run = new FakeRun({ status: 'RUN', numChains: 3 });
  run.advance(160, 1);
  run.advance(160, 2);
  run.advance(48, 3);
  run.stop();
  run.leftOut = leftOut;
  const store = new DrawsStore();
  const query = { variables: ['mu'], chains: [], phase: 'sampling', from: 1 } as const;
  store.append(run.drawsAnswer(query));
  return { run: { experiment: run.experiment(), summary: run.summary(), isLive: false }, store };
}
const lengthsOf = ({ run, store }: ReturnType<typeof stopped>) =>
  usedDraws(run, store, 'mu').map((draws) => draws.length);

it('uses as many draws of each chain as the shortest has, and none of chains that are left out', () => {
  expect(lengthsOf(stopped())).toEqual([8, 8, 8]);
  expect(lengthsOf(stopped(['chain#3']))).toEqual([120, 120]);
});

it('uses all draws while the run is still running', () => {
  const { run, store } = stopped();
  expect(lengthsOf({ run: { ...run, isLive: true }, store })).toEqual([120, 120, 8]);
});
