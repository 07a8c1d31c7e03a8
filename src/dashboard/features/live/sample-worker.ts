/** The thread that reads one file of draws and terminates. */
import { serveQuestions } from '../../threads/serve-questions.ts';
import { readSampleFile } from './read-sample-file.ts';
import type { SampleQuestions } from './sample-file.ts';

serveQuestions<SampleQuestions>({ read: readSampleFile });
