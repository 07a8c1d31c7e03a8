/** The thread that computes intervals once and terminates. */
import { serveQuestions } from '../../../threads/serve-questions.ts';
import { intervalsOf } from './intervals.ts';
import type { IntervalQuestions } from './use-intervals.ts';

serveQuestions<IntervalQuestions>({ intervals: intervalsOf });
