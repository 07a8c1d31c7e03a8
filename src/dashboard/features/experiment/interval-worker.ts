/** The thread that computes intervals once and ends. */
import { type IntervalEnds, type IntervalQuestion, intervalsOf } from './intervals.ts';

const thread = self as unknown as {
  onmessage: ((event: MessageEvent<IntervalQuestion>) => void) | null;
  postMessage: (answer: IntervalEnds[]) => void;
};

thread.onmessage = ({ data }) => thread.postMessage(intervalsOf(data));
