/** Reads a large document beside the page and answers what is asked of it. */
import { serveQuestions } from '../../threads/serve-questions.ts';
import { createAnswers, type PreviewQuestions } from './preview-source.ts';

serveQuestions<PreviewQuestions>(createAnswers());
