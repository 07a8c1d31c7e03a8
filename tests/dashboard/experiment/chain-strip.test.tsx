// Runs in a window.
/** What the page of a run says about each chain while it runs. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Experiment } from '../../../src/contract/experiment.ts';
import { installBrowserParts } from '../../support/browser-parts.ts';
import { FakeRun } from '../../support/fake-run.ts';
import { FakeRunServer } from '../../support/fake-run-server.ts';
import { renderApp } from '../../support/render-app.tsx';

/** The last two of four chains start from the warmup of the first. */
class SharedRun extends FakeRun {
  override experiment(): Experiment {
    const experiment = super.experiment();
    const { progress } = experiment.meta ?? {};
    const chains = progress?.chains.map((chain, index) =>
      index < 2
        ? chain
        : {
            ...chain,
            phase: index === 2 ? ('waiting' as const) : ('sampling' as const),
            iteration: index === 2 ? 40 : 65,
            warmed_by: 'chain#1',
          },
    );
    return {
      ...experiment,
      meta: {
        ...experiment.meta,
        ...(progress === undefined ? {} : { progress: { ...progress, chains: chains ?? [] } }),
      },
    } as Experiment;
  }
}

/** Resumed: the first chain waits where it was, the second before the end of its warmup. */
class ResumedRun extends FakeRun {
  override experiment(): Experiment {
    const experiment = super.experiment();
    const { progress } = experiment.meta ?? {};
    const chains = progress?.chains.map((chain) => ({ ...chain, phase: 'waiting' as const }));
    const meta = { ...experiment.meta, progress: { ...progress, chains: chains ?? [] } };
    return { ...experiment, meta } as Experiment;
  }
}

it('a chain that waits to be resumed shows the phase in which it was', {
  timeout: 60_000,
}, async () => {
  const run = new ResumedRun({ status: 'RUN', numWarmup: 40, numSamples: 100, numChains: 2 });
  run.advance(90, 1);
  run.advance(20, 2);
  renderApp(new FakeRunServer({ runs: [run] }), `/experiments/${run.id}`);
  installBrowserParts();
  const cell = async (number: number) =>
    (await screen.findByRole('button', { name: new RegExp(`Chain ${number}\\b`) })).textContent;
  expect(await cell(1)).toMatch(/Chain 1Waiting50 of 100/);
  expect(await cell(2)).toMatch(/Chain 2Waiting20 of 40/);
});

it('a chain that starts from the warmup of another shows draws to make, and no warmup', {
  timeout: 60_000,
}, async () => {
  const run = new SharedRun({ status: 'RUN', numWarmup: 40, numSamples: 100 });
  run.advance(20, 1);
  run.advance(20, 2);
  renderApp(new FakeRunServer({ runs: [run] }), `/experiments/${run.id}`);
  installBrowserParts();
  const cell = async (number: number) =>
    (await screen.findByRole('button', { name: new RegExp(`Chain ${number}\\b`) })).textContent;
  expect(await cell(1)).toMatch(/Chain 1Warmup20 of 40/);
  expect(await cell(3)).toMatch(/Chain 3Waiting0 of 100after chain 1/);
  expect(await cell(4)).toMatch(/Chain 4Sampling25 of 100(?!.*after)/);
  expect(within(document.body).queryAllByText('after chain 1')).toHaveLength(1);
});
