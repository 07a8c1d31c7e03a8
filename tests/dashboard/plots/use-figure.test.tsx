// Runs in a window.
/** A figure that grows too large for the main thread stays until the worker has drawn the next. */
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { AnsweredFigure, FigureRequest } from '../../../src/dashboard/plots/figure-request.ts';
import { fewDraws, useFigure } from '../../../src/dashboard/plots/use-figure.ts';
import { plotPalettes } from '../../../src/figures/palette.ts';

const waiting: { request: FigureRequest; answer: (figure: AnsweredFigure) => void }[] = [];
vi.mock('../../../src/dashboard/plots/figure-thread.ts', () => ({
  askFigure: (request: FigureRequest) =>
    new Promise((answer) => waiting.push({ request, answer: answer as never })),
}));

afterEach(() => {
  cleanup();
  waiting.length = 0;
});

function trace(numDraws: number): FigureRequest {
  const sampling = Float64Array.from({ length: numDraws }, (_, i) => i % 7);
  const chains = [{ index: 0, name: 'chain#1', sampling }];
  const options = { palette: plotPalettes.light, numWarmup: 0, numSamples: numDraws, width: 300 };
  return {
    kind: 'trace',
    variable: { variable: 'mu', chains },
    options: { ...options, showWarmup: false },
  };
}

const figure = (note: string): AnsweredFigure => ({
  data: [],
  layout: {},
  notes: [note],
  table: null,
});

it('a figure stays while the worker draws the next, and ends as the newest', async () => {
  const { result, rerender } = renderHook((request: FigureRequest) => useFigure(request), {
    initialProps: trace(50),
  });
  const first = result.current.figure;
  expect(first).not.toBeNull();

  rerender(trace(fewDraws + 1));
  expect(result.current.figure).toBe(first);
  // Of the requests made while the worker draws, only the newest is sent once it has answered.
  rerender(trace(fewDraws + 2));
  const last = trace(fewDraws + 3);
  rerender(last);
  expect(waiting).toHaveLength(1);
  await act(async () => waiting[0].answer(figure('one')));
  expect(result.current.figure?.notes).toEqual(['one']);
  expect(waiting.map(({ request }) => request).slice(1)).toEqual([last]);
  await act(async () => waiting[1].answer(figure('last')));
  expect(result.current.figure?.notes).toEqual(['last']);

  // The next one after that is sent immediately again.
  rerender(trace(fewDraws + 4));
  expect(waiting).toHaveLength(3);
});

it('a figure is not replaced by an old figure of the worker', async () => {
  const { result, rerender } = renderHook((request: FigureRequest) => useFigure(request), {
    initialProps: trace(fewDraws + 1),
  });
  await act(async () => waiting[0].answer(figure('old')));
  rerender(trace(60));
  const small = result.current.figure;
  rerender(trace(fewDraws + 2));
  expect(result.current.figure).toBe(small);
});
