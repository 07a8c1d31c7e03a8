/** Reads a large document off the main thread and answers questions about it. */
import { serveQuestions } from '../../threads/serve-questions.ts';
import { createAnswers, type PreviewQuestions } from './preview-source.ts';

serveQuestions<PreviewQuestions>(createAnswers());
