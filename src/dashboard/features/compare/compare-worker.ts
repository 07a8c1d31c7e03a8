/** The thread that answers one comparison and terminates. */
import { serveQuestions } from '../../threads/serve-questions.ts';
import { answerComparison } from './compare-statistics.ts';
import type { CompareQuestions } from './use-comparison.ts';

serveQuestions<CompareQuestions>({ compare: answerComparison });
