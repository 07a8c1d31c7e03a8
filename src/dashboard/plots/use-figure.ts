/** A figure in React: small traces at once, everything else from the worker, the last one kept until the next is there. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { traceFigure } from '../../figures/trace-figure.ts';
import type { AnsweredFigure, FigureRequest } from './figure-request.ts';
import { askFigure } from './figure-thread.ts';

/** Draws up to which a trace is thinned on the page's own thread: under 2 ms. */
export const fewDraws = 100_000;

export interface FigureState {
  /** Null until the first is drawn. */
  readonly figure: AnsweredFigure | null;
  /** Why the newest could not be drawn. */
  readonly error: string | null;
}

const nothing: FigureState = { figure: null, error: null };

/** `request` must be the same object while nothing changes; null = nothing to draw yet. */
export function useFigure(request: FigureRequest | null): FigureState {
  const now = useMemo(() => drawnAtOnce(request), [request]);
  const [later, setLater] = useState<FigureState>(nothing);
  const newest = useRef(request);
  const busy = useRef(false);

  useEffect(() => {
    newest.current = request;
    if (request === null || now !== null || busy.current) return;
    // One question at a time: what changes meanwhile is asked in one, when the answer is there.
    busy.current = true;
    const ask = (asked: FigureRequest): Promise<unknown> =>
      askFigure(asked)
        .then(
          (figure) => setLater({ figure, error: null }),
          (error: unknown) =>
            setLater((before) => ({
              ...before,
              error: error instanceof Error ? error.message : String(error),
            })),
        )
        .then(() => {
          const next = newest.current;
          return next === null || next === asked ? undefined : ask(next);
        });
    void ask(request).finally(() => {
      busy.current = false;
    });
  }, [request, now]);
  useEffect(
    () => () => {
      newest.current = null;
    },
    [],
  );
  if (request === null) return nothing;
  return now === null ? later : { figure: now, error: null };
}

function drawnAtOnce(request: FigureRequest | null): AnsweredFigure | null {
  if (request?.kind !== 'trace') return null;
  const { variable, options } = request;
  const numDraws = variable.chains.reduce(
    (sum, chain) => sum + chain.sampling.length + (chain.warmup?.length ?? 0),
    0,
  );
  if (numDraws > fewDraws) return null;
  const { data, layout, notes } = traceFigure(variable, options);
  return { data, layout, notes, table: null };
}
