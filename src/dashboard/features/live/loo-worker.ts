/** The thread that computes leave-one-out once and terminates. */
import { serveQuestions } from '../../threads/serve-questions.ts';
import { computeLoo } from './loo-statistics.ts';
import type { LooQuestions } from './use-loo.ts';

serveQuestions<LooQuestions>({ loo: computeLoo });
