/** The thread that answers one comparison and ends. */
import {
  answerComparison,
  type CompareAnswer,
  type CompareQuestion,
} from './compare-statistics.ts';

const thread = self as unknown as {
  onmessage: ((event: MessageEvent<CompareQuestion>) => void) | null;
  postMessage: (answer: CompareAnswer) => void;
};

thread.onmessage = ({ data }) => thread.postMessage(answerComparison(data));
