/** Reads and maps tables beside the page. */
import { serveQuestions } from '../../threads/serve-questions.ts';
import { createMappingAnswers, type MappingQuestions } from './mapping-answers.ts';

serveQuestions<MappingQuestions>(createMappingAnswers());
