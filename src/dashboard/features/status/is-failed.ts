/** Whether a run has failed, which it may report a few seconds before its last chain has stopped. */
import type { Experiment } from '../../../contract/experiment.ts';

export function isFailed({ status, meta }: Pick<Experiment, 'status' | 'meta'>): boolean {
  const isEnding = (status === 'RUN' || status === 'SAMPLE_FIN') && Boolean(meta?.error);
  return status === 'ERR' || isEnding;
}
