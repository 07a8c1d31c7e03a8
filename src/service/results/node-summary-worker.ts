/** A thread that summarises variables, request after request, until it is ended. */
import { parentPort } from 'node:worker_threads';
import { summarise } from '../../posterior/summary.ts';
import type { SummaryAnswer, SummaryRequest } from './summary-threads.ts';

parentPort?.on('message', ({ id, draws }: SummaryRequest) => {
  const answer: SummaryAnswer = { id, rows: summarise(draws) };
  parentPort?.postMessage(answer);
});
