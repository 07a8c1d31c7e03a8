/** Reads and maps tables off the main thread. */
import { serveQuestions } from '../../threads/serve-questions.ts';
import { createMappingAnswers, type MappingQuestions } from './mapping-answers.ts';

serveQuestions<MappingQuestions>(createMappingAnswers());
