/** All migrations in order. A released one is never edited: the next change is a new file and a new line here. */
import { firstSchema } from './001-first-schema.ts';
import { runnerRuns } from './002-runner-runs.ts';
import { queueTurns } from './003-queue-turns.ts';
import { functionCalls } from './005-function-calls.ts';
import { programRuns } from './006-program-runs.ts';
import { analyses } from './007-analyses.ts';
import { objectTallies } from './008-object-tallies.ts';
import { importOrders } from './009-import-orders.ts';
import { usesOfData } from './010-uses-of-data.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  { number: 1, name: 'first-schema', sql: firstSchema },
  { number: 2, name: 'runner-runs', sql: runnerRuns },
  { number: 3, name: 'queue-turns', sql: queueTurns },
  { number: 5, name: 'function-calls', sql: functionCalls },
  { number: 6, name: 'program-runs', sql: programRuns },
  { number: 7, name: 'analyses', sql: analyses },
  { number: 8, name: 'object-tallies', sql: objectTallies },
  { number: 9, name: 'import-orders', sql: importOrders },
  { number: 10, name: 'uses-of-data', sql: usesOfData },
];
