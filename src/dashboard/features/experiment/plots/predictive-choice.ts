/** What the predictive checks show: stored in the address, and in this browser for the model's next runs. */
import { useState } from 'react';
import type { Experiment } from '../../../../contract/experiment.ts';
import { readStored, writeStored } from '../../../ui/stored-text.ts';

/** Empty: chosen automatically. */
export interface PredictiveChoice {
  readonly check: string;
  readonly replicated: string;
  readonly observed: string;
  readonly group: string;
  readonly outcome: string;
}

const parts = ['check', 'replicated', 'observed', 'group', 'outcome'] as const;

/** Names of variables contain no commas. */
export function readChoice(text: string): PredictiveChoice {
  const [check = '', replicated = '', observed = '', group = '', outcome = ''] = text.split(',');
  return { check, replicated, observed, group, outcome };
}

export function writeChoice(choice: PredictiveChoice): string {
  return parts
    .map((part) => choice[part])
    .join(',')
    .replace(/,+$/, '');
}

const keyOf = ({ model_id, model_name }: Experiment) =>
  `ergodic.predictive.${model_id || model_name}`;

/** The choice in the address; otherwise, on the owner's page, the last one for the model. */
export function usePredictiveChoice(
  experiment: Experiment,
  isShare: boolean,
  text: string,
  onChange: (text: string) => void,
) {
  const [last, setLast] = useState(() => (isShare ? '' : readStored(keyOf(experiment))));
  const choice = readChoice(text || last);
  const choose = (change: Partial<PredictiveChoice>) => {
    const written = writeChoice({ ...choice, ...change });
    if (!isShare) {
      writeStored(keyOf(experiment), written);
      setLast(written);
    }
    onChange(written);
  };
  return { choice, choose };
}
