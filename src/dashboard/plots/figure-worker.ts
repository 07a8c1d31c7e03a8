/** The thread that draws figures. */
import { type AnsweredFigure, answerRequest, type FigureRequest } from './figure-request.ts';

export interface FigureQuestion {
  readonly id: number;
  readonly request: FigureRequest;
  readonly withTable: boolean;
}

/** A failure in words, since errors lose their kind between threads. */
export type FigureAnswer =
  | { readonly id: number; readonly ok: true; readonly figure: AnsweredFigure }
  | { readonly id: number; readonly ok: false; readonly message: string };

const thread = self as unknown as {
  onmessage: ((event: MessageEvent<FigureQuestion>) => void) | null;
  postMessage: (answer: FigureAnswer) => void;
};

thread.onmessage = ({ data: { id, request, withTable } }) => {
  try {
    thread.postMessage({ id, ok: true, figure: answerRequest(request, withTable) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    thread.postMessage({ id, ok: false, message });
  }
};
