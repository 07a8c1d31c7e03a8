/** The page's side of the worker that reads and maps tables. */
import { askOnce, callWorker, type WorkerCall } from '../../threads/call-worker.ts';
import type { GivenFile, GivenKind, MappingQuestions } from './mapping-answers.ts';

export type { GivenFile, GivenKind } from './mapping-answers.ts';

const options = {
  make: () =>
    new Worker(new URL('./mapping-worker.ts', import.meta.url), {
      type: 'module',
      name: 'mapping',
    }),
  local: async () => (await import('./mapping-answers.ts')).createMappingAnswers(),
  ended: 'The file could not be read.',
};

export type MappingCall = WorkerCall<MappingQuestions>;

export const createMappingCall = (): MappingCall => callWorker<MappingQuestions>(options);

/** The kind of a data file, determined in the worker. */
export const identify = (ask: GivenFile): Promise<GivenKind> =>
  askOnce<MappingQuestions, 'identify'>(options, 'identify', { ask });

/** Whether data were made by a mapping. */
export const hasMapping = (ask: string): Promise<boolean> =>
  ask.includes('"meta__"')
    ? askOnce<MappingQuestions, 'hasMapping'>(options, 'hasMapping', { ask })
    : Promise.resolve(false);
