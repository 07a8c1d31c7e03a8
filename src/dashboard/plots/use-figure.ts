/** A figure in React: small traces synchronously, all else from the worker; the last one stays until the next is ready. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { traceFigure } from '../../figures/trace-figure.ts';
import type { AnsweredFigure, FigureRequest } from './figure-request.ts';
import { askFigure } from './figure-thread.ts';

/** A trace of at most this many draws is thinned on the page's own thread: under 2 ms. */
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
  // Shown until the worker has drawn the next one: a trace that grows beyond `fewDraws` must not go blank.
  const [last, setLast] = useState<AnsweredFigure | null>(null);
  if (now !== null && last !== now) {
    setLast(now);
    if (later.figure !== null) setLater(nothing);
  }

  useEffect(() => {
    newest.current = request;
    if (request === null || now !== null || busy.current) return;
    // One request at a time: changes made meanwhile are combined in one request after the answer.
    busy.current = true;
    const ask = async (asked: FigureRequest): Promise<void> => {
      await askFigure(asked).then(
        (figure) => setLater({ figure, error: null }),
        (error: unknown) =>
          setLater((before) => ({
            ...before,
            error: error instanceof Error ? error.message : String(error),
          })),
      );
      const next = newest.current;
      if (next !== null && next !== asked) return ask(next);
      // In the same step as the check for a newer one: a request that came in between would never be drawn.
      busy.current = false;
    };
    void ask(request);
  }, [request, now]);
  useEffect(
    () => () => {
      newest.current = null;
    },
    [],
  );
  if (request === null) return nothing;
  if (now !== null) return { figure: now, error: null };
  return { ...later, figure: later.figure ?? last };
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
